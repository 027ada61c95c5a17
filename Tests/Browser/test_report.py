"""The page that a load test writes, as an engineer opens it: from a file, on a desk or in the hand, light or dark."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from processes import ALERTBUS, ROOT

PICTURES = Path(os.environ.get("SCREENSHOTS", ROOT / ".build/screenshots"))
SIZES = {"desk": (1280, 900), "hand": (390, 844)}


def swarm(*words, code=0):
    done = subprocess.run([ALERTBUS, "swarm", *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """A real run, and the same with findings, one of which would like to be markup."""
    folder = tmp_path_factory.mktemp("report")
    swarm("--start", "memory", "--duration", "4s", "--rate", "500", "--quiet",
          "--json", folder / "good.json", "--html", folder / "good.html")
    report = json.loads((folder / "good.json").read_text())
    lost = report["checks"][0]
    lost.update(findings=14, examples=["key <img src=x onerror=alert(1)>", "surface " + "hall/" * 40 + "1, key door"])
    (folder / "bad.json").write_text(json.dumps(report))
    swarm("--join", folder / "bad.json", folder / "good.json", "--html", folder / "bad.html", code=4)
    return folder


@pytest.fixture(params=["light", "dark"])
def scheme(request):
    return request.param


@pytest.fixture(params=SIZES)
def page(request, browser, scheme):
    width, height = SIZES[request.param]
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.heard = []
    page.on("console", lambda message: page.heard.append(message.text))
    page.on("pageerror", lambda error: page.heard.append(str(error)))
    page.on("request", lambda request: page.heard.append(request.url))
    page.size = request.param
    yield page
    page.close()


def keep(page, name, scheme):
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}-{page.size}-{scheme}.png", full_page=True)


def overlapping(labels):
    """Pairs of labels of one axis that lie on each other."""
    boxes = [label.bounding_box() for label in labels]
    return [
        (a, b) for index, a in enumerate(boxes) for b in boxes[index + 1:]
        if a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]
    ]


@pytest.mark.parametrize("name", ["good", "bad"])
def test_report(reports, page, scheme, name):
    address = (reports / f"{name}.html").as_uri()
    page.goto(address)
    keep(page, f"report-{name}", scheme)

    # The verdict is the first thing on the screen, without a move.
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("Passed" if name == "good" else "Failed")
    assert verdict.bounding_box()["y"] < page.viewport_size["height"] / 2

    # Nothing is wider than the screen; tables scroll by themselves.
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    plots = page.locator("figure.plot")
    assert plots.count() >= 4
    for axis in page.locator(".x, .y").all():
        assert not overlapping(axis.locator("span").all())
    for label in page.locator(".x span, .y span").all():
        box = label.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]
    for line in page.locator("figure", has=page.get_by_role("heading", name="Rates")).locator(".chart path.line").all():
        assert line.bounding_box()["width"] > 100

    # The numbers behind the plots are there when they are asked for.
    rows = page.locator("details tbody tr")
    expect(rows.first).to_be_hidden()
    page.locator("summary").click()
    expect(rows.first).to_be_visible()
    assert rows.count() >= 4

    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    # Only itself was loaded, and nothing ran.
    assert page.heard == [address]


def test_findings_are_text(reports, page):
    page.goto((reports / "bad.html").as_uri())
    findings = page.locator(".findings li")
    expect(findings.first).to_have_text("key <img src=x onerror=alert(1)>")
    expect(page.locator(".bad").first).to_contain_text("and 12 more")
    assert page.locator("img").count() == 0
