#!/usr/bin/env python3
"""Asks a person something, and prints the answer: producer.py [SURFACE [TITLE]]

Needs pyzmq. Over restarts of the arbiter too: what was not answered is simply sent again.
"""
import json
import os
import sys
import time

import zmq

surface = sys.argv[1] if len(sys.argv) > 1 else "lobby/kiosk-1/modal"
title = sys.argv[2] if len(sys.argv) > 2 else "Shall the door stay open?"
bus = zmq.Context().socket(zmq.DEALER)
for option, value in ((zmq.IMMEDIATE, 1), (zmq.LINGER, 0), (zmq.HEARTBEAT_IVL, 1000), (zmq.HEARTBEAT_TIMEOUT, 3000)):
    bus.setsockopt(option, value)
bus.connect(os.environ.get("ALERTBUS_REQUESTS", "tcp://127.0.0.1:5570"))

name = {"v": 1, "surface": surface, "key": f"question-{os.getpid()}-{time.time_ns()}"}
# Sent twice it is still one alert, as long as it is the same.
ask = {**name, "op": "raise", "priority": 2, "ttl_ms": 300_000, "params": {"title": title, "actions": [
    {"id": "yes", "label": "Yes", "style": "primary"}, {"id": "no", "label": "No"}]}}
# Tells where it stands, and attaches this connection to what follows.
status = {**name, "op": "status", "ref": "status"}

wanted = ask
while True:
    try:
        bus.send_json(wanted, zmq.NOBLOCK)
    except zmq.Again:
        pass  # Nobody is there yet.
    end = time.monotonic() + 1
    while bus.poll(max(0, end - time.monotonic()) * 1000):
        reply = bus.recv_json()
        if reply["op"] == "accepted":
            wanted = status
        elif reply["op"] == "refused":
            sys.exit(f"refused, {reply['reason']}: {reply['message']}")
        elif reply["op"] == "event" and reply["event"] == "ended":
            print(json.dumps(reply["answer"]) if "answer" in reply else reply["reason"])
            sys.exit(0 if reply["reason"] in ("answered", "dismissed") else 1)
