"""A client of the arbiter written from the protocol page alone, and an arbiter to try it on.

Nothing here waits without a limit: every receive has a deadline, and passing it is a failure.
"""

import json
import os
import select
import subprocess
import time
from pathlib import Path

import zmq

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 20.0


class Arbiter:
    """The built arbiter in a process of its own, on ports that the system chose."""

    def __init__(self, configuration=None):
        binary = os.environ.get("ALERTBUS", str(ROOT / ".build/debug/alertbus"))
        command = [binary, "arbiter", "--requests", "tcp://127.0.0.1:*", "--feed", "tcp://127.0.0.1:*", "--journal", "memory", "--json"]
        environment = {name: value for name, value in os.environ.items() if name != "ALERTBUS_REQUESTS"}
        environment["SWIFT_BACKTRACE"] = "enable=no"
        if configuration:
            command += ["--config", str(configuration)]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment)
        try:
            ready = json.loads(self._first_line())
        except BaseException:
            self.process.kill()
            self.process.wait(LIMIT)
            raise
        self.requests, self.feed = ready["requests"], ready["feed"]

    def _first_line(self):
        line, end = b"", time.monotonic() + LIMIT
        while not line.endswith(b"\n"):
            left = end - time.monotonic()
            assert left > 0 and select.select([self.process.stdout], [], [], left)[0], f"the arbiter is not ready after {LIMIT} s"
            part = os.read(self.process.stdout.fileno(), 4096)
            assert part, f"the arbiter ended with {self.process.wait(LIMIT)} before it was ready"
            line += part
        return line

    def stop(self):
        """Ends it as an operator would; it must obey within the limit and end well."""
        self.process.terminate()
        try:
            code = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(LIMIT)
            raise AssertionError(f"the arbiter did not end within {LIMIT} s of SIGTERM")
        finally:
            self.process.stdout.close()
        assert code == 0, f"the arbiter ended with {code}"


class Connection:
    """A ZeroMQ socket whose receives have deadlines."""

    def __init__(self, context, kind, address, topics=()):
        self.socket = context.socket(kind)
        self.socket.setsockopt(zmq.LINGER, 0)
        if kind == zmq.SUB:
            self.socket.setsockopt(zmq.SNDHWM, 0)
            self.socket.setsockopt(zmq.RCVHWM, 0)
        else:
            self.socket.setsockopt(zmq.IMMEDIATE, 1)
            self.socket.setsockopt(zmq.SNDTIMEO, int(LIMIT * 1000))
        for topic in topics:
            self.socket.subscribe(topic)
        self.socket.connect(address)

    def close(self):
        self.socket.close(0)

    def frames(self, seconds):
        """The frames of the next message, or None when none comes in time."""
        if not self.socket.poll(max(0, int(seconds * 1000))):
            return None
        return self.socket.recv_multipart()


class Requester(Connection):
    """A REQ socket: one request, one reply."""

    def __init__(self, context, address):
        super().__init__(context, zmq.REQ, address)

    def ask(self, op, **fields):
        self.socket.send(json.dumps({"v": 1, "op": op, **fields}).encode())
        frames = self.frames(LIMIT)
        assert frames is not None, f"no reply to {op} within {LIMIT} s"
        assert len(frames) == 1, f"{len(frames)} frames"
        return json.loads(frames[0])


class Dealer(Connection):
    """A DEALER socket: replies find their request by `ref`, the rest is kept in the order in which it came."""

    def __init__(self, context, address):
        super().__init__(context, zmq.DEALER, address)
        self.unasked = []
        self.asked = 0

    def send(self, *frames):
        self.socket.send_multipart(list(frames))

    def receive(self, seconds):
        frames = self.frames(seconds)
        if frames is None:
            return None
        assert len(frames) == 1, f"{len(frames)} frames"
        message = json.loads(frames[0])
        assert message["v"] == 1, message
        return message

    def ask(self, op, **fields):
        self.asked += 1
        ref = f"r{self.asked}"
        self.send(json.dumps({"v": 1, "op": op, "ref": ref, **fields}).encode())
        end = time.monotonic() + LIMIT
        while True:
            message = self.receive(end - time.monotonic())
            assert message is not None, f"no reply to {op} within {LIMIT} s"
            if message.get("ref") == ref:
                return message
            self.unasked.append(message)

    def settle(self):
        """When this returns, everything that was sent before is in `unasked`: the arbiter keeps the order."""
        return self.ask("ping")

    def wait_for(self, condition, what):
        """Reads until a message satisfies the condition; returns it and the time of its arrival."""
        for message in self.unasked:
            if condition(message):
                return message, time.monotonic()
        end = time.monotonic() + LIMIT
        while True:
            message = self.receive(end - time.monotonic())
            assert message is not None, f"no {what} within {LIMIT} s; came: {self.unasked}"
            self.unasked.append(message)
            if condition(message):
                return message, time.monotonic()


class Observer(Connection):
    """A SUB socket on the feed."""

    def __init__(self, context, address, topic):
        super().__init__(context, zmq.SUB, address, [topic])
        self.messages = []

    def read(self, seconds):
        """Keeps the next message unless it is a beat; false when none comes in time."""
        frames = self.frames(seconds)
        if frames is None:
            return False
        assert len(frames) == 2, f"{len(frames)} frames"
        message = json.loads(frames[1])
        assert frames[0].decode() == message["surface"] + "/", frames
        if message["op"] != "beat":
            self.messages.append(message)
        return True

    def wait_for(self, condition, what):
        end = time.monotonic() + LIMIT
        while not any(condition(message) for message in self.messages):
            assert self.read(end - time.monotonic()), f"no {what} on the feed within {LIMIT} s; came: {self.messages}"
