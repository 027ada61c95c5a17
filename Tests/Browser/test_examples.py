"""The examples, as they stand, against a real arbiter."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest

from processes import ALERTBUS, ROOT, Arbiter, eventually

SCRIPTS = ROOT / "Sources/Examples/Scripts"
BINARIES = os.path.dirname(ALERTBUS)
MODAL, BANNER = "lobby/kiosk-1/modal", "lobby/kiosk-1/banner"


class Example:
    """A program whose lines are read while it runs."""

    def __init__(self, site, *words, environment=None):
        path = os.pathsep.join([BINARIES, os.environ["PATH"]])
        self.process = subprocess.Popen(
            [str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PATH": path, "ALERTBUS_REQUESTS": site.address, **(environment or {})})
        self.lines, self.errors = [], []
        self.readers = [threading.Thread(target=self._read, args=ends, daemon=True) for ends in (
            (self.process.stdout, self.lines), (self.process.stderr, self.errors))]
        for reader in self.readers:
            reader.start()
        site.started.append(self)

    def _read(self, stream, lines):
        for line in stream:
            lines.append(line.rstrip("\n"))

    def wait(self):
        code = self.process.wait(20)
        for reader in self.readers:
            reader.join(20)
        return code

    def expect(self, line):
        eventually(f"{line!r}; got {self.lines} {self.errors}", lambda: line in self.lines)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.wait()
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()


def answer(site, surface, action):
    """What a screen does."""
    eventually("the alert", lambda: json.loads("[" + ",".join(site.shell.run("list", surface, "--json").split("\n")[:-1]) + "]"))
    top = json.loads(site.shell.run("list", surface, "--json").split("\n")[0])
    site.shell.run("answer", surface, "--instance", str(top["instance"]), json.dumps({"action": action}))


@pytest.mark.parametrize("words", [[f"{BINARIES}/producer-example"], [sys.executable, SCRIPTS / "producer.py"]])
def test_producers_print_the_answer(site, words):
    example = Example(site, *words, MODAL, "Open it?")
    answer(site, MODAL, "yes")
    assert example.wait() == 0, example.errors
    assert json.loads(example.lines[-1]) == {"action": "yes"}


@pytest.mark.parametrize("words", [[f"{BINARIES}/producer-example"], [sys.executable, SCRIPTS / "producer.py"]])
def test_producers_wait_over_a_restart(make_site, words):
    site = make_site("file")
    site.arbiter.stop()
    example = Example(site, *words, MODAL, "Open it?")
    site.arbiter = Arbiter(site.directory, site.journal, site.address)
    eventually("the alert", lambda: site.shell.run("list", MODAL, "--json"))
    site.start_again(signal.SIGKILL)
    answer(site, MODAL, "no")
    assert example.wait() == 0, example.errors
    assert json.loads(example.lines[-1]) == {"action": "no"}


def test_the_shell_script(site):
    for action, line in (("stay", "stays"), ("leave", 'signed out ({"action":"leave"})')):
        example = Example(site, SCRIPTS / "leave.sh", MODAL)
        answer(site, MODAL, action)
        assert example.wait() == 0, example.errors
        assert example.lines == [line]


def test_notify_send(site):
    bus = site.bus()
    example = Example(site, SCRIPTS / "notify-send", "-u", "critical", "-i", "rain", "-t", "2000", "Heavy rain", "Close the windows; $HOME 'x' \"y\"")
    assert example.wait() == 0, example.errors
    second = Example(site, SCRIPTS / "notify-send", "-t", "1500", "Tea", environment={"ALERTBUS_SURFACE": MODAL})
    assert second.wait() == 0, second.errors
    shown = {part["surface"]: part["shown"][0] for part in bus.ask("sync", surface="/")["surfaces"]}
    rain = shown[BANNER]
    assert (rain["priority"], rain["presentation"], rain["producer"]) == (3, "banner", "notify-send")
    assert rain["params"] == {"title": "Heavy rain", "body": "Close the windows; $HOME 'x' \"y\"", "icon": "rain"}
    assert "display_ms" not in rain
    assert 0 < shown[MODAL]["display_ms"] <= 1500
    for words in ([], ["-u", "loud", "x"], ["-z"]):
        assert Example(site, SCRIPTS / "notify-send", *words).wait() != 0


def test_the_swift_subscriber(site):
    example = Example(site, f"{BINARIES}/subscriber-example", "lobby/")
    example.expect("link   connected")
    site.shell.run("raise", MODAL, "door", "--title", "Door open")
    example.expect(f"show   {MODAL}  Door open")
    site.shell.run("update", MODAL, "door", "--title", "Door still open")
    example.expect(f"update {MODAL}  Door still open")
    site.shell.run("withdraw", MODAL, "door")
    example.expect(f"hide   {MODAL}  Door still open  withdrawn")


def test_the_python_subscriber_loses_nothing(make_site):
    """Random changes; the arbiter dies, the subscriber sleeps; at the end it prints what the arbiter says."""
    site = make_site("file")
    chance = random.Random(int(os.environ.get("ORDER_SEED", random.randrange(1 << 32))))
    example = Example(site, sys.executable, SCRIPTS / "subscriber.py", "lobby/")

    def change(count):
        bus = site.bus()
        for _ in range(count):
            change.number += 1
            surface = chance.choice([MODAL, BANNER])
            if chance.random() < 0.6:
                bus.ask("raise", surface=surface, key=f"k{change.number}", intercept=False)
            else:
                bus.try_ask("dismiss", surface=surface)
        bus.close()
        site.started.remove(bus)

    change.number = 0
    change(100)
    site.start_again(signal.SIGKILL)
    change(50)
    os.kill(example.process.pid, signal.SIGSTOP)
    change(100)
    time.sleep(6)  # Longer than the arbiter keeps a connection that says nothing.
    change(20)
    os.kill(example.process.pid, signal.SIGCONT)
    change(20)
    bus = site.bus()
    wanted = {part["surface"]: [alert["key"] for alert in part["shown"]] for part in bus.ask("sync", surface="lobby/")["surfaces"]}

    def printed():
        screens = {}
        for line in list(example.lines):
            name, keys = line.split(" ", 1)
            screens[name] = json.loads(keys)
        return screens

    eventually(f"{wanted}", lambda: printed() == wanted)
    sessions = [s for s in bus.ask("list", surface="/", subscribers=True)["subscribers"] if s["scopes"] == ["lobby/"]]
    assert {screen["surface"]: screen["drawn"] for screen in sessions[0]["screens"]} == {
        part["surface"]: part["seq"] for part in bus.ask("sync", surface="lobby/")["surfaces"]}
