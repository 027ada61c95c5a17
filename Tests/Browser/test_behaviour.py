"""What the page does: drawing, guarding, answering, coming back."""

import time

import pytest
from playwright.sync_api import expect

from scenes import BANNER, FILTER_DATA, MODAL, marked

GUARD = 300


def settle(page):
    """Lets the input guard of what is on the screen pass, by the page's own clock."""
    page.evaluate(f"new Promise((done) => setTimeout(done, {GUARD + 100}))")


def top(page):
    return page.locator("#stage .alert:not(.under):not(.leaving)")


def titles(page):
    return page.locator("#stage .alert:not(.leaving) .title").all_text_contents()


@pytest.fixture
def page(driver, open_page):
    return open_page(driver.start([MODAL, BANNER], title="Lobby"))


def test_show_cover_return_and_confirm(driver, page):
    driver.show(MODAL, "first", params={"title": "First"})
    driver.wait_drawn(MODAL)
    expect(top(page).locator(".title")).to_have_text("First")
    driver.show(MODAL, "second", 3, params={"title": "Second"})
    driver.wait_drawn(MODAL)
    assert titles(page) == ["First", "Second"]
    expect(page.locator('[data-key="first"]')).to_have_attribute("inert", "")
    expect(page.locator('[data-key="first"]')).to_be_visible()
    driver.hide(MODAL, "second")
    driver.wait_drawn(MODAL)
    expect(top(page).locator(".title")).to_have_text("First")
    driver.hide(MODAL, "first")
    driver.wait_drawn(MODAL)
    expect(page.locator("#stage .alert")).to_have_count(0)
    expect(page.locator("#clock")).to_be_visible()


def test_priorities_differ_by_word_and_pattern(driver, page):
    for priority, word in ((1, "Notice"), (2, "Important"), (3, "Urgent"), (9, "Urgent 9")):
        driver.show(BANNER, f"p{priority}", priority, "banner", params={"title": "x"})
        expect(page.locator(f'[data-key="p{priority}"] .priority')).to_have_text(word)
    patterns = {page.locator(f'[data-key="p{p}"] .edge').evaluate("(node) => getComputedStyle(node).backgroundImage") for p in (1, 2, 3)}
    assert len(patterns) == 3
    roles = [page.locator(f'[data-key="p{p}"]').get_attribute("role") for p in (1, 3)]
    assert roles == ["status", "alert"]


def test_answer_with_selection_and_search(driver, page):
    driver.show(MODAL, "filter", data=FILTER_DATA, params={
        "title": "Filter", "selection": {"regions": "multiple", "departments": "single", "houses": "multiple"},
        "actions": [{"id": "apply", "label": "Apply"}]})
    expect(page.get_by_label("Old town")).to_be_checked()
    expect(page.get_by_label("Rentals")).to_be_checked()
    page.get_by_label("Old town").uncheck()
    page.get_by_label("Airport").check()
    page.get_by_label("Sales").check()
    page.get_by_label("Search: Houses").fill("walk 10")
    page.get_by_label("Mill Walk 10", exact=True).check()
    expect(page.get_by_text("2 selected").first).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Apply").click()
    act = driver.next_act()
    assert act["kind"] == "answer" and act["surface"] == MODAL and act["revision"] == 1
    assert act["answer"] == {"action": "apply", "selected": {"regions": [3, 6], "departments": [2], "houses": ["h4", "h10"]}}
    # It stays, busy, until the stream hides it, and sends nothing twice.
    if not driver.answersItself:
        expect(top(page)).to_have_attribute("aria-busy", "true")
        page.get_by_role("button", name="Apply").click()
    driver.hide(MODAL, "filter", "answered")
    expect(page.locator("#stage .alert")).to_have_count(0)
    assert not driver.has_act()


def test_ids_come_back_as_they_were_written(driver, page):
    rows = [{"id": 9007199254740993, "name": "Big"}, {"id": 7, "name": "Small"}, {"id": "7", "name": "Text"}]
    driver.show(MODAL, "ids", data={"things": marked(rows, 9007199254740993)}, params={"title": "Ids"})
    page.get_by_label("Text").check()
    settle(page)
    page.get_by_role("button", name="OK").click()
    assert driver.next_act()["answer"] == {"action": "ok", "selected": {"things": [9007199254740993, "7"]}}


def test_many_rows_are_drawn_as_needed(driver, page):
    rows = [{"id": n, "name": f"Row {n}"} for n in range(10_000)]
    driver.show(MODAL, "rows", data={"rows": marked(rows, 9_999)}, params={"title": "Rows"})
    assert driver.wait_drawn(MODAL) < 5
    assert page.locator(".row").count() < 500
    page.get_by_role("button", name="Show 150 more").click()
    expect(page.locator(".row")).to_have_count(300)
    page.get_by_label("Search: Rows").fill("Row 9999")
    expect(page.get_by_label("Row 9999")).to_be_checked()


def test_text_input_survives_updates_and_is_sent_by_enter(driver, page):
    driver.show(MODAL, "pin", params={"title": "Code", "input": {"placeholder": "6 digits"}, "progress": 0.1, "actions": [{"id": "go", "label": "Go"}]})
    page.get_by_label("6 digits").fill("12345")
    driver.update(MODAL, "pin", params={"title": "Code please", "input": {"placeholder": "6 digits"}, "progress": 0.9, "actions": [{"id": "go", "label": "Go"}]})
    driver.wait_drawn(MODAL)
    expect(top(page).locator(".title")).to_have_text("Code please")
    expect(page.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "90")
    page.keyboard.type("6")
    settle(page)
    page.keyboard.press("Enter")
    act = driver.next_act()
    assert act["answer"] == {"action": "go", "text": "123456"} and act["revision"] == 2


def test_input_guard(driver, open_page):
    url = driver.start([MODAL], guard=1500)
    page = open_page(url)
    driver.show(MODAL, "a", params={"title": "A", "actions": [{"id": "yes", "label": "Yes"}]})
    driver.wait_drawn(MODAL)
    page.get_by_role("button", name="Yes").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Yes").press("Enter")
    assert not driver.has_act()
    page.evaluate("new Promise((done) => setTimeout(done, 1600))")
    # An update that moves nothing does not close the guard again; another alert on top and coming back does.
    driver.update(MODAL, "a", priority=2)
    driver.wait_drawn(MODAL)
    driver.show(MODAL, "b", params={"title": "B", "actions": [{"id": "no", "label": "No"}]})
    driver.hide(MODAL, "b")
    driver.wait_drawn(MODAL)
    page.evaluate("new Promise((done) => setTimeout(done, 50))")
    driver.show(MODAL, "c", params={"title": "C", "actions": [{"id": "no", "label": "No"}]})
    driver.wait_drawn(MODAL)
    page.get_by_role("button", name="No").click()
    driver.hide(MODAL, "c")
    driver.wait_drawn(MODAL)
    page.get_by_role("button", name="Yes").click()
    assert not driver.has_act()
    page.evaluate("new Promise((done) => setTimeout(done, 1600))")
    page.get_by_role("button", name="Yes").click()
    assert driver.next_act()["answer"] == {"action": "yes"}


def test_focus_trap_and_restore(driver, page):
    for key in ("under", "over"):
        driver.show(MODAL, key, params={"title": key, "input": {"label": f"Name {key}"}, "actions": [{"id": "a", "label": f"A {key}"}, {"id": "b", "label": f"B {key}"}]})
        driver.wait_drawn(MODAL)
        expect(page.locator(f'[data-key="{key}"]')).to_be_focused()
        if key == "under":
            page.get_by_role("button", name="B under").focus()
    seen = []
    for _ in range(9):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.closest('.alert')?.dataset.key + ' ' + (document.activeElement.ariaLabel || document.activeElement.textContent || document.activeElement.tagName)"))
    assert {text.split(" ")[0] for text in seen} == {"over"}
    assert len(set(seen)) == 4
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.closest('.alert')?.dataset.key") == "over"
    driver.hide(MODAL, "over")
    driver.wait_drawn(MODAL)
    expect(page.get_by_role("button", name="B under")).to_be_focused()


def test_escape_only_where_dismissible(driver, page):
    driver.show(MODAL, "no", params={"title": "No", "dismissible": False, "actions": [{"id": "x", "label": "X"}]})
    driver.wait_drawn(MODAL)
    expect(page.get_by_role("button", name="Dismiss")).to_have_count(0)
    settle(page)
    page.keyboard.press("Escape")
    instance = driver.show(MODAL, "yes", params={"title": "Yes"})
    driver.wait_drawn(MODAL)
    settle(page)
    page.keyboard.press("Escape")
    act = driver.next_act()
    assert (act["kind"], act["instance"]) == ("dismiss", instance)
    assert not driver.has_act()


def test_roles(driver, page):
    driver.show(MODAL, "a", 3, params={"title": "Fire", "body": "Leave"})
    dialog = page.get_by_role("alertdialog", name="Urgent Fire")
    expect(dialog).to_have_attribute("aria-modal", "true")
    expect(dialog).to_have_accessible_description("Leave")
    driver.show(MODAL, "b", params={"title": "Form", "input": {"label": "Name"}})
    expect(page.get_by_role("dialog", name="Notice Form")).to_be_visible()


def test_direction_by_text(driver, page):
    driver.show(MODAL, "ar", params={"title": "باب مفتوح", "body": "Gate 7", "lang": "ar"})
    expect(top(page)).to_have_attribute("dir", "rtl")
    expect(top(page).locator(".priority")).to_have_text("إشعار")
    icon, title = top(page).locator(".icon").bounding_box(), top(page).locator(".title").bounding_box()
    assert icon["x"] > title["x"]


def test_html_is_text(driver, page):
    evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script><b>bold</b>"
    driver.show(MODAL, evil, params={
        "title": evil, "body": evil, "icon": evil, "input": {"label": evil, "placeholder": evil},
        "actions": [{"id": evil, "label": evil}]}, data={evil: [{"id": evil, "name": evil, "selected": False}]})
    driver.wait_drawn(MODAL)
    expect(top(page).locator(".title")).to_have_text(evil)
    expect(top(page).locator(".body")).to_have_text(evil)
    assert page.locator(".alert img, .alert script, .alert b").count() == 0
    assert page.title() == "Lobby"


@pytest.mark.parametrize("params", [
    None, [], 7, {"title": None, "actions": "x", "input": 3, "progress": "y"},
    {"title": {"a": 1}, "body": 5, "actions": [None, 1, {"label": "no id"}, {"id": 0}], "icon": 12, "lang": 4, "selection": [], "labels": 2}])
@pytest.mark.scripted
def test_strange_params_do_no_harm(driver, page, params):
    driver.show(MODAL, "odd", params=params, data={"a": None, "b": {"rows": 3}, "c": [None, 3, {}, {"id": {"a": 1}, "selected": "x"}]})
    driver.show(MODAL, "fine", params={"title": "Fine"})
    driver.wait_drawn(MODAL)
    expect(top(page).locator(".title")).to_have_text("Fine")


def test_countdown_runs_only_on_top(driver, page):
    driver.show(MODAL, "short", display_ms=60_000, params={"title": "Short"})
    left = page.locator('[data-key="short"] .left')
    expect(left).to_have_text("1 minute left")
    expect(left).to_have_text("58 seconds left", timeout=5000)
    driver.show(MODAL, "over", params={"title": "Over"})
    driver.wait_drawn(MODAL)
    before = left.inner_text()
    page.evaluate("new Promise((done) => setTimeout(done, 1300))")
    assert left.inner_text() == before
    # A page that comes later knows how much was used up.
    driver.hide(MODAL, "over")
    driver.wait_drawn(MODAL)
    page.reload()
    expect(page.locator('[data-key="short"] .left')).to_have_text("57 seconds left", timeout=5000)


def test_reload_brings_the_screen_back(driver, page):
    for n in range(3):
        driver.show(MODAL, f"k{n}", params={"title": f"T{n}"})
    page.reload()
    expect(page.locator("#stage .alert")).to_have_count(3)
    assert titles(page) == ["T0", "T1", "T2"]


@pytest.mark.scripted
def test_two_pages_first_answer_wins(driver, open_page):
    url = driver.start([MODAL])
    one, two = open_page(url), open_page(url)
    driver.show(MODAL, "q", params={"title": "Q", "actions": [{"id": "yes", "label": "Yes"}]})
    for page in (one, two):
        expect(page.get_by_role("button", name="Yes")).to_be_visible()
        settle(page)
    one.get_by_role("button", name="Yes").click()
    assert driver.next_act()["answer"] == {"action": "yes"}
    driver.refuse("already_ended")
    two.get_by_role("button", name="Yes").click()
    driver.next_act()
    expect(two.locator("#note")).to_have_text("Already answered elsewhere.")
    driver.hide(MODAL, "q", "answered")
    for page in (one, two):
        expect(page.locator("#stage .alert")).to_have_count(0)


@pytest.mark.scripted
def test_refusals_are_explained_and_can_be_tried_again(driver, page):
    driver.show(MODAL, "q", params={"title": "Q", "actions": [{"id": "yes", "label": "Yes"}]})
    driver.wait_drawn(MODAL)
    settle(page)
    for reason, note in (("stale", "This has just changed."), ("over_limit", "This could not be sent.")):
        driver.refuse(reason)
        page.get_by_role("button", name="Yes").click()
        driver.next_act()
        expect(page.locator("#note")).to_contain_text(note)
    driver.refuse("")
    page.get_by_role("button", name="Yes").click()
    assert driver.next_act()["answer"] == {"action": "yes"}


def test_stale_bus(driver, page):
    driver.show(MODAL, "q", params={"title": "Q", "actions": [{"id": "yes", "label": "Yes"}]})
    driver.wait_drawn(MODAL)
    driver.link("stale")
    expect(page.locator("#lost")).to_contain_text("Connection lost")
    settle(page)
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#note")).to_contain_text("Nothing was sent")
    driver.link("connected")
    expect(page.locator("#lost")).to_be_empty()
    settle(page)
    page.get_by_role("button", name="Yes").click()
    assert driver.next_act()["answer"] == {"action": "yes"}


def test_server_restart(driver, page):
    driver.show(MODAL, "q", params={"title": "Q", "input": {"label": "Name"}, "actions": [{"id": "yes", "label": "Yes"}]})
    page.get_by_label("Name").fill("Ada")
    driver.stop()
    expect(page.locator("#lost")).to_contain_text("Connection lost")
    driver.restart()
    expect(page.locator("#lost")).to_be_empty(timeout=10_000)
    driver.show(BANNER, "b", presentation="banner", params={"title": "New"})
    expect(page.locator('[data-key="b"]')).to_be_visible()
    driver.wait_drawn(BANNER)
    # What was typed is still there, and the new token is used.
    settle(page)
    page.get_by_role("button", name="Yes").click()
    assert driver.next_act()["answer"] == {"action": "yes", "text": "Ada"}


def test_banner_does_not_take_the_focus(driver, page):
    driver.show(MODAL, "m", params={"title": "M", "input": {"label": "Name"}})
    page.get_by_label("Name").fill("x")
    driver.show(BANNER, "b", presentation="banner", params={"title": "B", "actions": [{"id": "go", "label": "Go"}]})
    driver.wait_drawn(BANNER)
    expect(page.get_by_label("Name")).to_be_focused()
    settle(page)
    page.keyboard.press("F6")
    expect(page.locator('[data-key="b"]')).to_be_focused()
    page.get_by_role("button", name="Go").click()
    assert driver.next_act()["answer"] == {"action": "go"}


def test_side_by_side(driver, open_page):
    page = open_page(driver.start([MODAL], slots=2))
    for n in range(3):
        driver.show(MODAL, f"k{n}", params={"title": f"T{n}"})
    driver.wait_drawn(MODAL)
    expect(top(page)).to_have_count(2)
    left, right = (page.locator(f'[data-key="k{n}"]').bounding_box() for n in (1, 2))
    assert left["x"] + left["width"] <= right["x"]
    expect(page.locator('[data-key="k0"]')).to_have_attribute("inert", "")


def test_five_hundred_changes_a_second(driver, page):
    """The page draws the newest state within a second all the time, and all of it at the end."""
    driver.show(MODAL, "steady", params={"title": "Steady", "progress": 0})
    driver.waits = False
    live, worst, began = [], 0.0, time.monotonic()
    for n in range(5_000):
        pause = began + n / 500 - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        if n % 3 == 0:
            driver.update(MODAL, "steady", params={"title": f"Steady {n}", "progress": n / 5_000})
        elif len(live) < 4:
            live.append(f"k{n}")
            driver.show(BANNER, live[-1], n % 3 + 1, "banner", params={"title": f"Banner {n}", "body": "Something happened"})
        else:
            driver.hide(BANNER, live.pop(n % 4))
        if n % 500 == 499:
            worst = max(worst, driver.wait_drawn(MODAL), driver.wait_drawn(BANNER))
    assert time.monotonic() - began < 15
    assert worst < 1
    driver.wait_drawn(MODAL)
    driver.wait_drawn(BANNER)
    expect(page.locator("#banners .alert:not(.leaving) .title")).to_have_text([f"Banner {key[1:]}" for key in reversed(live)])
    assert page.locator(".alert").count() < 20


def test_order_is_that_of_the_stream(driver, page):
    """At every position that the page says it has drawn, its stack is the stream's stack."""
    stack, expected = [], {}
    for n in range(300):
        if len(stack) > 5 or (stack and n % 3 == 0):
            key = stack.pop((n * 7) % len(stack))
            driver.hide(MODAL, key)
        else:
            stack.append(f"k{n}")
            driver.show(MODAL, stack[-1], n % 3 + 1, params={"title": stack[-1]})
        expected[driver.position(MODAL)[1]] = list(stack)
        if n % 20 == 19:
            seq, drawn = page.evaluate("""(surface) => [
                // Before its first picture the page says nothing.
                JSON.parse(document.body.dataset.seq ?? "{}")[surface]?.[1] ?? 0,
                [...document.querySelectorAll("#stage .alert:not(.leaving)")].map((node) => node.dataset.key)]""", MODAL)
            assert drawn == expected.get(seq, [])
    driver.wait_drawn(MODAL)
    assert titles(page) == stack


@pytest.mark.scripted
def test_slow_page_is_brought_up_to_date(driver, page):
    """A page that is stopped while a lot happens, far more than is held for it."""
    driver.show(MODAL, "big", params={"title": "Big"})
    driver.wait_drawn(MODAL)
    body = "x" * 100_000
    page.evaluate("setTimeout(() => { const until = performance.now() + 3000; while (performance.now() < until); }, 0)")
    for n in range(100):
        driver.update(MODAL, "big", params={"title": f"Big {n}", "body": body})
    driver.wait_drawn(MODAL, 40)
    expect(top(page).locator(".title")).to_have_text("Big 99")
    assert driver.statistics()["bytes"] <= (1 << 20) + 200_000
