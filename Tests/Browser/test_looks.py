"""Screens at three sizes, light and dark: pictures to look at, nothing cut off, nothing inaccessible."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import scenes
from driver import ROOT

PICTURES = Path(os.environ.get("SCREENSHOTS", ROOT / ".build/screenshots"))


@pytest.mark.scripted
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", scenes.SIZES)
@pytest.mark.parametrize("scene", scenes.ALL)
def test_scene(driver, open_page, scene, size, scheme):
    url = driver.start([scenes.MODAL, scenes.BANNER], title="Lobby, kiosk 1")
    page = open_page(url, scenes.SIZES[size], color_scheme=scheme, reduced_motion="reduce")
    scenes.ALL[scene](driver)
    if driver.alerts:
        driver.wait_drawn(scenes.MODAL)
        expect(page.locator(".alert:not([inert])").first).to_be_visible()
    if scene == "lost":
        expect(page.locator("#lost")).to_contain_text("Connection lost")
    else:
        expect(page.locator("#health-text")).to_have_text("Connected")
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{scene}-{size}-{scheme}.png")

    # Whoever may be acted on lies inside the screen, and fingers find everything.
    width, height = scenes.SIZES[size]
    for node in page.locator(".alert:not([inert])").all():
        box = node.bounding_box()
        assert box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width + 0.5 and box["y"] + box["height"] <= height + 0.5
    for button in page.locator(".alert:not([inert]) button:visible").all():
        box = button.bounding_box()
        assert box["height"] >= 47.9 and box["width"] >= 47.9
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    found = Axe().run(page).response["violations"]
    bad = [(v["id"], [n["html"][:200] for n in v["nodes"]]) for v in found if v["impact"] in ("serious", "critical")]
    assert bad == []
