import os

import pytest
from playwright.sync_api import sync_playwright

from bus_driver import BusDriver
from driver import ScriptDriver
from installation import Site


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), headless=True, args=["--no-sandbox"])
        yield browser
        browser.close()


DRIVERS = {"script": ScriptDriver, "bus": BusDriver}


def pytest_generate_tests(metafunc):
    """Each test of the page runs twice, with scripted messages, and with an arbiter and a kiosk behind it, unless it is
    marked as one that only scripted messages can bring about."""
    if "driver" in metafunc.fixturenames:
        names = ["script"] if metafunc.definition.get_closest_marker("scripted") else list(DRIVERS)
        metafunc.parametrize("driver", names, indirect=True)


def pytest_configure(config):
    config.addinivalue_line("markers", "scripted: the real bus does not do this on request")


@pytest.fixture
def driver(request):
    driver = DRIVERS[request.param]()
    yield driver
    driver.close()


@pytest.fixture
def open_page(browser):
    """Opens pages that must not report any error of their own."""
    contexts, errors = [], []

    def open_one(url, size=(1280, 800), init_script=None, **options):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale=options.pop("locale", "en-GB"), **options)
        contexts.append(context)
        page = context.new_page()
        if init_script:
            page.add_init_script(init_script)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text)
                if message.type == "error" and "ERR_" not in message.text else None)
        page.goto(url)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def make_site():
    sites = []

    def make(journal="memory"):
        sites.append(Site(journal))
        return sites[-1]

    yield make
    for site in sites:
        site.close()


@pytest.fixture
def site(make_site):
    return make_site()
