"""A terminal to look into: a tmux server of its own with one pane."""

import os
import shlex
import subprocess
import time
import uuid

from processes import ALERTBUS, LIMIT, eventually


class Tmux:
    def __init__(self, *words, address="", size=(80, 24), environment=None):
        self.name = f"alertbus-{uuid.uuid4().hex[:12]}"
        variables = {"ALERTBUS_REQUESTS": address, **(environment or {})}
        command = shlex.join(["env", *(f"{name}={value}" for name, value in variables.items()), ALERTBUS, *words])
        # A shell around it, so that the terminal is there when the program is not.
        script = f"trap : INT HUP; {command}; echo \"ended with $?\"; stty -a | tr ';' '\\n' | grep -E 'icanon|echo ' ; exec sleep 1000"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), "sh", "-c", script)
        self.tmux("set-option", "-g", "window-size", "manual")

    def tmux(self, *words):
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
        environment.pop("TMUX", None)
        done = subprocess.run(["tmux", "-L", self.name, *words], env=environment, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 0, f"tmux {words}: {done.stderr}"
        return done.stdout

    def close(self):
        self.tmux("kill-server")

    def lines(self):
        return self.tmux("capture-pane", "-p").split("\n")[:-1]

    def text(self):
        return "\n".join(self.lines())

    def styled(self):
        return self.tmux("capture-pane", "-p", "-e")

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def resize(self, width, height):
        self.tmux("resize-window", "-x", str(width), "-y", str(height))

    def show(self, name):
        return self.tmux("display-message", "-p", f"#{{{name}}}").strip()

    def pid(self):
        """Of the program in the pane: the shell's child."""
        shell = self.show("pane_pid")
        return int(subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=True).stdout.split()[0])

    def expect(self, text, limit=LIMIT):
        try:
            eventually(f"{text!r}", lambda: text in self.text(), limit)
        except AssertionError as error:
            raise AssertionError(f"{error}; the terminal shows\n{self.text()}") from None

    def expect_not(self, text, limit=LIMIT):
        try:
            eventually(f"{text!r} to go", lambda: text not in self.text(), limit)
        except AssertionError as error:
            raise AssertionError(f"{error}; the terminal shows\n{self.text()}") from None


def guard():
    """Lets the input guard pass."""
    time.sleep(0.5)
