"""What the installed documents refer to is there: each relative link and anchor, each example and header, each command and manual page.
What only the source has, a path in scripts/, tests/, bench/ or build/, they name in commands only where they say that a clone is
needed: in the paragraph, in its section, or at the head of the page.

usage: documents.py PREFIX
"""

import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"(?<![\w./-])(examples|include/gbcast|scripts|tests|bench|build)/[\w./-]*\w")
COMMAND = re.compile(r"(?<![\w./-])gbcast-(?:plan|probe|bench|nws)\b")
MANUAL = re.compile(r"(?<![\w/-])(gbcast[\w-]*)\((\d)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(page):
    """What # leads to, as GitHub makes it of the headings."""
    titles = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def dead_links(page):
    for target in LINK.findall(FENCE.sub("", page.read_text())):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        file = page.parent / path if path else page
        if not file.exists():
            yield f"link to {path}, which is not installed"
        elif anchor and anchor not in anchors(file):
            yield f"link to {target}, which has no such heading"


def sections(page):
    """The text of each section, and the head of the page before it, where that says what holds for all."""
    head, *rest = re.split(r"^(?=## )", page.read_text(), flags=re.MULTILINE)
    yield "", head
    for section in rest:
        yield head, section


def missing(page, prefix):
    documents = prefix / "share/doc/gbcast"
    for head, section in sections(page):
        cloned = "clone" in head or "clone" in section
        for paragraph in re.split(r"\n\n+", section):
            for found in PATH.finditer(paragraph):
                root = {"examples": documents, "include/gbcast": prefix}.get(found[1])
                is_command = re.search(rf"^    .*{re.escape(found[0])}", paragraph, re.MULTILINE)
                if root is not None and not (root / found[0]).exists() and "clone" not in paragraph:
                    yield f"{found[0]} is not installed"
                if root is None and is_command and not cloned:
                    yield f"command with {found[0]}, which only a clone has, and nothing says so"
        for name in COMMAND.findall(section):
            if not (prefix / "bin" / name).exists():
                yield f"{name} is not installed"
        for name, number in MANUAL.findall(section):
            page_file = prefix / f"share/man/man{number}/{name}.{number}"
            if not page_file.exists() and not page_file.with_name(page_file.name + ".gz").exists():
                yield f"{name}({number}) is not installed"


def main():
    prefix = Path(sys.argv[1])
    pages = sorted((prefix / "share/doc/gbcast").rglob("*.md"))
    assert len(pages) > 10, pages
    wrong = [f"{page}: {what}" for page in pages for what in (*dead_links(page), *missing(page, prefix))]
    print("\n".join(wrong) or f"{len(pages)} documents")
    return 1 if wrong else 0


sys.exit(main())
