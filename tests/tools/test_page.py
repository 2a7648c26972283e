#!/usr/bin/env python3
"""The page of gbcast-plan --format=html in Chromium: its script runs without an error, a search finds a host and marks its row
in the image, arrow keys go through what is found, bars tell their times, and nothing is fetched. Usage: test_page.py GBCAST-PLAN
CHROMIUM."""
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

CHROMIUM, TOOL = sys.argv.pop(), sys.argv.pop()
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SITES = os.path.join(TOP, "examples", "three-sites.txt")

# Types a name, then keys, and points at the first bar; leaves what came of it in the page.
PROBE = """<script>
const state = () => ({found: get("found").textContent, rows: rows.filter((r) => r.offsetParent).map((r) => r.textContent),
  at: document.querySelectorAll("tr.at").length, marked: [...document.querySelectorAll("td.found")].map((c) => c.textContent),
  boxes: [...document.querySelectorAll("rect.found")].map((b) => [b.getBBox().y, b.getBBox().height])});
const states = [state()];
input.focus();
for (const name of NAMES) { input.value = name; input.dispatchEvent(new Event("input")); states.push(state()); }
for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "Escape"]) {
  input.dispatchEvent(new KeyboardEvent("keydown", {key}));
  states.push(state());
}
image.querySelector("rect > title").parentNode.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));
states.push(state());
states.push({fetched: performance.getEntriesByType("resource").length, focus: document.activeElement.id,
  wide: document.documentElement.scrollWidth > innerWidth});
document.body.dataset.states = JSON.stringify(states);
</script></body>"""
ERRORS = "<script>window.onerror = (message) => { document.documentElement.dataset.error = message; };</script></head>"


def tried(args, names):
    page = subprocess.run([TOOL, "-f", "html", *args], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    page = page.replace("</head>", ERRORS).replace("</body>", PROBE.replace("NAMES", json.dumps(names)))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        with open(path, "w", encoding="utf-8") as out:
            out.write(page)
        dom = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                              "--window-size=1280,1000", f"--user-data-dir={folder}/profile", "--dump-dom", "file://" + path],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120, check=True, encoding="utf-8").stdout
    error = re.search(r'<html[^>]* data-error="([^"]*)"', dom)
    assert error is None, html.unescape(error.group(1))
    return json.loads(html.unescape(re.search(r'data-states="([^"]*)"', dom).group(1)))


class Page(unittest.TestCase):
    def check_rest(self, states):
        self.assertEqual(states[-1], {"fetched": 0, "focus": "host", "wide": False})
        self.assertIn(" to ", states[-2]["found"])

    def test_broadcast(self):
        begin, one, some, none, down, further, up, escaped, *rest = tried([SITES], ["L1.LYON ", "lyon", "nowhere"])
        self.assertEqual((len(begin["rows"]), begin["boxes"], begin["found"]), (7, [], ""))
        self.assertEqual(one["marked"], ["l1.lyon"])
        self.assertEqual(len(one["rows"]), 1)
        self.assertIn("l0.lyonl1.lyon", one["rows"][0])
        self.assertEqual(len(one["boxes"]), 1)
        self.assertGreater(one["boxes"][0][1], 10)
        self.assertEqual((len(some["rows"]), len(some["boxes"]), some["found"]), (2, 2, "2 names"))
        self.assertEqual((none["rows"], none["boxes"], none["found"]), ([], [], "no such name"))
        self.assertEqual(down["at"], 0)  # nothing is there to go to
        self.assertEqual((escaped["rows"], escaped["boxes"]), (begin["rows"], []))
        self.assertEqual((further["at"], up["at"]), (0, 0))
        self.check_rest(rest)

    def test_arrow_keys(self):
        *_, down, further, up, _, tip, last = tried([SITES], ["n0.ottawa"])
        self.assertEqual([down["at"], further["at"], up["at"]], [1, 1, 1])
        self.assertTrue(down["found"].startswith("n0.ottawa, n1.ottawa, LAN, "), down["found"])
        self.assertTrue(further["found"].startswith("n0.ottawa, c0.carleton, WAN, "), further["found"])
        self.assertEqual(up["found"], down["found"])
        self.assertEqual(len(down["boxes"]), 2)
        self.check_rest([tip, last])

    def test_large_and_others(self):
        for args, name in ((["--synthetic=cluster:10 host:100"], "h77.c9"), (["-o", "alltoall", SITES], "c1.carleton"),
                           (["-o", "gather", SITES], "c1.carleton"), (["-o", "alltoall", "--synthetic=host:70"], "h69"),
                           (["-o", "alltoall", "--sync=two-step", "-m", "4", "--synthetic=switch:4 host:8"], "h31")):
            with self.subTest(args):
                begin, one, *_, tip, last = tried(args, [name])
                self.assertEqual(set(one["marked"]), {name})
                self.assertGreater(len(begin["rows"]), len(one["rows"]))
                self.assertEqual(len({y for y, _ in one["boxes"]}), 1)
                self.check_rest([tip, last])


if __name__ == "__main__":
    unittest.main()
