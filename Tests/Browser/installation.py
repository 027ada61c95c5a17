"""One arbiter and what was started beside it."""

import shutil
import signal
import tempfile

from bus import Bus
from processes import Arbiter, Kiosk, Shell, eventually
from tmux import Tmux


class Site:
    """One arbiter and what was started beside it."""

    def __init__(self, journal="memory"):
        self.directory = tempfile.mkdtemp(prefix="alertbus-site-")
        self.journal = journal if journal == "memory" else f"{self.directory}/journal.db"
        self.arbiter = Arbiter(self.directory, self.journal)
        self.address = self.arbiter.address
        self.shell = Shell(self.address)
        self.started = []

    def kiosk(self, *words):
        self.started.append(Kiosk(self.address, *words))
        return self.started[-1]

    def bus(self):
        bus = Bus(self.address)
        self.started.append(bus)
        eventually("the first snapshot", lambda: bus.epoch)
        return bus

    def start_again(self, number=signal.SIGTERM):
        self.arbiter.stop(number)
        self.arbiter = Arbiter(self.directory, self.journal, self.address)

    def terminal(self, *words, **options):
        self.started.append(Tmux("watch", *words, "--screen", address=self.address, **options))
        return self.started[-1]

    def close(self):
        for process in reversed(self.started):
            process.stop() if isinstance(process, Kiosk) else process.close()
        self.shell.close()
        self.arbiter.stop()
        shutil.rmtree(self.directory)
