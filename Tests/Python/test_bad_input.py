"""Each kind of wrong message is refused with its place, and the arbiter serves on."""

import json
import unittest

import zmq

from bus import LIMIT, Arbiter, Dealer, Requester

GOOD = {"v": 1, "op": "raise", "ref": "x", "surface": "lobby/a", "key": "door"}


def raised(**fields):
    return json.dumps({**GOOD, **fields}).encode()


def without(field):
    return json.dumps({name: value for name, value in GOOD.items() if name != field}).encode()


def text(value):
    return value.encode()


MEBIBYTE = 1 << 20
MALFORMED, UNSUPPORTED = "malformed", "unsupported"

# name: frames, reason, place
CASES = {
    # Not JSON.
    "words": ([b"show the door"], MALFORMED, "byte 0"),
    "empty_frame": ([b""], MALFORMED, "byte 0"),
    "white_space": ([b" \n"], MALFORMED, "byte 2"),
    "cut_off": ([raised()[:-1]], MALFORMED, "byte"),
    "comma_too_many": ([b'{"v":1,"op":"ping",}'], MALFORMED, "byte 19"),
    "something_behind": ([b'{"v":1,"op":"ping"} {}'], MALFORMED, "byte 20"),
    "byte_order_mark": ([b"\xef\xbb\xbf" + raised()], MALFORMED, "byte 0"),
    "not_a_number": ([b'{"v":1,"op":"raise","surface":"a","key":"b","params":{"x":NaN}}'], MALFORMED, "byte 58"),
    "invalid_utf8": ([b'{"v":1,"op":"raise","surface":"a","key":"\xff\xfe"}'], MALFORMED, "byte 41"),
    "half_a_surrogate": ([rb'{"v":1,"op":"raise","surface":"a","key":"\ud800"}'], MALFORMED, "byte 41"),
    "control_in_text": ([b'{"v":1,"op":"raise","surface":"a","key":"a\nb"}'], MALFORMED, "byte 42"),
    "zeroes": ([bytes(64)], MALFORMED, "byte 0"),
    # JSON, but no message.
    "array": ([b"[1]"], MALFORMED, "object"),
    "number": ([b"1"], MALFORMED, "object"),
    "nothing_in_it": ([b"{}"], MALFORMED, "v: "),
    "version_missing": ([without("v")], MALFORMED, "v: "),
    "version_is_text": ([raised(v="1")], MALFORMED, "v: "),
    "other_version": ([raised(v=2)], UNSUPPORTED, "v: "),
    "op_missing": ([without("op")], MALFORMED, "op: "),
    "op_is_a_number": ([raised(op=7)], MALFORMED, "op: "),
    "unknown_op": ([raised(op="explode")], UNSUPPORTED, "explode"),
    # Wrong, missing and impossible fields.
    "surface_missing": ([without("surface")], MALFORMED, "surface: "),
    "key_missing": ([without("key")], MALFORMED, "key: "),
    "key_is_a_number": ([raised(key=5)], MALFORMED, "key: "),
    "key_is_null": ([raised(key=None)], MALFORMED, "key: "),
    "surface_is_a_list": ([raised(surface=["a"])], MALFORMED, "surface: "),
    "surface_empty": ([raised(surface="")], MALFORMED, "surface: "),
    "key_empty": ([raised(key="")], MALFORMED, "key: "),
    "surface_too_long": ([raised(surface="a" * 256)], MALFORMED, "surface: "),
    "key_too_long": ([raised(key="a" * 256)], MALFORMED, "key: "),
    "key_too_long_in_bytes": ([raised(key="ü" * 128)], MALFORMED, "key: "),
    "surface_with_control": ([raised(surface="a\u0007b")], MALFORMED, "surface: "),
    "key_with_control": ([raised(key="a\u0000b")], MALFORMED, "key: "),
    "key_with_late_control": ([raised(key="a\u0085b")], MALFORMED, "key: "),
    "surface_with_empty_segment": ([raised(surface="a//b")], MALFORMED, "surface: "),
    "surface_is_a_scope": ([raised(surface="lobby/")], MALFORMED, "surface: "),
    "producer_is_a_number": ([raised(producer=1)], MALFORMED, "producer: "),
    "priority_is_text": ([raised(priority="high")], MALFORMED, "priority: "),
    "priority_too_high": ([raised(priority=256)], MALFORMED, "priority: "),
    "priority_negative": ([raised(priority=-1)], MALFORMED, "priority: "),
    "priority_broken": ([raised(priority=1.5)], MALFORMED, "priority: "),
    "priority_very_long": ([text('{"v":1,"op":"raise","surface":"a","key":"b","priority":' + "9" * 100 + "}")], MALFORMED, "priority: "),
    "intercept_is_a_number": ([raised(intercept=1)], MALFORMED, "intercept: "),
    "ttl_zero": ([raised(ttl_ms=0)], MALFORMED, "ttl_ms: "),
    "ttl_negative": ([raised(ttl_ms=-5)], MALFORMED, "ttl_ms: "),
    "ttl_longer_than_a_year": ([raised(ttl_ms=31_536_000_001)], MALFORMED, "ttl_ms: "),
    "ttl_beyond_64_bits": ([raised(ttl_ms=1 << 64)], MALFORMED, "ttl_ms: "),
    "number_beyond_a_double": ([b'{"v":1,"op":"raise","surface":"a","key":"b","params":{"x":1e400}}'], MALFORMED, "byte"),
    "number_too_long": ([text('{"v":1,"op":"raise","surface":"a","key":"b","params":{"x":' + "1" * 200 + "}}")], MALFORMED, "byte"),
    "params_is_a_list": ([raised(params=[])], MALFORMED, "params: "),
    "owner_loss_unknown": ([raised(on_owner_loss="explode")], MALFORMED, "on_owner_loss: "),
    "sources_is_an_object": ([raised(sources={})], MALFORMED, "sources: "),
    "source_without_name": ([raised(sources=[{"name": "a"}, {"request": 1}])], MALFORMED, "sources/1/name: "),
    "source_twice": ([raised(sources=[{"name": "a"}, {"name": "a"}])], MALFORMED, "sources/1"),
    "selected_is_no_id": ([raised(sources=[{"name": "a", "selected": [{}]}])], MALFORMED, "sources/0/selected/0: "),
    "ref_too_long": ([raised(ref="r" * 200)], MALFORMED, "ref: "),
    "ref_is_an_object": ([raised(ref={})], MALFORMED, "ref: "),
    # Sizes.
    "deep_nesting": ([text('{"v":1,"op":"raise","surface":"a","key":"b","params":' + '{"x":' * 64 + "1" + "}" * 65)], MALFORMED, "byte"),
    "very_deep_nesting": ([text('{"v":1,"op":"ping","x":' + "[" * 100_000 + "]" * 100_000 + "}")], MALFORMED, "byte"),
    "endless_nesting": ([b"[" * 500_000], MALFORMED, "byte"),
    "two_mebibytes": ([raised(params={"x": "a" * (2 * MEBIBYTE)})], MALFORMED, "bytes"),
    # Frames.
    "two_frames": ([raised(), b"more"], MALFORMED, "frames"),
    "many_frames": ([raised()] + [b""] * 7, MALFORMED, "frames"),
    "envelope_and_two_frames": ([b"", raised(), b"more"], MALFORMED, "frames"),
    "envelope_alone": ([b"", b""], MALFORMED, "byte 0"),
}


class BadInput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.context = zmq.Context()
        cls.arbiter = Arbiter()

    @classmethod
    def tearDownClass(cls):
        try:
            # None of all that was accepted as anything.
            requester = Requester(cls.context, cls.arbiter.requests)
            alerts = requester.ask("list", surface="/")["alerts"]
            requester.close()
            assert alerts == [], alerts
        finally:
            cls.context.destroy(0)
            cls.arbiter.stop()

    def dealer(self):
        dealer = Dealer(self.context, self.arbiter.requests)
        self.addCleanup(dealer.close)
        return dealer

    def check_refusal(self, frames, reason, place):
        dealer = self.dealer()
        dealer.send(*frames)
        reply = dealer.frames(LIMIT)
        self.assertIsNotNone(reply, "no reply")
        refused = json.loads(reply[-1])
        self.assertEqual((refused["v"], refused["op"], refused["reason"]), (1, "refused", reason), refused)
        self.assertIn(place, refused["message"])
        self.assertGreater(len(refused["message"]), len(place) + 5, "no sentence")
        self.assertLess(len(refused["message"]), 1000)
        # The same connection and another one are served on.
        self.assertEqual(dealer.ask("ping")["op"], "pong")
        self.assertEqual(dealer.unasked, [])
        self.assertEqual(self.dealer().ask("ping")["op"], "pong")

    def test_a_refusal_repeats_the_ref(self):
        dealer = self.dealer()
        reply = dealer.ask("raise", surface="lobby/a", key="")
        self.assertEqual((reply["op"], reply["reason"]), ("refused", "malformed"))

    def test_a_requester_gets_refusals_too(self):
        requester = Requester(self.context, self.arbiter.requests)
        self.addCleanup(requester.close)
        self.assertEqual(requester.ask("raise", surface="", key="k")["reason"], "malformed")
        self.assertEqual(requester.ask("ping")["op"], "pong")

    def test_above_four_times_the_size_the_connection_ends(self):
        dealer = self.dealer()
        dealer.send(raised(params={"x": "a" * (5 * MEBIBYTE)}))
        self.assertEqual(self.dealer().ask("ping")["op"], "pong")
        self.assertIsNone(dealer.frames(0.2), "a message above the hard limit was replied to")


def _add(name, case):
    def test(self):
        self.check_refusal(*case)

    setattr(BadInput, f"test_{name}", test)


for _name, _case in CASES.items():
    _add(_name, _case)


if __name__ == "__main__":
    unittest.main()
