"""The packages' descriptions in scripts/packaging agree with the source: version, licence, options of CMake, packages to build with.

usage: packaging.py SOURCE_FOLDER
"""

import ast
import re
import sys
from pathlib import Path


def debian(source):
    folder = source / "scripts/packaging/debian"
    header = (source / "include/gbcast/gbcast.h").read_text()
    version = ".".join(re.findall(r"#define GBCAST_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
    found = re.match(r"gbcast \(([\d.]+)-", (folder / "changelog").read_text())
    if not found or found[1] != version:
        yield f"{folder}/changelog is not for {version}"
    _, _, licence = (folder / "copyright").read_text().rpartition("License: BSD-3-clause\n")
    if licence.replace("\n .\n", "\n\n").split() != (source / "LICENSE").read_text().split()[9:]:
        yield f"{folder}/copyright has another licence than LICENSE"
    control = (folder / "control").read_text()
    needed = re.search(r"^Build-Depends:\n((?: .*\n)+)", control, re.MULTILINE)[1]
    installed = (source / "scripts/install-deps").read_text()
    for package in re.findall(r"^ ([\w.-]+)", needed, re.MULTILINE):
        if package != "debhelper-compat" and not re.search(rf"[( ]{re.escape(package)}[ )\n]", installed):
            yield f"{folder}/control needs {package}, which scripts/install-deps does not install"
    for name in re.findall(r"^Package: (\S+)", control, re.MULTILINE):
        if not (folder / f"{name}.install").exists():
            yield f"{folder}/{name}.install is missing"


def spack(source):
    file = source / "scripts/packaging/spack/spack_repo/gbcast/packages/gbcast/package.py"
    text = file.read_text()
    ast.parse(text, str(file))
    if file.parents[int(re.search(r"parents\[(\d)\]", text)[1])] != source:
        yield f"{file}: CLONE is not the clone"
    options = set(re.findall(r"^(?:option|set)\((GBCAST_\w+)", (source / "CMakeLists.txt").read_text(), re.MULTILINE))
    for name in re.findall(r'"(GBCAST_\w+)"', text):
        if name not in options:
            yield f"{file}: CMakeLists.txt has no option {name}"
    for _, variant in re.findall(r'define_from_variant\("(\w+)", "(\w+)"\)', text):
        if f'variant("{variant}"' not in text:
            yield f"{file} has no variant {variant}"


def main():
    source = Path(sys.argv[1]).resolve()
    wrong = [*debian(source), *spack(source)]
    print("\n".join(wrong) or "the packages' descriptions agree with the source")
    return 1 if wrong else 0


sys.exit(main())
