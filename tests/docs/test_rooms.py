"""scripts/rooms names everything that is wrong with the folders and includes of a small tree, with file and line, and nothing in a
tree that is right.

usage: test_rooms.py SOURCE_FOLDER
"""

import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = """# Where things are

| room | holds | may include |
|---|---|---|
| `include/gbcast/` | the public headers | |
| `low/` | what others stand on | `include/gbcast` |
| `part/one/` | one part | `include/gbcast`, `low` |
| `part/two/` | another | `part/one` |
| `top/` | the whole | `low`, `part` |
"""

RIGHT = {
    "CONTRIBUTING.md": TABLE,
    "include/gbcast/error.h": "#ifndef GBCAST_ERROR_H\n#define GBCAST_ERROR_H\ntypedef struct gbcast_error gbcast_error;\n#endif\n",
    "low/low.h": "/* Text. */\n#ifndef GB_LOW_LOW_H\n#define GB_LOW_LOW_H\n#include \"low/own.h\"\n#include <gbcast/error.h>\n"
                 "struct gb_low {\n  int a;\n};\n#endif\n",
    "low/own.h": "#ifndef GB_LOW_OWN_H\n#define GB_LOW_OWN_H\ntypedef struct gb_own {\n  struct {\n    int b;\n  } c;\n} gb_own;\n"
                 "typedef int gb_call(int a);\n#endif\n",
    "low/low.c": "#include \"low/low.h\"\n/* struct gb_one { is in another room. */\nconst char *const text = \"struct gb_one {\";\n",
    "part/one/one.h": "#ifndef GB_PART_ONE_ONE_H\n#define GB_PART_ONE_ONE_H\n#include \"low/low.h\"\n"
                      "typedef struct gb_own gb_own;\ntypedef struct gb_one {\n  int a;\n} gb_one;\n#endif\n",
    "part/two/two.h": "#ifndef GB_PART_TWO_TWO_H\n#define GB_PART_TWO_TWO_H\n#include \"part/one/one.h\"\n#endif\n",
    "top/main.c": "#include \"low/low.h\"\n#include \"part/one/one.h\"\n#include \"part/two/two.h\"\n#include <stdio.h>\n"
                  "#include \"generated.inc\"\n",
    "tests/any.h": "#ifndef GB_ANY_H\n#define GB_ANY_H\n#include \"low/own.h\"\n#include \"part/two/two.h\"\ntypedef int gb_own;\n#endif\n",
}

# Each is put into the right tree by itself: {file: text}, and the lines that are to be printed.
WRONG = {
    "an arrow that the table does not have": (
        {"part/one/up.c": "#include <stdio.h>\n\n#include \"part/two/two.h\"\n"},
        ["part/one/up.c:3: part/one may not include part/two: part/two/two.h",
         "part/one/up.c:3: circle of rooms: part/one -> part/two -> part/one"]),
    "what a parent's name stands for": (
        {"CONTRIBUTING.md": TABLE + "| `top/text/` | texts | `low` |\n| `top/more/` | more | `top` |\n| `end/` | the end | `top` |\n",
         "top/top.h": "#ifndef GB_TOP_TOP_H\n#define GB_TOP_TOP_H\n#endif\n",
         "top/text/text.h": "#ifndef GB_TOP_TEXT_TEXT_H\n#define GB_TOP_TEXT_TEXT_H\n#endif\n",
         "top/more/a.c": "#include \"top/top.h\"\n#include \"top/text/text.h\"\n",
         "end/a.c": "#include \"top/top.h\"\n#include \"top/text/text.h\"\n"},
        ["top/more/a.c:2: top/more may not include top/text: top/text/text.h"]),
    "a circle of rooms": (
        {"low/up.c": "#include \"top/top.h\"\n", "top/top.h": "#ifndef GB_TOP_TOP_H\n#define GB_TOP_TOP_H\n#endif\n"},
        ["low/up.c:1: circle of rooms: low -> top -> low", "low/up.c:1: low may not include top: top/top.h"]),
    "a private header of another room": (
        {"top/peep.c": "#include \"low/low.h\"\n#include \"low/own.h\"\n"},
        ["top/peep.c:2: low/own.h is private to low"]),
    "a header outside of the rooms": (
        {"low/out.c": "#include \"tests/any.h\"\n"},
        ["low/out.c:1: tests/any.h is in no room"]),
    "a circle of headers": (
        {"top/a.h": "#ifndef GB_TOP_A_H\n#define GB_TOP_A_H\n#include \"top/b.h\"\n#endif\n",
         "top/b.h": "#ifndef GB_TOP_B_H\n#define GB_TOP_B_H\n#include \"c.h\"\n#endif\n",
         "top/c.h": "#ifndef GB_TOP_C_H\n#define GB_TOP_C_H\n#include \"low/low.h\"\n\n#include \"top/a.h\"\n#endif\n"},
        ["top/a.h:3: circle of headers: top/a.h -> top/b.h -> top/c.h -> top/a.h"]),
    "an include guard of another path": (
        {"top/a.h": "/* Text. */\n\n#ifndef GB_A_H\n#define GB_A_H\n#endif\n"},
        ["top/a.h:3: include guard GB_A_H, expected GB_TOP_A_H"]),
    "no include guard": (
        {"top/a.h": "int a;\n"},
        ["top/a.h:1: include guard missing, expected GB_TOP_A_H"]),
    "a repeated include guard": (
        {"tests/more/any.h": "\n#ifndef GB_ANY_H\n#define GB_ANY_H\n#endif\n"},
        ["tests/more/any.h:2: include guard GB_ANY_H is also in tests/any.h:1"]),
    "two structs, typedefs and enums of one name": (
        {"top/a.c": "\nstruct gb_low {\n  int a;\n};\ntypedef int (*gb_call)(int);\n", "top/b.c": "enum kind { A };\n",
         "top/c.c": "enum kind { B };\ntypedef unsigned gb_one;\n"},
        ["top/a.c:2: type gb_low is also in low/low.h:6",
         "top/a.c:5: type gb_call is also in low/own.h:8",
         "top/c.c:1: type kind is also in top/b.c:1",
         "top/c.c:2: type gb_one is also in part/one/one.h:5"]),
    "a room without files": (
        {"CONTRIBUTING.md": TABLE + "| `gone/` | nothing | `low` |\n"},
        ["CONTRIBUTING.md:10: gone/ has no files"]),
    "a name that is no room": (
        {"CONTRIBUTING.md": TABLE.replace("`low`, `part`", "`lower`, `part`")},
        ["CONTRIBUTING.md:9: `lower` is no room of the table"]),
}


def printed(rooms, more):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        for path, text in {**RIGHT, **more}.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        run = subprocess.run([sys.executable, rooms, folder], capture_output=True, text=True, check=False)
        return run.returncode, sorted((run.stdout + run.stderr).replace(folder + "/", "").splitlines())


def main():
    rooms = Path(sys.argv[1], "scripts", "rooms")
    cases = {"a tree that is right": ({}, []), **WRONG}
    wrong = 0
    for name, (more, expected) in cases.items():
        found = printed(rooms, more)
        if found != (1 if expected else 0, sorted(expected)):
            print(f"{name}: exit {found[0]}, printed\n  " + "\n  ".join(found[1]) + "\nexpected\n  " + "\n  ".join(expected))
            wrong += 1
    print(f"{len(cases)} trees, {wrong} of them not as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
