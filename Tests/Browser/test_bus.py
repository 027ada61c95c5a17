"""Everything together: an arbiter, a kiosk, commands typed in a shell, and a browser in front of it."""

import json
import os
import random
import signal
import time

import pytest
from playwright.sync_api import expect

from processes import Arbiter, eventually
from test_behaviour import settle, titles, top

MODAL, BANNER, HIDING = "lobby/kiosk-1/modal", "lobby/kiosk-1/banner", "lobby/kiosk-1/hiding"


def test_raise_cover_come_back_answer(site, open_page):
    """The whole story, typed in a shell: `raise --wait` prints what the person chose."""
    bus = site.bus()
    bus.rows["regions"] = [{"id": 1, "name": "North"}, {"id": 2, "name": "South"}, {"id": 9007199254740993, "name": "Far"}]
    bus.ask("provide", name="regions")
    page = open_page(site.kiosk(MODAL, "--title", "Lobby").url)
    asked = site.shell.start(
        "raise", MODAL, "filter", "--title", "Where?", "--source", "regions", "--selected", "regions=2",
        "--action", "apply=Show", "--wait")
    expect(top(page).locator(".title")).to_have_text("Where?")
    expect(page.get_by_label("South")).to_be_checked()
    page.get_by_label("Far").check()

    site.shell.run("raise", MODAL, "door", "--priority", "3", "--no-intercept", "--title", "Door open", "--action", "ok=Understood")
    expect(top(page).locator(".title")).to_have_text("Door open")
    assert titles(page) == ["Where?", "Door open"]
    expect(page.locator('[data-key="filter"]')).to_have_attribute("inert", "")
    settle(page)
    page.get_by_role("button", name="Understood").click()

    expect(top(page).locator(".title")).to_have_text("Where?")
    expect(page.get_by_label("Far")).to_be_checked()
    settle(page)
    page.get_by_role("button", name="Show").click()
    output, errors = asked.communicate(timeout=20)
    assert (asked.returncode, errors) == (0, "")
    assert json.loads(output) == {"action": "apply", "selected": {"regions": [2, 9007199254740993]}}
    expect(page.locator("#stage .alert")).to_have_count(0)


def test_covered_and_hidden_comes_back(site, open_page):
    page = open_page(site.kiosk(HIDING).url)
    site.shell.run("raise", HIDING, "low", "--title", "Low")
    expect(top(page).locator(".title")).to_have_text("Low")
    site.shell.run("raise", HIDING, "high", "--priority", "3", "--title", "High")
    expect(page.locator("#stage .alert:not(.leaving)")).to_have_count(1)
    expect(top(page).locator(".title")).to_have_text("High")
    site.shell.run("dismiss", HIDING)
    expect(top(page).locator(".title")).to_have_text("Low")


def test_drawn_is_said_only_when_it_is_drawn(site, open_page):
    """Without a page nothing is confirmed; with one, everything is."""
    kiosk = site.kiosk(MODAL)
    bus = site.bus()

    def drawn():
        screens = [screen for session in bus.ask("list", surface="/", subscribers=True)["subscribers"] for screen in session["screens"]]
        return [screen["drawn"] for screen in screens if screen.get("drawn")]

    bus.ask("raise", surface=MODAL, key="a")
    eventually("the page to be served with it", lambda: bus.position(MODAL)[1] == 1)
    time.sleep(0.5)  # Time enough to say something wrong.
    assert drawn() == []
    page = open_page(kiosk.url)
    eventually("the confirmation", lambda: drawn() == [1])
    page.close()
    bus.ask("update", surface=MODAL, key="a", params={"title": "x"})
    time.sleep(0.5)
    assert drawn() == [1]


def test_the_arbiter_comes_later(open_page, make_site):
    site = make_site()
    site.arbiter.stop()
    page = open_page(site.kiosk(MODAL, "--lang", "en").url)
    expect(page.locator("#lost")).to_contain_text("Connection lost")
    site.arbiter = Arbiter(site.directory, site.journal, site.address)
    expect(page.locator("#lost")).to_be_empty(timeout=15_000)
    site.shell.run("raise", MODAL, "a", "--title", "Here I am")
    expect(top(page).locator(".title")).to_have_text("Here I am")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_arbiter_restarted_with_a_journal(make_site, open_page, number):
    """What was on the screen stays there, with what was typed, and can be answered."""
    site = make_site("file")
    page = open_page(site.kiosk(MODAL, "--lang", "en").url)
    params = json.dumps({"title": "Who?", "input": {"label": "Name"}})
    asked = site.shell.start("raise", MODAL, "who", "--params", params, "--action", "go=Go", "--wait")
    page.get_by_label("Name").fill("Ada")
    site.arbiter.stop(number)
    expect(page.locator("#lost")).to_contain_text("Connection lost")
    # The bar moved what is under it.
    settle(page)
    page.get_by_role("button", name="Go").click()
    expect(page.locator("#note")).to_contain_text("Nothing was sent")
    site.arbiter = Arbiter(site.directory, site.journal, site.address)
    expect(page.locator("#lost")).to_be_empty(timeout=15_000)
    expect(page.get_by_label("Name")).to_have_value("Ada")
    settle(page)
    page.get_by_role("button", name="Go").click()
    output, _ = asked.communicate(timeout=20)
    assert json.loads(output) == {"action": "go", "text": "Ada"}


def test_arbiter_restarted_without_memory(site, open_page):
    """What it has forgotten goes; the same number for another alert is another alert."""
    page = open_page(site.kiosk(MODAL, "--lang", "en").url)
    site.shell.run("raise", MODAL, "old", "--title", "Old")
    expect(top(page).locator(".title")).to_have_text("Old")
    site.start_again()
    expect(page.locator("#stage .alert:not(.leaving)")).to_have_count(0, timeout=15_000)
    site.shell.run("raise", MODAL, "new", "--title", "New", "--action", "ok=Fine")
    expect(top(page).locator(".title")).to_have_text("New")
    settle(page)
    page.get_by_role("button", name="Fine").click()
    expect(page.locator("#stage .alert:not(.leaving)")).to_have_count(0)


def test_two_pages_of_two_kiosks(site, open_page):
    """The first answer wins, all follow, and a reload shows what the others see."""
    one, two = (open_page(site.kiosk(MODAL, "--lang", "en").url) for _ in range(2))
    asked = site.shell.start("raise", MODAL, "q", "--title", "Q", "--action", "yes=Yes", "--action", "no=No", "--wait")
    for page in (one, two):
        expect(page.get_by_role("button", name="Yes")).to_be_visible()
        settle(page)
    one.reload()
    expect(one.get_by_role("button", name="Yes")).to_be_visible()
    settle(one)
    # Both press at the same time, as far as a test can.
    for page, name in ((two, "No"), (one, "Yes")):
        page.evaluate("(name) => { [...document.querySelectorAll('button')].find((button) => button.textContent === name).click(); }", name)
    output, _ = asked.communicate(timeout=20)
    assert json.loads(output)["action"] in ("yes", "no")
    for page in (one, two):
        expect(page.locator("#stage .alert:not(.leaving)")).to_have_count(0)


RECORDER = """
addEventListener("DOMContentLoaded", () => {
  window.frames_drawn = [];
  new MutationObserver(() => {
    const stacks = {};
    const add = (node) => (stacks[node.dataset.surface] ??= []).push([node.dataset.key, Number(node.dataset.revision)]);
    document.querySelectorAll("#stage .alert:not(.leaving)").forEach(add);
    [...document.querySelectorAll("#banners .alert:not(.leaving)")].reverse().forEach(add);
    window.frames_drawn.push([JSON.parse(document.body.dataset.seq), stacks]);
  }).observe(document.body, { attributes: true, attributeFilter: ["data-seq"] });
});
"""


def random_step(chance, bus, known, count):
    surface = chance.choice([MODAL, BANNER, HIDING])
    alerts = known.setdefault(surface, [])
    match chance.choice(["raise", "raise", "raise", "update", "withdraw", "dismiss", "clear"]):
        case "raise":
            key = f"k{count}"
            alerts.append(key)
            bus.tell(
                "raise", surface=surface, key=key, priority=chance.randint(1, 3), intercept=chance.random() < 0.5,
                activate=chance.random() < 0.9, presentation="banner" if surface == BANNER else "modal",
                params={"title": f"Title {count}"}, display_ms=chance.choice([None, 300, 1500]) or 60_000,
                ttl_ms=chance.choice([500, 5_000, 60_000]))
        case "update" if alerts:
            bus.tell("update", surface=surface, key=chance.choice(alerts), params={"title": f"Title {count}", "body": "x" * chance.randint(0, 300)})
        case "withdraw" if alerts:
            bus.tell("withdraw", surface=surface, key=chance.choice(alerts))
        case "dismiss":
            bus.tell("dismiss", surface=surface)
        case "clear" if chance.random() < 0.05:
            bus.tell("clear", surface=surface, shown=chance.random() < 0.5)
    del alerts[:-20]


def test_the_page_follows_the_stream(site, open_page):
    """Every frame that the page draws is, for each surface, the stack of the stream at the position that it shows.

    ORDER_SECONDS and ORDER_SEED: a minute of it, or the same again.
    """
    seconds = float(os.environ.get("ORDER_SECONDS", "8"))
    seed = int(os.environ.get("ORDER_SEED", random.randrange(1 << 32)))
    chance = random.Random(seed)
    bus = site.bus()
    page = open_page(site.kiosk(HIDING, BANNER, MODAL).url, init_script=RECORDER)
    end, count, known = time.monotonic() + seconds, 0, {}
    while time.monotonic() < end:
        for _ in range(chance.choice([1, 1, 1, 5, 30])):
            count += 1
            random_step(chance, bus, known, count)
        time.sleep(chance.choice([0, 0.01, 0.05, 0.2]))
    for surface in (MODAL, BANNER, HIDING):
        bus.ask("clear", surface=surface, shown=True)
    last = {surface: bus.position(surface)[1] for surface in (MODAL, BANNER, HIDING)}
    eventually("the last position on the page", lambda: page.evaluate("JSON.parse(document.body.dataset.seq ?? \"{}\")") == {
        surface: [bus.epoch, seq] for surface, seq in last.items()})
    drawn = page.evaluate("window.frames_drawn")
    assert len(drawn) > seconds, f"only {len(drawn)} frames"
    for positions, stacks in drawn:
        for surface, (_, seq) in positions.items():
            expected = [list(entry) for entry in bus.history[surface][seq]] if seq > 0 else []
            assert stacks.get(surface, []) == expected, f"{surface} at {seq}, ORDER_SEED={seed}"
