"""The man pages: they are well formed, every public call has one with its prototype, and they point to pages there are.

usage: test_man.py SOURCE_FOLDER
"""

import re
import subprocess
import sys
from pathlib import Path


def prototypes_of_headers(headers):
    """name -> "type(parameter, parameter)" of each call in the public headers"""
    found = {}
    for header in headers:
        text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.S)
        for kind, name, parameters in re.findall(r"^GBCAST_API\s+([^;(]*?)(\w+)\(([^;]*)\);", text, flags=re.M):
            found[name] = tidy(f"{kind} ({parameters})")
    return found


def prototypes_of_page(page):
    """the same of a page's .Ft, .Fn, .Fo and .Fa"""
    found, kind, name, parameters = {}, "", "", []
    for line in page.read_text().splitlines():
        words = [quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', line)]
        if line.startswith(".Ft "):
            kind = " ".join(words[1:])
        elif line.startswith(".Fn ") and kind:
            found[words[1]] = tidy(f"{kind} ({', '.join(words[2:])})")
            kind = ""
        elif line.startswith(".Fo "):
            name, parameters = words[1], []
        elif line.startswith(".Fa ") and name:
            parameters += words[1:]
        elif line == ".Fc":
            found[name] = tidy(f"{kind} ({', '.join(parameters)})")
            kind, name = "", ""
    return found


def tidy(prototype):
    return re.sub(r"\s+", "", prototype)


def main():
    source = Path(sys.argv[1])
    pages = sorted((source / "docs/man").iterdir())
    wrong = []

    lint = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *pages], capture_output=True, text=True, check=False)
    wrong += lint.stdout.splitlines() + lint.stderr.splitlines()

    calls = prototypes_of_headers(sorted((source / "include/gbcast").glob("*.h")))
    assert len(calls) > 20, calls
    for name, prototype in calls.items():
        page = source / "docs/man" / f"{name}.3"
        if not page.exists():
            wrong.append(f"{name}() has no page {page}")
            continue
        told = prototypes_of_page(page).get(name)
        if told != prototype:
            wrong.append(f"{page}: {name}() is {told}, expected {prototype} as in the header")
        if not re.search(rf"^\.Nm {name}( ,)?$", page.read_text(), flags=re.M):
            wrong.append(f"{page}: {name} is not among its names")

    names = {page.name for page in pages}
    for page in pages:
        for to, section in re.findall(r"Xr (gbcast[\w-]*) (\d)", page.read_text()):
            if f"{to}.{section}" not in names:
                wrong.append(f"{page}: points to {to}({section}), which is not there")
        if page.suffix == ".3" and page.stem not in calls:
            wrong.append(f"{page}: no header has {page.stem}()")

    print("\n".join(map(str, wrong)) or f"{len(pages)} pages, {len(calls)} calls")
    return 1 if wrong else 0


sys.exit(main())
