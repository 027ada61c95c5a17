"""Real processes: the arbiter, the kiosk, and whatever a shell runs. Every one is ended by its own test."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ALERTBUS = os.environ.get("ALERTBUS", str(ROOT / ".build/debug/alertbus"))
LIMIT = 20.0

RULES = """
[[policy]]
surfaces = "lobby/kiosk-1/hiding"
covered = "hide"
preempt = "higher"
activation_delay_ms = 20

[[policy]]
surfaces = "lobby/**"
activation_delay_ms = 20
max_priority = 9
"""


class Process:
    """A program that says in one line of JSON that it is ready."""

    def __init__(self, *words, environment=None):
        self.process = subprocess.Popen(
            [ALERTBUS, *words, "--json"], stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        line = self.process.stdout.readline()
        assert line, f"{words} ended with {self.process.wait(LIMIT)}"
        self.ready = json.loads(line)

    def send(self, number):
        self.process.send_signal(number)

    def stop(self, number=signal.SIGTERM):
        if self.process.returncode is not None:
            return
        self.process.send_signal(signal.SIGCONT)
        self.process.send_signal(number)
        code = self.process.wait(LIMIT)
        self.process.stdout.close()
        assert code == (0 if number == signal.SIGTERM else -number), f"{self.process.args} ended with {code}"


class Arbiter(Process):
    def __init__(self, directory, journal="memory", address="tcp://127.0.0.1:*"):
        rules = Path(directory) / "alertbus.toml"
        rules.write_text(RULES)
        super().__init__("arbiter", "--config", str(rules), "--requests", address, "--feed", "none", "--journal", journal)
        self.address = self.ready["requests"]


class Kiosk(Process):
    def __init__(self, address, *words, http="127.0.0.1:0"):
        super().__init__("kiosk", "--http", http, *words, environment={"ALERTBUS_REQUESTS": address})
        self.url = self.ready["http"]


class Shell:
    """Runs alertbus as a person types it."""

    def __init__(self, address):
        self.environment = {**os.environ, "ALERTBUS_REQUESTS": address}
        self.started = []

    def run(self, *words):
        done = subprocess.run([ALERTBUS, *words], env=self.environment, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 0, f"{words}: {done.returncode} {done.stderr}"
        return done.stdout

    def start(self, *words):
        self.started.append(
            subprocess.Popen([ALERTBUS, *words], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return self.started[-1]

    def close(self):
        """Ends what a test that failed has left."""
        for process in self.started:
            process.kill()
            process.communicate(timeout=LIMIT)


def eventually(what, condition, limit=LIMIT):
    """Looks until something is so; returns what the condition returned."""
    end = time.monotonic() + limit
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, f"{limit} s were not enough for {what}"
        time.sleep(0.02)
