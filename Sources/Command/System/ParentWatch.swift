import CLinux
import Glibc

/// Ends this process with the one that started it, where that one asks for it.
enum ParentWatch {
    static func begin() {
        guard let text = getenv(ChildProgram.variable), let parent = pid_t(String(cString: text)) else { return }
        unsetenv(ChildProgram.variable)
        _ = linux_end_with_parent(SIGTERM)
        // It may have ended before this was asked for.
        // To the process, not to this thread alone, which keeps its signals from itself.
        if getppid() != parent { _ = kill(getpid(), SIGTERM) }
    }
}
