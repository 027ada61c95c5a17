"""A client of the bus in a few lines, for tests: commands with replies, and the streams of every surface as they were."""

import itertools
import json
import queue
import threading
import time

import zmq

LIMIT = 15.0


class Bus:
    def __init__(self, address):
        self.context = zmq.Context()
        self.address = address
        self.changed = threading.Condition()
        self.replies, self.waited = {}, set()
        self.refusals = []
        self.ended = queue.Queue()
        self.rows = {}
        self.epoch, self.seq, self.stacks, self.history = 0, {}, {}, {}
        self.refs = itertools.count(1)
        self.outbox = self.context.socket(zmq.PUSH)
        self.outbox.bind("inproc://outbox")
        self.isOpen = True
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def close(self):
        self.isOpen = False
        self.thread.join(LIMIT)
        self.outbox.close(0)
        self.context.term()

    def send(self, op, ref=None, **fields):
        self.outbox.send(json.dumps({"v": 1, "op": op, **({"ref": ref} if ref else {}), **fields}).encode())

    def ask(self, op, **fields):
        """Waits for the reply, and takes no refusal."""
        reply = self.try_ask(op, **fields)
        assert reply["op"] != "refused", reply
        return reply

    def try_ask(self, op, **fields):
        ref = next(self.refs)
        with self.changed:
            self.waited.add(ref)
        self.send(op, ref, **fields)
        with self.changed:
            assert self.changed.wait_for(lambda: ref in self.replies, LIMIT), f"no reply to {op}"
            return self.replies.pop(ref)

    def tell(self, op, **fields):
        """Does not wait; what is refused stands in `refusals` later."""
        self.send(op, next(self.refs), **fields)

    def position(self, surface):
        """Where the stream stands after everything that was sent."""
        self.ask("ping")
        with self.changed:
            return self.epoch, self.seq.get(surface, 0)

    # The thread that owns the socket

    def _run(self):
        socket = self.context.socket(zmq.DEALER)
        socket.setsockopt(zmq.LINGER, 0)
        socket.connect(self.address)
        outgoing = self.context.socket(zmq.PULL)
        outgoing.connect("inproc://outbox")
        poller = zmq.Poller()
        poller.register(socket, zmq.POLLIN)
        poller.register(outgoing, zmq.POLLIN)
        self._say(socket, op="subscribe", ref="all", surface="/")
        pinged = time.monotonic()
        while self.isOpen:
            ready = dict(poller.poll(100))
            if outgoing in ready:
                socket.send(outgoing.recv())
            if socket in ready:
                self._hear(socket, json.loads(socket.recv()))
            if time.monotonic() - pinged > 1:
                pinged = time.monotonic()
                self._say(socket, op="ping")
        socket.close(0)
        outgoing.close(0)

    def _say(self, socket, **message):
        socket.send(json.dumps({"v": 1, **message}).encode())

    def _hear(self, socket, message):
        op, ref = message["op"], message.get("ref")
        with self.changed:
            if op in ("show", "update", "hide"):
                self._apply(message)
            elif op == "snapshot":
                self.epoch = message["epoch"]
                for part in message["surfaces"]:
                    self._record(part["surface"], part["seq"], [(a["key"], a["revision"]) for a in part["shown"]])
            elif op == "event" and message["event"] == "ended":
                self.ended.put(message)
            elif op == "load":
                self._say(socket, op="loaded", load=message["load"], rows=self.rows[message["name"]])
            elif op == "refused" and ref not in self.waited:
                self.refusals.append(message)
            if ref in self.waited:
                self.waited.discard(ref)
                self.replies[ref] = message
            self.changed.notify_all()

    def _apply(self, message):
        surface, seq = message["surface"], message["seq"]
        if message["epoch"] == self.epoch and seq <= self.seq.get(surface, 0):
            return
        stack = list(self.stacks.get(surface, []))
        if message["op"] == "hide":
            stack = [(key, revision) for key, revision in stack if key != message["key"]]
        else:
            alert = message["alert"]
            if message["op"] == "show":
                stack.append((alert["key"], alert["revision"]))
            else:
                stack = [(key, alert["revision"] if key == alert["key"] else revision) for key, revision in stack]
        self._record(surface, seq, stack)

    def _record(self, surface, seq, stack):
        self.seq[surface] = seq
        self.stacks[surface] = stack
        self.history.setdefault(surface, {})[seq] = stack
