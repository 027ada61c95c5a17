"""The driver of the real thing: an arbiter, a kiosk in front of it, and a client that raises alerts."""

import queue
import shutil
import signal
import tempfile
import time

from bus import Bus
from driver import LIMIT, Driver
from processes import Arbiter, Kiosk, eventually


class BusDriver(Driver):
    answersItself = True

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="alertbus-browser-")
        self.arbiter = Arbiter(self.directory)
        self.bus = Bus(self.arbiter.address)
        self.kiosk = None
        self.alerts = {}
        self.provided = set()
        self.withdrawn = set()
        self.waits = True

    def start(self, surfaces, **options):
        self.surfaces, self.options = surfaces, options
        names = {"guard": "input-guard", "language": "lang"}
        words = [f"--{names.get(name, name)}={value}{'ms' if name == 'guard' else ''}" for name, value in options.items()]
        http = f"127.0.0.1:{self.port}" if self.kiosk else "127.0.0.1:0"
        self.kiosk = Kiosk(self.arbiter.address, *words, *surfaces, http=http)
        self.port = int(self.kiosk.url.rstrip("/").rsplit(":", 1)[1])
        self.isRunning = True
        eventually("the kiosk's subscriptions", lambda: self._screens() is not None)
        return self.kiosk.url

    def stop(self):
        if self.kiosk and self.isRunning:
            self.isRunning = False
            self.kiosk.stop()

    def close(self):
        self.stop()
        self.bus.close()
        self.arbiter.stop()
        shutil.rmtree(self.directory)
        assert self.bus.refusals == []

    def restart(self):
        self.stop()
        self.start(self.surfaces, **self.options)

    def show(self, surface, key, priority=1, presentation=None, params=None, data=None, display_ms=None):
        sources = []
        for name, rows in (data or {}).items():
            self.bus.rows[name] = [{field: value for field, value in row.items() if field != "selected"} for row in rows]
            if name not in self.provided:
                self.provided.add(name)
                self.bus.ask("provide", name=name)
            sources.append({"name": name, "selected": [row["id"] for row in rows if row["selected"]]})
        alert = {"surface": surface, "key": key, "priority": priority, "intercept": False, "params": params or {}}
        for name, value in (("presentation", presentation), ("sources", sources), ("display_ms", display_ms)):
            if value:
                alert[name] = value
        self.alerts[surface, key] = alert
        if not self.waits:
            return self.bus.tell("raise", **alert)
        instance = self.bus.ask("raise", **alert)["instance"]
        eventually("the alert's show", lambda: any(shown == key for shown, _ in self.bus.stacks.get(surface, [])))
        return instance

    def update(self, surface, key, **changes):
        self._tell("update", surface=surface, key=key, **changes)

    def hide(self, surface, key, reason="withdrawn"):
        if reason == "answered":
            return eventually("the alert's end", lambda: all(shown != key for shown, _ in self.bus.stacks.get(surface, [])))
        self.withdrawn.add((surface, key))
        self._tell("withdraw", surface=surface, key=key)

    def _tell(self, op, **fields):
        (self.bus.ask if self.waits else self.bus.tell)(op, **fields)

    def link(self, state):
        # A process that is stopped is silent, as one that hangs is.
        self.arbiter.send(signal.SIGCONT if state == "connected" else signal.SIGSTOP)

    def next_act(self, timeout=LIMIT):
        while True:
            ended = self.bus.ended.get(timeout=timeout)
            act = self._act(ended)
            if act:
                return act

    def has_act(self):
        self.bus.ask("ping")
        while True:
            try:
                if self._act(self.bus.ended.get_nowait()):
                    return True
            except queue.Empty:
                return False

    def _act(self, ended):
        if ended["reason"] not in ("answered", "dismissed"):
            return None
        act = {name: ended[name] for name in ("surface", "instance", "revision")}
        act["kind"] = "answer" if ended["reason"] == "answered" else "dismiss"
        if "answer" in ended:
            act["answer"] = ended["answer"]
        return act

    def position(self, surface):
        return self.bus.position(surface)

    def _screens(self):
        """How far each surface is drawn, by the arbiter's own account; None before the kiosk has subscribed."""
        sessions = [s for s in self.bus.ask("list", surface="/", subscribers=True)["subscribers"] if s["scopes"] != ["/"]]
        return {screen["surface"]: screen.get("drawn", 0) for session in sessions for screen in session["screens"]} if sessions else None

    def wait_drawn(self, surface, timeout=LIMIT):
        wanted, began = self.position(surface)[1], time.monotonic()
        eventually(f"{surface} to be drawn up to {wanted}", lambda: (self._screens() or {}).get(surface, 0) >= wanted, timeout)
        return time.monotonic() - began
