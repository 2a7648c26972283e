"""docs/adding-an-algorithm.md, followed to the letter, makes its two algorithms candidates wherever auto looks.

usage: test_adding.py SOURCE_FOLDER C_COMPILER OBJECT_OR_LIBRARY...    what gbcast-plan is linked from
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ONE_SWITCH = "n[0-31]\n"
SWITCHES = "cluster c\nswitch core\nswitch s uplink=core\na[0-7]\nswitch t uplink=core\nb[0-7]\nswitch u uplink=core\nc[0-7]\n"
SITES = ("cluster a latency=50us bandwidth=1Gbit/s\na[0-7]\ncluster b latency=50us bandwidth=1Gbit/s\nb[0-7]\n"
         "cluster c latency=50us bandwidth=1Gbit/s\nc[0-7]\nlink a b latency=10ms bandwidth=100Mbit/s\n"
         "link b c latency=10ms bandwidth=100Mbit/s\nlink a c latency=10ms bandwidth=100Mbit/s\n")
# Links that are wider than a host's: several lanes pay.
WIDE = "".join(f"cluster {c} latency=40us bandwidth=1Gbit/s overhead=3us\n{c}[0-31]\n" for c in "abc") + (
    "link a b latency=4ms bandwidth=10Gbit/s overhead=3us\nlink a c latency=5500us bandwidth=10Gbit/s overhead=3us\n"
    "link b c latency=6500us bandwidth=10Gbit/s overhead=3us\n")

# The hosts file, the size, and how many lanes the candidate has at least.
INSIDE = {"cut on one switch": (ONE_SWITCH, "1M", 1), "whole on one switch": (ONE_SWITCH, "64", 1),
          "cut over switches": (SWITCHES, "1M", 1), "whole over switches": (SWITCHES, "64", 1),
          "cut between sites": (SITES, "1M", 1), "whole between sites": (SITES, "64", 1), "in lanes": (WIDE, "1M", 2)}
BETWEEN = {"cut": (SITES, "1M", 1), "whole": (SITES, "64", 1)}


def follow(page, source, copy):
    """Makes in `copy` the files that the page tells to make or to change; returns their paths."""
    paths = []
    for path, text in re.findall(r"`((?:inter|intra)/[\w./]+)`[^`]*:\n\n```c(?:make)?\n(.*?)```", page, re.S):
        paths.append(path)
        file = copy / path
        file.parent.mkdir(exist_ok=True)
        if not (source / path).exists():
            file.write_text(text)
            continue
        old = (source / path).read_text()
        if path.endswith(".h"):
            new = old[:old.rindex("#endif")] + text + "\n#endif\n"
        elif path.endswith("table.c"):
            new = re.sub(r"(_table\[\] = \{\n)", lambda m: m[1] + text, old, count=1)
        else:
            new = old.replace("PRIVATE\n", "PRIVATE\n" + text, 1)
        if new == old:
            raise SystemExit(f"nothing to change in {path}")
        file.write_text(new)
    return paths


def build(copy, source, compiler, parts, paths):
    flags = ["-std=c17", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror", f"-I{copy}", f"-I{source}", f"-I{source}/include"]
    sources = [str(copy / path) for path in paths if path.endswith(".c")]
    subprocess.run([compiler, *flags, "-o", copy / "gbcast-plan", *sources, *parts, "-lm"], check=True)


def has_candidate(copy, column, hosts, size, lanes):
    """Whether --compare has the algorithm in the column with at least so many lanes."""
    (copy / "hosts.txt").write_text(hosts)
    out = subprocess.run([copy / "gbcast-plan", copy / "hosts.txt", "-m", size, "--compare"], check=True, stdout=subprocess.PIPE,
                         text=True).stdout
    for line in out.splitlines()[3:]:
        words = line.lstrip("* ").split()
        if words[column] == "ternary" and (lanes == 1 or int(words[2]) >= lanes):
            return True
    print(out)
    return False


def main():
    source, compiler, *parts = sys.argv[1:]
    source = Path(source)
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        paths = follow((source / "docs/adding-an-algorithm.md").read_text(), source, copy)
        expected = {f"{room}/{file}" for room, header in (("intra", "algorithms.h"), ("inter", "trees.h"))
                    for file in ("ternary.c", header, "CMakeLists.txt", "table.c")}
        if set(paths) != expected:
            wrong.append(f"the page has {sorted(paths)}, expected {sorted(expected)}")
        for room in ("intra", "inter"):
            listed = set(re.findall(r"\w+\.c\b", (copy / room / "CMakeLists.txt").read_text()))
            there = {file.name for folder in (source, copy) for file in (folder / room).glob("*.c")}
            if listed != there:
                wrong.append(f"{room}/CMakeLists.txt and the folder differ in {sorted(listed ^ there)}")
        build(copy, source, compiler, parts, paths)
        for column, places in ((1, INSIDE), (0, BETWEEN)):
            for place, (hosts, size, lanes) in places.items():
                if not has_candidate(copy, column, hosts, size, lanes):
                    wrong.append(f"ternary {('between', 'inside')[column]} is no candidate: {place}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
