#!/usr/bin/env python3
"""The formats svg, dot, trace and html of gbcast-plan: they can be read, and say the same as json. Usage: test_pictures.py
GBCAST-PLAN."""
import functools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

TOOL = sys.argv.pop()
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(TOP, "tests", "data", "platforms")
SVG = "{http://www.w3.org/2000/svg}"

SITES = os.path.join(TOP, "examples", "three-sites.txt")
TREES = [
    [SITES],
    ["-o", "scatter", SITES],
    ["-a", "chain/flat", SITES],
    [os.path.join(DATA, "hydra.txt")],
    ["-o", "scatter", "-m", "1000", os.path.join(DATA, "hydra.txt")],
    ["--inter=packing", "-m", "64M", "--synthetic=cluster:4 host:4"],
    ["-o", "scatter", "--inter=packing", "--synthetic=cluster:4 host:3"],
    ["--lanes=3", "--intra=two-tree", "-m", "4M", "--synthetic=cluster:3 host:6"],
    ["--intra=native", "--synthetic=host:9"],
    ["-m", "0", "--synthetic=cluster:2 host:2"],
    ["--synthetic=host:1"],
]
ALL_TO_ALL = [
    [os.path.join(DATA, "figure-1.txt")],
    ["--sync=two-step", "-m", "4", "--synthetic=switch:4 host:8"],
    ["--sync=at-once", "--synthetic=switch:3 host:30"],
    ["--sync=native", "--synthetic=host:4"],
    ["--sync=paced", "--synthetic=switch:9 host:8"],
    [SITES],
    ["--sync=at-once", "--synthetic=cluster:2 host:3"],
    ["--synthetic=cluster:25 host:2"],
    ["--synthetic=host:1"],
]


def printed(form, args):
    return printed_once(form, tuple(args))


@functools.lru_cache(maxsize=None)
def printed_once(form, args):
    done = subprocess.run([TOOL, "-f", form, *args], capture_output=True, check=False)
    assert done.returncode == 0 and not done.stderr, (args, done.stderr)
    return done.stdout.decode("utf-8")


def random_hosts(seed):
    """A hosts file, and options."""
    r = random.Random(seed)
    sites = r.randint(1, 6)
    lines = []
    for s in range(sites):
        lines.append(f"cluster s{s} latency={r.randint(10, 300)}us bandwidth={r.choice([100, 1000, 10000])}Mbit/s")
        lines.append(f"n[0-{r.randint(0, 5)}].s{s}:{r.randint(1, 3)}")
        if r.random() < 0.4:
            lines += [f"switch w{s}", f"m[0-{r.randint(0, 3)}].s{s}"]
    for s in range(1, sites):
        lines.append(f"link s{r.randrange(s)} s{s} latency={r.randint(1, 80)}ms bandwidth={r.choice([50, 200, 1000])}Mbit/s")
    return "\n".join(lines) + "\n", ["-o", r.choice(["bcast", "scatter"]), "-m", str(r.choice([1, 5000, 100000, 3000000]))]


def seconds(text, value):
    """Whether a time of three or four digits is that number of seconds."""
    number, unit = text.split()
    return abs(float(number) * {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[unit] - value) <= 1e-3 * value + 1e-12


def names(text):
    return text.split("#")[0]


class Dot:
    """As much of Graphviz's language as is used."""
    TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|(->)|([A-Za-z_][A-Za-z0-9_]*|-?[0-9.]+)|([{}\[\]=;,])|\s+', re.S)

    def __init__(self, text):
        self.nodes, self.edges, self.depth = {}, [], 0
        self.tokens = []
        at = 0
        while at < len(text):
            m = self.TOKEN.match(text, at)
            assert m, text[at:at + 60]
            at = m.end()
            if m.group(0).strip():
                self.tokens.append(m.group(1) if m.group(1) is not None else m.group(0))
        assert self.tokens[:3] == ["digraph", "plan", "{"] and self.tokens[-1] == "}"
        assert self.tokens.count("{") == self.tokens.count("}")
        statement = []
        for token in self.tokens[3:-1]:
            if token in ("{", "}", ";"):
                self.statement(statement)
                statement = []
            else:
                statement.append(token)
        assert not statement, statement

    def statement(self, words):
        if not words or words[0] == "subgraph" or words[1] == "=":
            return
        at = words.index("[")
        assert words[-1] == "]"
        attributes = dict(zip(words[at + 1::4], words[at + 3::4]))
        if "->" in words[:at]:
            self.edges.append((words[0], words[2], attributes))
        elif words[0] not in ("node", "edge"):
            assert words[0] not in self.nodes, words
            self.nodes[words[0]] = attributes


class Image:
    def __init__(self, text):
        self.root = ET.fromstring(text)
        assert self.root.tag == SVG + "svg"
        x, y, width, height = map(float, self.root.get("viewBox").split())
        assert (x, y, width) == (0, 0, 1200)
        self.height = height
        self.text = ["".join(e.itertext()) for e in self.root.iter(SVG + "text")]
        self.bars = []
        for e in self.root.iter(SVG + "rect"):
            at = [float(e.get(k, 0)) for k in ("x", "y", "width", "height")]
            assert at[0] + at[2] <= 1200 and at[1] + at[3] <= height and min(at) >= 0, e.attrib
            tip = e.find(SVG + "title")
            if tip is not None:
                self.bars.append((at[0], at[0] + at[2], tip.text, e.get("class", "").split()))
        lines = [e for e in self.root.iter(SVG + "line")]
        upright = [(e.get("class"), float(e.get("x1"))) for e in lines if e.get("x1") == e.get("x2")]
        self.zero = next((x for c, x in upright if c == "grid"), None)
        self.predicted = next((x for c, x in upright if c == "mark"), None)
        self.bound = next((x for c, x in upright if c == "bound"), None)
        for e in self.root.iter(SVG + "text"):
            assert 0 <= float(e.get("x")) <= 1190 and 0 <= float(e.get("y")) <= height, e.attrib
            if e.get("x") == "20.0" and e.get("class") in ("h", "m"):  # lines over the whole width
                assert " " not in e.text or len(e.text) * (9.6 if e.get("class") == "h" else 6.2) <= 1160, e.text


    def struck_out(self):
        """Labels of ticks and bars that a mark, a line of the critical path or a dot of it runs through."""
        strokes = []
        for e in self.root.iter():
            shape, classes = e.tag[len(SVG):], e.get("class", "").split()
            if shape == "line" and classes[0] in ("mark", "bound"):
                strokes.append((float(e.get("x1")), 1, float(e.get("y1")), float(e.get("y2"))))
            elif shape == "circle" and "crit" in classes:
                x, y, r = (float(e.get(k)) for k in ("cx", "cy", "r"))
                strokes.append((x, r, y - r, y + r))
            elif shape == "path" and "crit" in classes and "H" not in e.get("d"):
                x, *ends = map(float, re.findall(r"[0-9.]+", e.get("d")))
                strokes.append((x, 1, min(ends), max(ends)))
        for e in self.root.iter(SVG + "text"):
            x, y, classes = float(e.get("x")), float(e.get("y")), e.get("class").split()
            width = len(e.text) * (5.4 if "s" in classes else 6.6 if "n" not in classes else 7.25)
            tick, label = classes == ["c", "m"], classes in (["n"], ["n", "s"]) and e.text.startswith(("from ", "to ", "step "))
            x -= width / 2 if tick else 0
            if tick or label:
                yield from (e.text for at, half, top, bottom in strokes
                            if x < at + half and at - half < x + width and y - 7 < bottom and top < y)

    def ticks_without_label(self):
        labels = [float(e.get("x")) for e in self.root.iter(SVG + "text") if e.get("class") == "c m"]
        return [x for x in (float(e.get("x1")) for e in self.root.iter(SVG + "line")
                            if e.get("class") == "grid" and e.get("x1") == e.get("x2"))
                if not any(abs(at - x) < 60 for at in labels)]


class Page:
    """A page of HTML that is XML, too."""
    HTML = "{http://www.w3.org/1999/xhtml}"

    def __init__(self, text):
        root = ET.fromstring(text)
        assert root.tag == self.HTML + "html"
        assert text.startswith("<!DOCTYPE html>") and "http" not in re.sub(r'xmlns="[^"]*"|http-equiv', "", text)
        for e in root.iter():
            assert not {"src", "href", "action", "onload"} & set(e.attrib), e.attrib
        self.image = Image(ET.tostring(next(root.iter(SVG + "svg")), encoding="unicode"))
        self.tables = [[["".join(c.itertext()) for c in row] for row in table.iter(self.HTML + "tr")][1:]
                       for table in root.iter(self.HTML + "table")]
        self.names = {"".join(c.itertext()): c.get("data-rows") for c in root.iter(self.HTML + "td") if "data-rows" in c.attrib}
        self.text = "".join(next(root.iter(self.HTML + "p")).itertext())


def close(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-9)


class Trees(unittest.TestCase):
    """Broadcasts and scatters."""

    def plans(self):
        for args in TREES:
            yield args
        yield from self.random

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.random = []
        for seed in range(10):
            path = os.path.join(cls.folder.name, f"{seed}.txt")
            text, options = random_hosts(seed)
            with open(path, "w", encoding="ascii") as out:
                out.write(text)
            cls.random.append(options + [path])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def edges(self, plan):
        return sorted((t, e["order"], e["level"], names(e["from"]), names(e["to"]), e["start_seconds"],
                       e["arrival_seconds"]) for t, tree in enumerate(plan["trees"]) for e in tree["edges"])

    def test_trace_has_every_send(self):
        for args in self.plans():
            with self.subTest(args):
                plan, trace = json.loads(printed("json", args)), json.loads(printed("trace", args))
                events = trace["traceEvents"]
                sends = [e for e in events if e["ph"] == "X" and "args" in e]
                got = sorted((e["args"]["tree"], e["args"]["order"], e["args"]["level"], names(e["args"]["from"]),
                              names(e["args"]["to"]), e["ts"], e["ts"] + e["dur"]) for e in sends)
                expected = self.edges(plan)
                self.assertEqual(len(got), len(expected))
                for a, b in zip(got, expected):
                    self.assertEqual(a[:5], b[:5])
                    self.assertTrue(close(a[5], b[5] * 1e6) and close(a[6], b[6] * 1e6), (a, b))
                marks = {e["name"]: e["ts"] for e in events if e["ph"] == "i"}
                self.assertTrue(close(marks["predicted"], plan["predicted_seconds"] * 1e6))
                self.assertTrue(close(marks["lower bound"], plan["lower_bound_seconds"] * 1e6))
                self.check_threads(events)

    def check_threads(self, events):
        """Each has a name, its slices do not overlap, and arrows leave from one of them."""
        named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
        slices = {}
        for e in events:
            if e["ph"] == "X":
                self.assertIn((e["pid"], e["tid"]), named)
                slices.setdefault((e["pid"], e["tid"]), []).append((e["ts"], e["ts"] + e["dur"]))
        for times in slices.values():
            times.sort()
            for a, b in zip(times, times[1:]):
                self.assertLessEqual(a[1], b[0] * (1 + 1e-12))
        begun, ended = [], []
        for e in events:
            if e["ph"] in "sf":
                (begun if e["ph"] == "s" else ended).append(e["id"])
                self.assertTrue(any(a <= e["ts"] * (1 + 1e-12) and e["ts"] <= b * (1 + 1e-12)
                                    for a, b in slices[e["pid"], e["tid"]]), e)
        self.assertEqual(begun, ended)
        self.assertEqual(len(begun), len(set(begun)))

    def test_critical_path(self):
        for args in self.plans():
            with self.subTest(args):
                sends = [e for e in json.loads(printed("trace", args))["traceEvents"] if e["ph"] == "X" and "args" in e]
                path = sorted((e for e in sends if e["args"]["critical"]), key=lambda e: e["ts"])
                if not sends or max(e["ts"] + e["dur"] for e in sends) == 0:
                    self.assertEqual(path, [])
                    continue
                last = max(e["ts"] + e["dur"] for e in sends)
                self.assertEqual(max(e["ts"] + e["dur"] for e in path), last)
                self.assertEqual(path[0]["ts"], min(e["ts"] for e in path if e["args"]["from"] == path[0]["args"]["from"]))
                for a, b in zip(path, path[1:]):
                    self.assertIn(b["args"]["from"], (a["args"]["to"], a["args"]["from"]))

    def test_image_has_every_send_in_its_place(self):
        for args in self.plans():
            with self.subTest(args):
                plan, image = json.loads(printed("json", args)), Image(printed("svg", args))
                edges = [e for tree in plan["trees"] for e in tree["edges"]]
                if not edges:
                    self.assertIn("There is one rank: nothing is sent.", image.text)
                    continue
                predicted = plan["predicted_seconds"]
                shown = [t for t in image.text if t.startswith(("predicted ", "lower bound "))]
                self.assertEqual(len(shown), 2)
                if predicted == 0 or len(plan["trees"]) > 4:
                    continue
                self.assertEqual(len(image.bars), len(edges))
                scale = (image.predicted - image.zero) / predicted
                self.assertAlmostEqual(image.bound, image.zero + scale * plan["lower_bound_seconds"], delta=0.2)
                got = sorted((names(tip.split(" \u2192 ")[0]), names(tip.split(" \u2192 ")[1].split(" ")[0]), x, end)
                             for x, end, tip, _ in image.bars)
                expected = sorted((names(e["from"]), names(e["to"]), image.zero + scale * e["start_seconds"],
                                   image.zero + scale * e["arrival_seconds"]) for e in edges)
                for a, b in zip(got, expected):
                    self.assertEqual(a[:2], b[:2])
                    self.assertAlmostEqual(a[2], b[2], delta=0.2)
                    self.assertTrue(abs(a[3] - b[3]) < 0.3 or a[3] - a[2] <= 1.01, (a, b))
                trace = json.loads(printed("trace", args))["traceEvents"]
                critical = sum(e["ph"] == "X" and e.get("args", {}).get("critical", False) for e in trace)
                self.assertEqual(sum("crit" in classes for *_, classes in image.bars), critical)

    def test_labels_are_clear(self):
        for operation in ("bcast", "scatter", "gather", "reduce", "allreduce", "allgather", "reduce-scatter", "barrier", "alltoall"):
            for hosts in (SITES, os.path.join(DATA, "hydra.txt"), "--synthetic=host:2"):
                with self.subTest(operation=operation, hosts=hosts):
                    image = Image(printed("svg", ["-o", operation, hosts]))
                    self.assertEqual(list(image.struck_out()), [])
                    self.assertEqual(image.ticks_without_label(), [])

    def test_graph_has_every_send(self):
        for args in self.plans():
            with self.subTest(args):
                plan, graph = json.loads(printed("json", args)), Dot(printed("dot", args))
                sends = sum(1 if "\u2192" in a["tooltip"] else int(a["tooltip"].split(" ")[0]) for *_, a in graph.edges)
                self.assertEqual(sends, sum(len(tree["edges"]) for tree in plan["trees"]))
                for a, b, attributes in graph.edges:
                    self.assertIn(a, graph.nodes)
                    self.assertIn(b, graph.nodes)
                    self.assertIn("\u2013", attributes["label"])
                self.assertEqual(sum("(root)" in n["label"] for n in graph.nodes.values()), 1)

    def test_page_has_every_send(self):
        for args in [*self.plans(), ["-o", "gather", SITES], ["-o", "allreduce", SITES], ["--synthetic=cluster:50 host:3"]]:
            with self.subTest(args):
                plan, page = json.loads(printed("json", args)), Page(printed("html", args))
                self.assertEqual(page.text.splitlines()[0], printed("text", args).splitlines()[0])
                self.assertRegex(page.text, "predicted [0-9.]+ [mun]?s, lower bound [0-9.]+ [mun]?s$")
                expected, trees = {}, {}
                for t, tree in enumerate(plan["trees"]):
                    for e in tree["edges"]:
                        expected.setdefault((names(e["from"]), names(e["to"])), []).append((t, e))
                got = {}
                for row in page.tables[0] if expected else []:
                    got.setdefault((names(row[0]), names(row[1])), []).append(row)
                self.assertEqual(set(got), set(expected))
                for ends, rows in got.items():
                    first = min(e["start_seconds"] for _, e in expected[ends])
                    last = max(e["arrival_seconds"] for _, e in expected[ends])
                    self.assertTrue(any(seconds(r[4], first) for r in rows) and any(seconds(r[5], last) for r in rows), (rows, first, last))
                hosts = {h for ends in expected for h in ends} or {plan["root"]}
                self.assertEqual({names(n) for n in page.names}, hosts)
                for where in page.names.values() if expected else []:
                    y, height = map(float, where.split())
                    self.assertTrue(0 < y < y + height <= page.image.height and height >= 9, where)

    def test_graph_has_one_edge_between_two_nodes(self):
        for args, left_out in ((["-m", "4M", "--lanes=4", SITES], False),
                               (["--inter=packing", "-m", "64M", "--synthetic=cluster:4 host:4"], False),
                               (["-m", "64M", "--synthetic=cluster:4 host:6"], False), (["--synthetic=host:300"], True),
                               (["--synthetic=cluster:30 host:3"], True)):
            with self.subTest(args):
                graph = Dot(printed("dot", args))
                ends = [(a, b) for a, b, _ in graph.edges]
                self.assertEqual(len(ends), len(set(ends)))
                self.assertLessEqual(len(ends), max(100, 4 * len(graph.nodes)))
                self.assertEqual("more" in graph.nodes, left_out)
                self.assertEqual({b for _, b in ends} | {n for n, a in graph.nodes.items() if "(root)" in a["label"]},
                                 set(graph.nodes) - {"more"})
                trees = [re.match(r"(?:tree \d+|(\d+) of (\d+) trees)\\n", a["label"]) for *_, a in graph.edges]
                self.assertTrue(all(trees), graph.edges)
                count = len(json.loads(printed("json", args))["trees"])
                self.assertTrue(all(int(t[2]) == count >= int(t[1]) >= 2 for t in trees if t[1]))
                if not left_out:  # each tree ends in each node but the root
                    into = {}
                    for (_, b), t in zip(ends, trees):
                        into[b] = into.get(b, 0) + int(t[1] or 1)
                    self.assertEqual(set(into.values()), {count}, into)

    def test_large_grids_are_folded(self):
        for grid, text in (("host:1000", "some of them together"), ("switch:36 host:28", "one switch together"),
                           ("cluster:10 host:100", "all of a site"), ("cluster:60 host:17", "all of a site"),
                           ("cluster:100 host:10", "all of a site"), ("cluster:120 host:9", "20 further sites, 180 hosts")):
            args = ["--inter=flat", "--intra=flat", "-m", "1k", "--synthetic=" + grid]
            with self.subTest(grid):
                svg = printed("svg", args)
                image = Image(svg)
                self.assertLess(len(svg), 80000)
                self.assertLess(image.height, 1150)  # about a screen
                if "cluster" in grid:  # each site is there, with who feeds it and when it is done
                    clusters = json.loads(printed("json", args))["clusters"][:100]
                    self.assertLessEqual({c["name"] for c in clusters}, set(image.text))
                    self.assertEqual(image.text.count("h0.c0"), len(clusters) - 1)
                self.assertEqual(sum(text in t for t in image.text), 1, [t for t in image.text if "row" in t])
                sends = sum(int(tip.split(" ")[0]) if tip[0].isdigit() else 1 for *_, tip, _ in image.bars)
                plan = json.loads(printed("json", args))
                self.assertEqual(sends, sum(len(tree["edges"]) for tree in plan["trees"]))
                dot = Dot(printed("dot", args))
                self.assertLessEqual(len(dot.nodes), 200)


class AllToAll(unittest.TestCase):
    def plans(self):
        for args in ALL_TO_ALL:
            yield ["-o", "alltoall"] + (args if "-m" in args else ["-m", "64k"] + args)

    def test_trace_has_every_message(self):
        for args in self.plans():
            with self.subTest(args):
                plan, trace = json.loads(printed("json", args)), json.loads(printed("trace", args))
                events = trace["traceEvents"]
                marks = {e["name"]: e["ts"] for e in events if e["ph"] == "i"}
                self.assertTrue(close(marks["predicted"], plan["predicted_seconds"] * 1e6))
                slices = [e for e in events if e["ph"] == "X"]
                if plan["algorithm"] == "phases":
                    expected = sorted((p, m["from"], m["to"], m["scope"]) for p, phase in enumerate(plan["phases"])
                                      for m in phase)
                    got = sorted((e["args"]["phase"], e["args"]["from"], e["args"]["to"], e["args"]["scope"])
                                 for e in slices if e["cat"] != "wan")
                    self.assertEqual(got, expected)
                    for e in slices:
                        if e["cat"] != "wan":
                            self.assertTrue(abs(e["ts"] - e["args"]["phase"] * e["dur"]) < 1e-6 * (1 + e["ts"]), e)
                ways = sorted((w["from_cluster"], w["to_cluster"], w["start_seconds"] * 1e6, w["arrival_seconds"] * 1e6)
                              for w in plan.get("wan", []))
                got = sorted((e["args"]["from_cluster"], e["args"]["to_cluster"], e["ts"], e["ts"] + e["dur"])
                             for e in slices if e["cat"] == "wan")
                self.assertEqual(len(got), len(ways))
                for a, b in zip(got, ways):
                    self.assertEqual(a[:2], b[:2])
                    self.assertTrue(close(a[2], b[2]) and close(a[3], b[3]), (a, b))

    def test_image(self):
        for args in self.plans():
            with self.subTest(args):
                plan, image = json.loads(printed("json", args)), Image(printed("svg", args))
                tips = [tip for *_, tip, _ in image.bars]
                if plan["predicted_seconds"] == 0:
                    self.assertIn("There is one rank: nothing is sent.", image.text)
                elif "wan" in plan:
                    folded = any("Too many tracks" in t for t in image.text)
                    self.assertEqual(sum(t.startswith("to ") for t in tips),
                                     len(plan["clusters"]) if folded else len(plan["wan"]))
                elif plan["algorithm"] == "phases":
                    hosts = {m["from"] for phase in plan["phases"] for m in phase}
                    messages = len(hosts) * (len(hosts) - 1)
                    counts = [re.search(r": (\d+) messages", t) for t in tips]
                    self.assertEqual(sum(int(c.group(1)) if c else 1 for c in counts), messages)

    def test_page(self):
        for args in self.plans():
            with self.subTest(args):
                plan, page = json.loads(printed("json", args)), Page(printed("html", args))
                self.assertEqual(page.text.splitlines()[0], printed("text", args).splitlines()[0])
                self.assertRegex(page.text, "predicted [0-9.]+ [mun]?s, lower bound [0-9.]+ [mun]?s$")
                if plan["algorithm"] == "phases":
                    self.assertLessEqual({m["from"] for phase in plan["phases"] for m in phase}, set(page.names))
                if "wan" in plan:
                    ways = [(w["from_cluster"], w["to_cluster"], str(w["lanes"]), w["start_seconds"], w["arrival_seconds"])
                            for w in plan["wan"]]
                    self.assertEqual(len(page.tables[1]), len(ways))
                    for row, way in zip(sorted(page.tables[1]), sorted(ways)):
                        self.assertEqual(tuple(row[:3]), way[:3])
                        self.assertTrue(seconds(row[3], way[3]) and seconds(row[4], way[4]), (row, way))
                elif plan["predicted_seconds"] > 0 and plan["algorithm"] != "native":
                    self.assertTrue(all(page.names[row[0]] for row in page.tables[0]))

    def test_graph(self):
        for args in self.plans():
            with self.subTest(args):
                plan, graph = json.loads(printed("json", args)), Dot(printed("dot", args))
                if "wan" in plan:
                    self.assertEqual(len(graph.edges), min(40, len(plan["wan"])))
                elif len(graph.nodes) > 1:
                    self.assertTrue(any(f"{plan['load']} message" in a.get("label", "") + a.get("tooltip", "")
                                        for *_, a in graph.edges), (plan["load"], graph.edges))
                for a, b, _ in graph.edges:
                    self.assertTrue(a in graph.nodes and b in graph.nodes)


class Width(unittest.TestCase):
    def test_long_lines_are_broken(self):
        sites = "".join(f"cluster {c}\n{c}[0-3]-of-a-site-with-a-name-that-is-quite-long-and-not-yet-at-its-end\n" for c in "abc")
        links = "".join(f"link {x} latency={n}ms bandwidth={n}0Mbit/s\n" for n, x in ((2, "a b"), (3, "b c"), (4, "a c")))
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as hosts:
            hosts.write(sites + links)
            hosts.flush()
            lines = Image(printed("svg", ["--lanes=2", "-a", "packing/two-tree", "-m", "4M", hosts.name])).text
            wanted = printed("text", ["--lanes=2", "-a", "packing/two-tree", "-m", "4M", hosts.name]).splitlines()[:2]
            self.assertGreater(9.6 * len(wanted[0]), 1160)
            self.assertTrue(" ".join(lines).startswith(" ".join(wanted)), lines[:6])


class Names(unittest.TestCase):
    """What is in a hosts file stays what it is."""
    NASTY = [b"caf\xc3\xa9", b"no\xef\xbf\xbf", b"n-0_1.x", b"x" * 200]
    CLUSTERS = ["<c&d>&amp;", "q\"u'o\\N</g><!--%s%n"]  # which may have what no host may

    def hosts(self, folder):
        path = os.path.join(folder, "nasty.txt")
        with open(path, "wb") as out:
            one, other = (c.encode("ascii") for c in self.CLUSTERS)
            out.write(b"cluster " + one + b"\n" + b"\n".join(self.NASTY[:2]) + b"\ncluster " + other + b"\n" +
                      b"\n".join(self.NASTY[2:]) + b"\nlink " + one + b" " + other + b" latency=1ms bandwidth=1Gbit/s\n")
        return path

    def test_names(self):
        expected = {n.decode("utf-8") for n in self.NASTY}
        with tempfile.TemporaryDirectory() as folder:
            for operation in ("bcast", "scatter", "alltoall"):
                args = ["-o", operation, "-a", "flat/flat", self.hosts(folder)]
                if operation == "alltoall":
                    del args[2:4]
                with self.subTest(operation):
                    events = json.loads(printed("trace", args))["traceEvents"]
                    threads = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
                    self.assertLessEqual(expected, threads)
                    processes = {e["args"]["name"] for e in events if e["name"] == "process_name"}
                    self.assertLessEqual(set(self.CLUSTERS), processes)
                    image = Image(printed("svg", args))
                    if operation != "alltoall":
                        tips = {tip.split(" \u2192 ")[1].rsplit(" between sites", 1)[0].rsplit(" inside the site", 1)[0]
                                for *_, tip, _ in image.bars}
                        # what XML cannot hold is a question mark
                        self.assertEqual(tips, {n.replace("\uffff", "?") for n in expected - {"caf\u00e9"}})
                    self.assertTrue(any(self.CLUSTERS[0] in t for t in image.text))
                    page = Page(printed("html", args))
                    self.assertLessEqual({n.replace("\uffff", "?") for n in expected}, set(page.names))
                    dot = Dot(printed("dot", args))
                    if operation != "alltoall":
                        self.assertIn("<c&amp;d>&amp;amp;", dot.tokens)
                        self.assertIn("q\\\"u'o\\\\N</g><!--%s%n", dot.tokens)
                        self.assertIn("x" * 21 + "\u2026" + "x" * 10, [n["label"] for n in dot.nodes.values()])


if __name__ == "__main__":
    unittest.main()
