"""`alertbus watch --screen` in a real terminal."""

import json
import os
import signal
import subprocess
import time

import pytest

from processes import ALERTBUS, Arbiter, eventually
from tmux import Tmux, guard

MODAL, BANNER = "lobby/kiosk-1/modal", "lobby/kiosk-1/banner"


def width_of(text):
    """Columns, as far as these tests need it."""
    return sum(2 if ord(character) > 0x2E80 and not 0xE000 <= ord(character) < 0xF900 else 1 for character in text)


def test_raise_cover_come_back_answer(site):
    bus = site.bus()
    bus.rows["regions"] = [{"id": 1, "name": "North"}, {"id": 2, "name": "South"}, {"id": 9007199254740993, "name": "Far"}]
    bus.rows["kinds"] = [{"id": f"k{n}", "name": f"Kind {n}"} for n in range(40)]
    for name in bus.rows:
        bus.ask("provide", name=name)
    terminal = site.terminal(MODAL, size=(100, 30))
    terminal.expect("nothing is shown")
    asked = site.shell.start(
        "raise", MODAL, "filter", "--title", "Where?", "--params", '{"selection":{"kinds":"single"}}', "--source", "regions",
        "--source", "kinds", "--selected", "regions=2", "--action", "apply=Show", "--wait")
    terminal.expect("[x] South")
    terminal.keys("Down", "Down", "Space")
    terminal.expect("[x] Far")
    site.shell.run("raise", MODAL, "door", "--priority", "3", "--no-intercept", "--title", "Door open", "--action", "ok=Understood")
    terminal.expect("‼ Urgent")
    terminal.expect("Where?")
    guard()
    terminal.keys("Enter")
    terminal.expect_not("Door open")
    # What was chosen is still chosen; then a search in the other list.
    terminal.expect("[x] Far")
    terminal.keys("Tab")
    terminal.type("kind 3")
    terminal.expect("/kind 3")
    terminal.keys("Down", "Enter", "Escape", "Tab")
    terminal.expect_not("/kind 3")
    terminal.expect("(•) Kind 30")
    guard()
    terminal.keys("Enter")
    output, errors = asked.communicate(timeout=20)
    assert (asked.returncode, errors) == (0, "")
    assert json.loads(output) == {"action": "apply", "selected": {"regions": [2, 9007199254740993], "kinds": ["k30"]}}
    terminal.expect("nothing is shown")


def test_text_input_with_wide_characters(site):
    terminal = site.terminal(MODAL)
    params = json.dumps({"title": "您的名字 – your name", "body": "请输入姓名。" * 20, "input": {"label": "姓名"}})
    asked = site.shell.start("raise", MODAL, "who", "--params", params, "--action", "go=好", "--wait")
    terminal.expect("姓名:")
    terminal.type("王小明x")
    terminal.keys("BSpace")
    terminal.expect("王小明")
    lines = terminal.lines()
    first = next(n for n, line in enumerate(lines) if "Notice" in line)
    last = next(n for n, line in enumerate(lines) if "╰" in line)
    assert {width_of(line) for line in lines[first:last + 1]} == {width_of(lines[first])}, terminal.text()
    guard()
    terminal.keys("Enter")
    output, _ = asked.communicate(timeout=20)
    assert json.loads(output) == {"action": "go", "text": "王小明"}


def test_too_early_is_not_an_answer(site):
    terminal = site.terminal(MODAL)
    terminal.expect("nothing is shown")
    # Keys that are typed all the time: the ones before the guard is over must not count.
    site.shell.run("raise", MODAL, "q", "--title", "Sure?", "--action", "yes=Yes")
    terminal.expect("Sure?")
    guard()
    terminal.keys("Enter")
    terminal.expect("nothing is shown")
    asked = site.shell.start("raise", MODAL, "w", "--title", "Really?", "--action", "yes=Yes", "--min-show", "200ms", "--wait")
    began = time.monotonic()
    while asked.poll() is None and time.monotonic() - began < 10:
        terminal.keys("Enter")
    assert json.loads(asked.communicate(timeout=20)[0]) == {"action": "yes"}


def test_resize(site):
    terminal = site.terminal("lobby/", size=(120, 40))
    site.shell.run("raise", MODAL, "long", "--title", "Reading room", "--body", "Books stay in the room. " * 60, "--action", "ok=Fine")
    site.shell.run("raise", BANNER, "lift", "--presentation", "banner", "--title", "Lift B rests until noon")
    terminal.expect("Lift B rests")
    for size in ((40, 14), (160, 50), (10, 4), (5, 2), (200, 12), (80, 24)):
        terminal.resize(*size)
        if size[0] >= 40:
            terminal.expect("Reading room")
            terminal.expect("Fine")
            eventually("the last line", lambda: "Ctrl-C" in terminal.lines()[-1] or size[0] < 60)
        assert all(width_of(line) <= size[0] for line in terminal.lines())
    assert "▼" in terminal.text()
    terminal.keys("PageDown")
    terminal.expect("▲")


def test_bus_lost_and_back(make_site):
    site = make_site("file")
    terminal = site.terminal(MODAL)
    asked = site.shell.start("raise", MODAL, "q", "--title", "Sure?", "--action", "yes=Yes", "--wait")
    terminal.expect("Sure?")
    site.arbiter.stop(signal.SIGKILL)
    terminal.expect("Bus lost: nothing is heard")
    guard()
    terminal.keys("Enter")
    terminal.expect("Nothing was sent")
    site.arbiter = Arbiter(site.directory, site.journal, site.address)
    terminal.expect_not("Bus lost")
    terminal.expect("Sure?")
    guard()
    terminal.keys("Enter")
    assert json.loads(asked.communicate(timeout=20)[0]) == {"action": "yes"}


def test_another_screen_answers_first(site):
    one, two = site.terminal(MODAL), site.terminal(MODAL)
    site.shell.run("raise", MODAL, "q", "--title", "Sure?", "--action", "yes=Yes")
    one.expect("Sure?")
    two.expect("Sure?")
    guard()
    one.keys("Escape")
    two.expect("nothing is shown")
    one.expect("nothing is shown")


def test_what_is_drawn_is_confirmed(site):
    bus = site.bus()
    terminal = site.terminal("lobby/")
    terminal.expect("nothing is shown")
    for n in range(3):
        bus.ask("raise", surface=MODAL, key=f"k{n}", intercept=False)
    wanted = bus.position(MODAL)[1]

    def drawn():
        sessions = bus.ask("list", surface="/", subscribers=True)["subscribers"]
        return [screen.get("drawn") for session in sessions if session["scopes"] == ["lobby/"] for screen in session["screens"]]

    eventually("the confirmation", lambda: drawn() == [wanted])
    terminal.expect("k2")


@pytest.mark.parametrize("how", ["C-c", signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_given_back(site, how):
    terminal = site.terminal(MODAL)
    site.shell.run("raise", MODAL, "pin", "--params", '{"title":"Code","input":{"label":"Code"}}')
    terminal.expect("Code:")
    assert terminal.show("alternate_on") == "1"
    if how == "C-c":
        terminal.keys("C-c")
    else:
        os.kill(terminal.pid(), how)
    terminal.expect("ended with 0")
    terminal.expect(" icanon")
    assert " echo " in terminal.text() and "-echo " not in terminal.text()
    assert (terminal.show("alternate_on"), terminal.show("cursor_flag")) == ("0", "1")


def test_texts_cannot_command_the_terminal(site):
    terminal = site.terminal(MODAL)
    params = json.dumps({"title": "\x1b[2J\x1b[31mred\x07", "body": "one\x1b]0;owned\x07\ntwo\u202e", "input": {"label": "\x9b31m"}})
    site.shell.run("raise", MODAL, "evil", "--params", params, "--action", "a=\x1b[5mblink")
    terminal.expect("[31mred")
    terminal.expect("two")
    assert terminal.show("pane_title") != "owned"
    assert "\x1b[5m" not in terminal.styled()


def test_without_a_terminal():
    done = subprocess.run([ALERTBUS, "watch", MODAL, "--screen"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=20)
    assert done.returncode == 1 and "this is none" in done.stderr
    for other in ("--json", "--feed=tcp://127.0.0.1:1"):
        done = subprocess.run([ALERTBUS, "watch", MODAL, "--screen", other], capture_output=True, text=True, timeout=20)
        assert done.returncode == 2, done.stderr


def test_an_unknown_terminal(site):
    terminal = site.terminal(MODAL, environment={"TERM": "nothing-known"})
    terminal.expect("is not known here")
    terminal.expect("ended with 1")


def test_nobody_answers():
    terminal = Tmux("watch", MODAL, "--screen", "--timeout", "1s", address="tcp://127.0.0.1:9")
    try:
        terminal.expect("ended with 3")
    finally:
        terminal.close()


def test_five_hundred_changes_a_second(site):
    bus = site.bus()
    terminal = site.terminal("lobby/", size=(100, 40))
    terminal.expect("nothing is shown")
    bus.ask("raise", surface=MODAL, key="steady", params={"title": "Steady"})
    began = time.monotonic()
    for n in range(1500):
        pause = began + n / 500 - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        bus.tell("update", surface=MODAL, key="steady", params={"title": f"Steady {n}", "progress": n / 1500})
    bus.position(MODAL)
    began = time.monotonic()
    terminal.expect("Steady 1499")
    assert time.monotonic() - began < 1
    assert bus.refusals == []


def test_a_terminal_that_has_gone_ends_the_program(site):
    """Without a controlling terminal no signal tells of it; the program must not go on, and not spin."""
    master, slave = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "ALERTBUS_REQUESTS": site.arbiter.address}
    watch = subprocess.Popen([ALERTBUS, "watch", MODAL, "--screen"], stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    assert os.read(master, 4096)
    os.close(master)
    assert watch.wait(10) is not None
