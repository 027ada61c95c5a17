"""Producers ask, the arbiter decides, screens and observers see the same order."""

import tempfile
import time
import unittest

import zmq

from bus import LIMIT, Arbiter, Dealer, Observer, Requester

GAP_MS = 350


def is_op(op, key):
    return lambda message: message["op"] == op and (message.get("key") or message.get("alert", {}).get("key")) == key


def is_event(event, key):
    return lambda message: message["op"] == "event" and message["event"] == event and message["key"] == key


def told(messages, surface):
    """What a stream said of a surface: op, key and reason, in order."""
    return [
        (message["op"], message.get("key") or message["alert"]["key"], message["reason"])
        for message in messages
        if message["op"] in ("show", "update", "hide") and message["surface"] == surface
    ]


def rungs(dealer, key):
    return [(message["event"], message["reason"]) for message in dealer.unasked if message["op"] == "event" and message["key"] == key]


class Bus(unittest.TestCase):
    configuration = None

    def setUp(self):
        self.context = zmq.Context()
        self.addCleanup(self.context.term)
        self.arbiter = Arbiter(self.configuration)
        self.addCleanup(self.arbiter.stop)
        self.subscriber = self.dealer()
        reply = self.subscriber.ask("subscribe", surface="lobby/")
        self.assertEqual((reply["op"], reply["surfaces"], reply["last"]), ("snapshot", [], True))

    def opened(self, connection):
        self.addCleanup(connection.close)
        return connection

    def dealer(self):
        return self.opened(Dealer(self.context, self.arbiter.requests))

    def requester(self):
        return self.opened(Requester(self.context, self.arbiter.requests))

    def observer(self, topic, dealer):
        """A SUB that the arbiter knows: it is asked for changes until one of them arrives."""
        observer = self.opened(Observer(self.context, self.arbiter.feed, topic))
        end = time.monotonic() + LIMIT
        while not observer.messages:
            self.assertLess(time.monotonic(), end, f"the feed says nothing of {topic}")
            dealer.ask("raise", surface=topic.rstrip("/") if topic.count("/") > 1 else topic + "a", key="probe", update=True,
                       params={"at": time.monotonic_ns()})
            observer.read(0.05)
        return observer

    def accepted(self, reply, state):
        self.assertEqual((reply["op"], reply.get("state")), ("accepted", state), reply)
        return reply


class MainJob(Bus):
    def test_everyone_sees_the_same_order(self):
        producer, script, operator = self.dealer(), self.requester(), self.dealer()
        wide = self.observer("lobby/", operator)
        narrow = self.observer("lobby/a/", operator)
        operator.ask("withdraw", surface="lobby/a", key="probe")
        is_end = is_op("hide", "probe")
        for stream in (wide, narrow):
            stream.wait_for(is_end, "end of the probe")
        self.subscriber.wait_for(is_end, "end of the probe")
        start = next(message["seq"] for message in wide.messages if is_end(message))

        # A low one is shown; another waits, asked for by a REQ; one that may not be intercepted covers.
        tea = self.accepted(producer.ask("raise", surface="lobby/a", key="tea"), "shown")
        cake = self.accepted(script.ask("raise", ref=1, surface="lobby/a", key="cake", producer="script"), "deferred")
        self.assertEqual((cake["ref"], cake["position"]), (1, 1))
        self.accepted(producer.ask("raise", surface="lobby/a", key="door", priority=3, intercept=False, params={"title": "Door"}), "shown")
        self.accepted(script.ask("raise", surface="lobby/b", key="elsewhere"), "shown")
        self.assertEqual(
            [(alert["key"], alert["state"]) for alert in operator.ask("list", surface="lobby/a")["alerts"]],
            [("door", "shown"), ("tea", "shown"), ("cake", "deferred")])

        # The top one goes, then the one beneath; then the gap, and one activation.
        self.assertEqual(operator.ask("dismiss", surface="lobby/a")["op"], "done")
        before = time.monotonic()
        self.assertEqual(operator.ask("dismiss", surface="lobby/a", instance=tea["instance"])["op"], "done")
        again = operator.ask("dismiss", surface="lobby/a", instance=tea["instance"])
        self.assertEqual((again["op"], again["reason"]), ("refused", "already_ended"))
        _, arrival = self.subscriber.wait_for(is_op("show", "cake"), "show of cake")
        # The arbiter counts in whole milliseconds.
        self.assertGreaterEqual((arrival - before) * 1000, GAP_MS - 1)
        status = script.ask("status", surface="lobby/a", key="cake", producer="script")
        self.assertEqual((status["op"], status["event"], status["reason"]), ("event", "shown", "dequeued"))

        expected = [
            ("show", "tea", "raised"), ("show", "door", "raised"), ("hide", "door", "dismissed"), ("hide", "tea", "dismissed"),
            ("show", "cake", "dequeued"), ("hide", "cake", "withdrawn"),
        ]
        self.assertEqual(script.ask("withdraw", surface="lobby/a", key="cake", producer="script")["op"], "done")
        for stream in (wide, narrow):
            stream.wait_for(is_op("hide", "cake"), "hide of cake")
        self.subscriber.settle()
        for stream in (self.subscriber.unasked, wide.messages, narrow.messages):
            stream = [message for message in stream if message.get("surface") == "lobby/b" or message.get("seq", 0) > start]
            self.assertEqual(told(stream, "lobby/a"), expected)
            numbers = [message["seq"] for message in stream if message["surface"] == "lobby/a"]
            self.assertEqual(numbers, list(range(start + 1, start + 1 + len(expected))))
        self.assertEqual(told(wide.messages, "lobby/b"), [("show", "elsewhere", "raised")])
        self.assertEqual(told(narrow.messages, "lobby/b"), [])

        # Receipts: what `accepted` said is not said again, and there is exactly one end.
        producer.settle()
        self.assertEqual(rungs(producer, "tea"), [("ended", "dismissed")])
        self.assertEqual(rungs(producer, "door"), [("ended", "dismissed")])

    def test_nothing_is_shown_in_the_gap(self):
        producer, operator = self.dealer(), self.requester()
        self.accepted(producer.ask("raise", surface="lobby/a", key="first"), "shown")
        self.accepted(producer.ask("raise", surface="lobby/a", key="second"), "deferred")
        before = time.monotonic()
        self.assertEqual(operator.ask("dismiss", surface="lobby/a")["op"], "done")
        self.accepted(producer.ask("raise", surface="lobby/a", key="third", priority=2), "deferred")
        _, arrival = self.subscriber.wait_for(is_op("show", "third"), "show of third")
        self.assertGreaterEqual((arrival - before) * 1000, GAP_MS - 1)
        producer.wait_for(is_event("shown", "third"), "receipt of third")
        self.subscriber.settle()
        self.assertEqual(
            told(self.subscriber.unasked, "lobby/a"),
            [("show", "first", "raised"), ("hide", "first", "dismissed"), ("show", "third", "dequeued")])

    def test_the_answer_reaches_who_asked(self):
        producer, person = self.dealer(), self.requester()
        self.accepted(producer.ask("raise", surface="lobby/a", key="door", producer="gate"), "shown")
        answer = {"button": "open", "note": "ünïcode \u0000 too"}
        self.assertEqual(person.ask("answer", surface="lobby/a", key="door", answer=answer)["op"], "done")
        ended, _ = producer.wait_for(is_event("ended", "door"), "end of door")
        self.assertEqual((ended["reason"], ended["answer"]), ("answered", answer))

    def test_the_same_again_is_shown_once(self):
        producer = self.dealer()
        first = producer.ask("raise", surface="lobby/a", key="door", priority=2)
        again = producer.ask("raise", surface="lobby/a", key="door", priority=2)
        self.assertEqual((again["op"], again["instance"]), ("accepted", first["instance"]))
        other = producer.ask("raise", surface="lobby/a", key="door", priority=3)
        self.assertEqual((other["op"], other["reason"]), ("refused", "duplicate"))
        self.subscriber.settle()
        self.assertEqual(told(self.subscriber.unasked, "lobby/a"), [("show", "door", "raised")])

    def test_a_late_screen_gets_what_is_shown(self):
        producer = self.dealer()
        self.accepted(producer.ask("raise", surface="lobby/a", key="door", params={"title": "Open"}), "shown")
        late = self.dealer().ask("subscribe", surface="lobby/a")
        [surface] = late["surfaces"]
        self.assertEqual((surface["surface"], surface["seq"]), ("lobby/a", 1))
        self.assertEqual([(alert["key"], alert["params"]) for alert in surface["shown"]], [("door", {"title": "Open"})])

    def test_two_producers_with_one_key_stay_apart(self):
        one, two, operator = self.dealer(), self.dealer(), self.requester()
        first = one.ask("raise", surface="lobby/a", key="door", producer="one")
        second = two.ask("raise", surface="lobby/a", key="door", producer="two")
        self.assertNotEqual(first["instance"], second["instance"])
        refused = operator.ask("dismiss", surface="lobby/a", key="door")
        self.assertEqual((refused["reason"], sorted(refused["instances"])), ("unknown_alert", [first["instance"], second["instance"]]))
        two.ask("withdraw", surface="lobby/a", key="door", producer="two")
        two.wait_for(is_event("ended", "door"), "end of the second door")
        one.settle()
        self.assertEqual(rungs(one, "door"), [])
        self.assertEqual(rungs(two, "door"), [("ended", "withdrawn")])


class Covered(Bus):
    """A surface whose covered alerts leave the screen and come back."""

    def setUp(self):
        file = tempfile.NamedTemporaryFile("w", suffix=".toml")
        self.addCleanup(file.close)
        file.write('[[policy]]\nsurfaces = "lobby/**"\ncovered = "hide"\n')
        file.flush()
        self.configuration = file.name
        super().setUp()

    def test_a_covered_alert_is_hidden_and_resumes(self):
        producer, operator = self.dealer(), self.requester()
        self.accepted(producer.ask("raise", surface="lobby/a", key="tea"), "shown")
        self.accepted(producer.ask("raise", surface="lobby/a", key="door", intercept=False), "shown")
        producer.wait_for(is_event("covered", "tea"), "receipt covered")
        self.assertEqual(operator.ask("dismiss", surface="lobby/a")["op"], "done")
        producer.wait_for(is_event("resumed", "tea"), "receipt resumed")
        self.assertEqual(operator.ask("dismiss", surface="lobby/a", key="tea")["op"], "done")
        producer.wait_for(is_event("ended", "tea"), "end of tea")
        self.subscriber.settle()
        self.assertEqual(
            told(self.subscriber.unasked, "lobby/a"),
            [("show", "tea", "raised"), ("hide", "tea", "covered"), ("show", "door", "raised"), ("hide", "door", "dismissed"),
             ("show", "tea", "resumed"), ("hide", "tea", "dismissed")])
        self.assertEqual(
            [event for event, _ in rungs(producer, "tea")], ["covered", "resumed", "ended"])


if __name__ == "__main__":
    unittest.main()
