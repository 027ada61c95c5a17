#!/usr/bin/env python3
"""Prints what is shown on a surface, or on all below a path, and loses nothing: subscriber.py [SCOPE]

Needs pyzmq. There is one way to recover, and it is the one used at the start: subscribe, take the snapshot, follow.
"""
import json
import os
import sys
import time

import zmq


class Screens:
    def __init__(self, scope, address):
        self.scope = scope
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        # Nothing is queued for nobody, and a peer that is gone without a word is noticed.
        for option, value in ((zmq.IMMEDIATE, 1), (zmq.LINGER, 0), (zmq.HEARTBEAT_IVL, 1000), (zmq.HEARTBEAT_TIMEOUT, 3000)):
            self.socket.setsockopt(option, value)
        self.socket.connect(address)
        self.session = self.epoch = self.awaited = None
        self.asked = 0
        self.seq, self.shown, self.promised = {}, {}, {}

    def say(self, op, **fields):
        try:
            self.socket.send_json({"v": 1, "op": op, **fields}, zmq.NOBLOCK)
        except zmq.Again:
            pass  # Nobody is there; the next pong will tell what has to be said again.

    def subscribe(self):
        self.asked += 1
        self.awaited, self.parts = f"s{self.asked}", {}
        self.say("subscribe", ref=self.awaited, surface=self.scope)

    def hear(self, message):
        """Returns the surfaces whose screen is another one now."""
        op = message["op"]
        if op == "pong":
            if (message["session"], message["epoch"]) != self.session:
                self.session = message["session"], message["epoch"]  # A new connection, or a new arbiter.
                self.promised = {}
                self.subscribe()
            elif self.awaited is None and any(self.seq.get(name, 0) < seq for name, seq in self.promised.items()):
                self.subscribe()  # The pong before this one spoke of messages that have not come.
            self.promised = message["surfaces"]
        elif op == "snapshot" and "ref" not in message and self.awaited is None:
            self.awaited, self.parts = "", {}  # The arbiter begins again by itself: this was too slow.
        if op == "snapshot" and message.get("ref", "") == self.awaited:
            self.parts.update({part["surface"]: part for part in message["surfaces"]})
            if message["last"]:
                return self.replace(message["epoch"])
        if op == "refused" and message.get("ref") == self.awaited:
            sys.exit(f"refused, {message['reason']}: {message['message']}")
        if op in ("show", "update", "hide") and self.awaited is None:
            return self.apply(op, message)
        return []

    def replace(self, epoch):
        names = {*self.shown, *self.parts}
        self.shown = {name: {alert["instance"]: alert for alert in part["shown"]} for name, part in self.parts.items()}
        self.seq = {name: part["seq"] for name, part in self.parts.items()}
        self.epoch, self.awaited = epoch, None
        return sorted(names)

    def apply(self, op, message):
        name, known = message["surface"], self.seq.get(message["surface"], 0)
        if message["epoch"] == self.epoch and message["seq"] <= known:
            return []  # The snapshot contained it.
        if message["epoch"] != self.epoch or message["seq"] != known + 1:
            self.subscribe()
            return []
        self.seq[name] = message["seq"]
        alerts = self.shown.setdefault(name, {})
        if op == "hide":
            del alerts[message["instance"]]
        else:
            alerts[message["alert"]["instance"]] = message["alert"]  # A dict keeps its order: a show goes on top.
        return [name]

    def follow(self, draw):
        pinged = 0.0
        heard, is_lost = time.monotonic(), False
        while True:
            if time.monotonic() - pinged >= 1:
                pinged = time.monotonic()
                self.say("ping")
            if not is_lost and time.monotonic() - heard > 3:
                is_lost = True
                print("bus lost: this is the last known screen", file=sys.stderr, flush=True)
            if not self.socket.poll(100):
                continue
            for name in self.hear(self.socket.recv_json()):
                draw(name, list(self.shown.get(name, {}).values()))
                self.say("drawn", surface=name, epoch=self.epoch, seq=self.seq.get(name, 0))
            heard, is_lost = time.monotonic(), False


def draw(name, alerts):
    print(name, json.dumps([alert.get("params", {}).get("title", alert["key"]) for alert in alerts], ensure_ascii=False), flush=True)


if __name__ == "__main__":
    address = os.environ.get("ALERTBUS_REQUESTS", "tcp://127.0.0.1:5570")
    try:
        Screens(sys.argv[1] if len(sys.argv) > 1 else "lobby/", address).follow(draw)
    except KeyboardInterrupt:
        pass
