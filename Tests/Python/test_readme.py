"""What README and the operator's page say can be typed, run and followed."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import zmq

from bus import LIMIT, ROOT, Arbiter, Dealer

README = ROOT / "README.md"
PAGES = [README, ROOT / "Sources/AlertBus/AlertBus.docc/Operating.md"]
BINARY = os.environ.get("ALERTBUS", str(ROOT / ".build/debug/alertbus"))
# How long the compiler may take for an example.
COMPILE_LIMIT = 180


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


def command_lines():
    for page in PAGES:
        for block in blocks(page, "sh"):
            for line in block.splitlines():
                if line.startswith("alertbus "):
                    yield page, shlex.split(line)


class Readme(unittest.TestCase):
    def test_every_command_and_option_exists(self):
        helps = {}
        count = 0
        for page, words in command_lines():
            name = words[1]
            if name not in helps:
                done = subprocess.run([BINARY, name, "--help"], capture_output=True, text=True, timeout=LIMIT)
                self.assertEqual(done.returncode, 0, f"{page.name}: alertbus {name}")
                helps[name] = done.stdout
            for option in (word.partition("=")[0] for word in words[2:] if word.startswith("--")):
                self.assertRegex(helps[name], rf"{option}\b", f"{page.name}: {words}")
            count += 1
        self.assertGreater(count, 8)

    def test_every_link_leads_somewhere(self):
        links = re.findall(r"\]\(((?!https?:)[^)#]+)\)", README.read_text())
        self.assertGreater(len(links), 5)
        self.assertEqual([link for link in links if not (ROOT / link).exists()], [])

    def test_every_script_that_is_named_can_be_run(self):
        scripts = set(re.findall(r"\bConfig/[a-z]+\b(?!\.)", README.read_text()))
        self.assertLessEqual({"Config/demo", "Config/test", "Config/setup"}, scripts)
        self.assertEqual([script for script in scripts if not os.access(ROOT / script, os.X_OK)], [])

    def test_the_python_example_raises_an_alert(self):
        [example] = blocks(README, "python")
        context = zmq.Context()
        self.addCleanup(context.term)
        arbiter = Arbiter()
        self.addCleanup(arbiter.stop)
        self.assertIn("tcp://127.0.0.1:5570", example)
        done = subprocess.run(
            [sys.executable, "-c", example.replace("tcp://127.0.0.1:5570", arbiter.requests)],
            capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"op": "accepted"', done.stdout)
        dealer = Dealer(context, arbiter.requests)
        self.addCleanup(dealer.close)
        self.assertEqual([alert["key"] for alert in dealer.ask("list", surface="/")["alerts"]], ["tea"])

    def test_the_swift_examples_compile(self):
        examples = blocks(README, "swift")
        self.assertEqual(len(examples), 2)
        modules = Path(BINARY).parent / "Modules"
        with tempfile.TemporaryDirectory() as directory:
            for example in examples:
                file = Path(directory) / "main.swift"
                file.write_text(example)
                words = ["swiftc", "-typecheck", "-swift-version", "6", "-I", str(modules)]
                for target in ("CZeroMQ", "CSQLite", "CLinux", "CMicroHTTPD"):
                    words += ["-Xcc", f"-fmodule-map-file={ROOT}/Sources/{target}/module.modulemap"]
                # The build makes the module maps of our own C targets.
                for target in ("CSimdjson", "CTOML"):
                    words += ["-Xcc", f"-fmodule-map-file={modules.parent}/{target}.build/module.modulemap"]
                done = subprocess.run(words + [str(file)], capture_output=True, text=True, timeout=COMPILE_LIMIT)
                self.assertEqual(done.returncode, 0, f"{example}\n{done.stderr}")


if __name__ == "__main__":
    unittest.main()
