"""README's run command: it tells its story, and Ctrl-C ends all of it."""

import os
import pty
import select
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from bus import ROOT

# The demonstration builds first, which takes long on a busy machine if anything has changed.
LIMIT = 300.0


def processes_of(session):
    """The processes that still belong to a session; one that has ended and waits for its parent is none."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            words = (entry / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(f"{entry.name} {words}")
    return found


class Demo(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def start(self, *words, terminal=False):
        # The toolchain leaves files of its own there too.
        environment = {**os.environ, "TMPDIR": str(self.directory)}
        self.output, theirs = pty.openpty() if terminal else os.pipe()
        self.addCleanup(os.close, self.output)
        process = subprocess.Popen(
            [str(ROOT / "Config/demo"), *words], stdin=theirs if terminal else subprocess.DEVNULL, stdout=theirs,
            stderr=subprocess.STDOUT, env=environment, start_new_session=True)
        os.close(theirs)
        self.addCleanup(self.end, process)
        self.text = ""
        return process

    def end(self, process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(LIMIT)

    def read_until(self, word):
        """Reads until the word comes, or with None to the end."""
        end = time.monotonic() + LIMIT
        while word is None or word not in self.text:
            ready = select.select([self.output], [], [], max(0, end - time.monotonic()))[0]
            self.assertTrue(ready, f"no {word!r} within {LIMIT} s:\n{self.text}")
            try:
                part = os.read(self.output, 65536)
            except OSError:  # what a terminal says at its end
                part = b""
            if not part:
                break
            self.text += part.decode(errors="replace")
        self.assertTrue(word is None or word in self.text, self.text)

    def check_nothing_is_left(self, process, code):
        self.assertEqual(process.wait(LIMIT), code, self.text)
        self.assertEqual(processes_of(process.pid), [])
        self.assertEqual(list(self.directory.glob("alertbus-demo-*")), [])

    def test_once(self):
        process = self.start("--once")
        self.read_until(None)
        self.check_nothing_is_left(process, 0)
        told = ["show    tea", "hide    tea", "show    door", "(covered)", "(answered)", "(dequeued)", "(resumed)", "intercepted"]
        self.assertEqual([word for word in told if word not in self.text], [], self.text)
        self.assertNotIn("\x1b", self.text, "colours without a terminal")

    def check_signal(self, terminal, send):
        process = self.start(terminal=terminal)
        self.read_until("(covered)")
        before = time.monotonic()
        send(process)
        self.read_until(None)
        self.check_nothing_is_left(process, 0)
        self.assertLess(time.monotonic() - before, 15)

    def test_control_c_at_a_terminal_ends_it_all(self):
        self.check_signal(True, lambda process: os.killpg(process.pid, signal.SIGINT))

    def test_an_interrupt_without_a_terminal_ends_it_all(self):
        self.check_signal(False, lambda process: process.send_signal(signal.SIGINT))

    def test_no_process_outlives_it_when_it_is_killed(self):
        process = self.start()
        self.read_until("(covered)")
        process.kill()
        process.wait(LIMIT)
        end = time.monotonic() + LIMIT
        while left := processes_of(process.pid):
            self.assertLess(time.monotonic(), end, left)
            time.sleep(0.05)

    def test_a_request_to_end_ends_it_all(self):
        self.check_signal(False, lambda process: process.send_signal(signal.SIGTERM))


if __name__ == "__main__":
    unittest.main()
