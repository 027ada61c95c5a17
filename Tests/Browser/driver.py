"""What feeds the page under test.

The tests speak to a Driver only. ScriptDriver runs the kiosk server alone and plays the bus itself; a driver of the real
arbiter has the same functions.
"""

import json
import os
import queue
import subprocess
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 10.0


class Driver:
    """One running kiosk server. Surfaces are drawn in the order given, the last one on top."""

    # Whether a change waits until the bus has taken it.
    waits = True
    # Whether an answer ends its alert without the test doing it.
    answersItself = False

    def start(self, surfaces, **options):
        """Starts to serve; returns the page's URL. Options: title, language, slots, guard, heartbeat, port."""
        raise NotImplementedError

    def stop(self):
        raise NotImplementedError

    def close(self):
        """Ends everything after the test."""
        self.stop()

    def restart(self):
        """The same server again on the same port, with the same alerts."""
        raise NotImplementedError

    def show(self, surface, key, priority=1, presentation=None, params=None, data=None, display_ms=None):
        """Puts an alert on the screen; returns its instance."""
        raise NotImplementedError

    def update(self, surface, key, **changes):
        raise NotImplementedError

    def hide(self, surface, key, reason="withdrawn"):
        raise NotImplementedError

    def link(self, state):
        raise NotImplementedError

    def refuse(self, reason):
        """Every action is refused with this reason from now on; "" accepts."""
        raise NotImplementedError

    def next_act(self, timeout=LIMIT):
        """The next thing that a person did: surface, instance, revision, kind, answer."""
        raise NotImplementedError

    def has_act(self):
        raise NotImplementedError

    def position(self, surface):
        """(epoch, seq) of the newest message."""
        raise NotImplementedError

    def wait_drawn(self, surface, timeout=LIMIT):
        """Waits until a page has confirmed the newest position; returns the seconds that it took."""
        raise NotImplementedError


class ScriptDriver(Driver):
    def __init__(self, binary=None):
        self.binary = binary or os.environ.get("KIOSK_SCRIPT") or ROOT / ".build/debug/kiosk-script"
        self.epoch = 3
        self.instance = 0
        self.seq = {}
        self.alerts = {}
        self.process = None
        self.port = None

    def start(self, surfaces, **options):
        self.surfaces, self.options = surfaces, options
        command = [str(self.binary)]
        for name, value in options.items():
            command += [f"--{name}", str(value)]
        if self.port and "port" not in options:
            command += ["--port", str(self.port)]
        self.acts, self.logs, self.reports = queue.Queue(), [], queue.Queue()
        self.drawn, self.changed = {}, threading.Condition()
        self.process = subprocess.Popen(command + surfaces, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        threading.Thread(target=self._read, args=(self.process, self.acts, self.reports), daemon=True).start()
        url = self.reports.get(timeout=LIMIT)["listening"]
        self.port = int(url.rsplit(":", 1)[1])
        self.link("connected")
        return url

    def _read(self, process, acts, reports):
        for line in process.stdout:
            message = json.loads(line)
            if "act" in message:
                acts.put(message["act"])
            elif "drawn" in message:
                with self.changed:
                    at = message["drawn"]
                    self.drawn[at["surface"]] = max(self.drawn.get(at["surface"], (0, 0)), (at["epoch"], at["seq"]))
                    self.changed.notify_all()
            elif "log" in message:
                self.logs.append(message["log"])
            else:
                reports.put(message)

    def stop(self):
        if self.process is None:
            return
        self.process.stdin.close()
        if self.process.wait(LIMIT) != 0:
            raise AssertionError(f"the server ended with {self.process.returncode}")
        self.process = None

    def restart(self):
        self.stop()
        self.start(self.surfaces, **self.options)
        self.epoch += 1
        surfaces = [
            {"surface": name, "seq": 0, "shown": [alert for (at, _), alert in self.alerts.items() if at == name]}
            for name in self.surfaces
        ]
        self.seq = {name: 0 for name in self.surfaces}
        self._send({"v": 1, "op": "snapshot", "scope": "/", "epoch": self.epoch, "surfaces": surfaces, "last": True})

    def _send(self, message):
        self.process.stdin.write(json.dumps(message, ensure_ascii=False) + "\n")
        self.process.stdin.flush()

    def _change(self, op, surface, **fields):
        self.seq[surface] = self.seq.get(surface, 0) + 1
        self._send({"v": 1, "op": op, "surface": surface, "epoch": self.epoch, "seq": self.seq[surface], **fields})

    def show(self, surface, key, priority=1, presentation=None, params=None, data=None, display_ms=None):
        self.instance += 1
        alert = {"key": key, "instance": self.instance, "revision": 1, "priority": priority, "params": params or {}}
        for name, value in (("presentation", presentation), ("data", data), ("display_ms", display_ms)):
            if value is not None:
                alert[name] = value
        self.alerts[surface, key] = alert
        self._change("show", surface, reason="raised", alert=alert)
        return self.instance

    def update(self, surface, key, **changes):
        alert = self.alerts[surface, key]
        alert.update(changes)
        alert["revision"] += 1
        self._change("update", surface, reason="updated", alert=alert)

    def hide(self, surface, key, reason="withdrawn"):
        alert = self.alerts.pop((surface, key))
        self._change("hide", surface, reason=reason, key=key, instance=alert["instance"])

    def link(self, state):
        self._send({"op": "link", "state": state})

    def refuse(self, reason):
        self._send_raw('{"op":"verdict","reason":"%s"}' % reason)

    def _send_raw(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def statistics(self):
        self._send_raw('{"op":"statistics"}')
        return self.reports.get(timeout=LIMIT)["statistics"]

    def next_act(self, timeout=LIMIT):
        return self.acts.get(timeout=timeout)

    def has_act(self):
        return not self.acts.empty()

    def position(self, surface):
        return (self.epoch, self.seq.get(surface, 0))

    def wait_drawn(self, surface, timeout=LIMIT):
        wanted, began = self.position(surface), time.monotonic()
        with self.changed:
            if not self.changed.wait_for(lambda: self.drawn.get(surface, (0, 0)) >= wanted, timeout):
                raise AssertionError(f"{surface} is drawn up to {self.drawn.get(surface)}, not {wanted}, after {timeout} s")
        return time.monotonic() - began
