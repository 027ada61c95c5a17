"""Makes the pictures of the documentation: python Tests/Browser/pictures.py [FOLDER]

Real processes: an arbiter, a kiosk in Chromium, a terminal in tmux. Without a folder they replace those in the documentation.
"""

import html
import os
import re
import sys
import unicodedata
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

import scenes
from installation import Site
from processes import ROOT, eventually

FOLDER = ROOT / "Sources/AlertBus/AlertBus.docc/Resources"
MODAL, BANNER = scenes.MODAL, scenes.BANNER
LARGEST = 200_000


def unmarked(rows):
    return [{name: value for name, value in row.items() if name != "selected"} for row in rows]


def provide(site):
    bus = site.bus()
    for name, rows in scenes.FILTER_DATA.items():
        bus.rows[name] = unmarked(rows)
        bus.ask("provide", name=name)
    return bus


def raise_parcel(bus):
    bus.ask("raise", surface=MODAL, key="parcel", params={
        "title": "A parcel is waiting", "body": "Locker 14 is reserved for you until six o'clock this evening.",
        "actions": [{"id": "later", "label": "Later"}, {"id": "open", "label": "Open the locker", "style": "primary"}]})


def raise_door(bus):
    bus.ask("raise", surface=MODAL, key="door", priority=3, intercept=False, display_ms=30_000, params={
        "title": "The east door is open", "icon": "door",
        "body": "It has been open for two minutes. Please close it, or tell the guard.",
        "actions": [{"id": "ignore", "label": "Ignore"}, {"id": "guard", "label": "Call the guard", "style": "primary"}]})


def raise_filter(bus, intercept=True):
    sources = [{"name": name, "selected": [row["id"] for row in rows if row["selected"]]} for name, rows in scenes.FILTER_DATA.items()]
    bus.ask("raise", surface=MODAL, key="filter", priority=2, intercept=intercept, sources=sources, params={
        "title": "What would you like to see?", "icon": "filter", "selection": {"departments": "single"},
        "actions": [{"id": "cancel", "label": "Cancel"}, {"id": "apply", "label": "Show results", "style": "primary"}]})


def save(page, path):
    page.screenshot(path=path, animations="disabled", type="png")
    if path.stat().st_size > LARGEST:
        path.unlink()
        path = path.with_suffix(".jpg")
        page.screenshot(path=path, animations="disabled", type="jpeg", quality=82)
    assert path.stat().st_size <= LARGEST, f"{path} has {path.stat().st_size} bytes"
    print(path, path.stat().st_size)


def kiosk_pictures(browser, folder):
    site = Site()
    try:
        bus = provide(site)
        url = site.kiosk(BANNER, MODAL, "--title", "Lobby, kiosk 1", "--lang", "en").url
        page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce")
        page.goto(url)
        raise_parcel(bus)
        raise_door(bus)
        bus.ask("raise", surface=BANNER, key="rain", priority=2, presentation="banner", params={
            "title": "Heavy rain from three o'clock", "icon": "☔"})
        expect(page.locator(".alert:not([inert])")).to_have_count(1)
        expect(page.get_by_text("The east door is open")).to_be_visible()
        expect(page.get_by_text("Heavy rain")).to_be_visible()
        save(page, folder / "kiosk-covered.png")
        for surface in (MODAL, BANNER):
            bus.ask("clear", surface=surface, shown=True)
        raise_filter(bus)
        expect(page.get_by_text("What would you like to see?")).to_be_visible()
        save(page, folder / "kiosk-filter.png")
        page.close()
    finally:
        site.close()


def terminal_picture(browser, folder):
    site = Site()
    try:
        bus = provide(site)
        terminal = site.terminal("lobby/kiosk-1/", size=(100, 30))
        bus.ask("raise", surface=BANNER, key="rain", priority=2, presentation="banner", params={
            "title": "Heavy rain from three o'clock · 三点起有大雨"})
        raise_parcel(bus)
        raise_filter(bus, intercept=False)
        terminal.expect("What would you like to see?")
        terminal.keys("Down", "Down", "Down", "Down", "Enter")
        eventually("the selection", lambda: "(3)" in terminal.text())
        page = browser.new_page(viewport={"width": 1040, "height": 660})
        page.set_content(as_html(terminal.styled(), 100))
        save(page, folder / "terminal.png")
        page.close()
    finally:
        site.close()


COLOURS = {"31": "#ff7b72", "36": "#79c0ff", "32": "#7ee787", "33": "#e3b341"}


def as_html(text, width):
    """Lines with the colours and styles of a terminal, each character where the terminal has it."""
    cells = []
    style = set()
    for y, line in enumerate(text.split("\n")):
        x = 0
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            if part.startswith("\x1b"):
                for code in part[2:-1].split(";"):
                    style = set() if code in ("", "0") else {s for s in style if s not in COLOURS} if code == "39" else style | {code}
                continue
            for character in part:
                columns = 2 if unicodedata.east_asian_width(character) in "WF" else 1
                cells.append(cell(character, x, y, columns, style))
                x += columns
        if "7" in style:
            cells.append(f'<i style="left:{x * 10}px;top:{y * 21}px;width:{(width - x) * 10}px;background:#dce3ea"></i>')
    return f"""<!doctype html><meta charset="utf-8"><style>
      body {{ margin: 0; background: #10161d; }} main {{ position: relative; margin: 18px 20px; }}
      i {{ position: absolute; height: 21px; font: 16.6px/21px "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace; white-space: pre; color: #dce3ea; }}
      </style><main>{"".join(cells)}</main>"""


def cell(character, x, y, columns, style):
    colour = next((COLOURS[code] for code in style if code in COLOURS), "#dce3ea")
    rules = f"left:{x * 10}px;top:{y * 21}px;width:{columns * 10}px;color:{colour}"
    if "7" in style:
        rules += ";color:#10161d;background:#dce3ea"
    if "1" in style:
        rules += ";font-weight:bold"
    if "2" in style:
        rules += ";opacity:.62"
    if "4" in style:
        rules += ";text-decoration:underline"
    return f'<i style="{rules}">{html.escape(character)}</i>'


def make(browser, folder):
    folder.mkdir(parents=True, exist_ok=True)
    kiosk_pictures(browser, folder)
    terminal_picture(browser, folder)


if __name__ == "__main__":
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), headless=True, args=["--no-sandbox"])
        make(chromium, Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
        chromium.close()
