// Calls of Linux that the Swift module Glibc leaves out.
#include <fcntl.h>
#include <linux/stat.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>

// Glibc declares it for GNU sources only.
extern int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *signals);

// prctl takes a variable number of arguments, which Swift cannot pass.

// How late the kernel may wake this thread, in nanoseconds. The default of 50 us would show in every paced latency.
static inline int linux_set_timer_slack(unsigned long nanoseconds) { return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0); }

// This process gets the signal when the thread that started it ends, however that happens.
static inline int linux_end_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0, 0, 0); }

// This thread, and those that it starts, no longer interrupt the one that runs when they are woken; or they do again. Only from and to the
// standard policy: what an operator chose stays.
static inline int linux_set_batch_scheduling(int on) {
    const int batch = 3;  // SCHED_BATCH, which Glibc declares for GNU sources only
    const struct sched_param none = {0};
    if (sched_getscheduler(0) != (on ? SCHED_OTHER : batch)) return -1;
    return sched_setscheduler(0, on ? batch : SCHED_OTHER, &none);
}

// A pipe whose ends no other child inherits, from the first moment on.
extern int pipe2(int ends[2], int flags);

extern int statx(int directory, const char *path, int flags, unsigned mask, struct statx *found);

// What tells one file from another, without its times. Who reads those gets the next write stamped to the nanosecond, and
// on some file systems that makes the next fdatasync write the inode as well.
static inline int linux_identity(const char *path, unsigned long long *device, unsigned long long *inode, long long *size) {
    struct statx found;
    if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_SIZE, &found) != 0) return -1;
    *device = (unsigned long long)found.stx_dev_major << 32 | found.stx_dev_minor;
    *inode = found.stx_ino;
    *size = (long long)found.stx_size;
    return 0;
}
