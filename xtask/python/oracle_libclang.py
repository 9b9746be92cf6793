"""Truth about calls in C and C++: what libclang says each call site of a tree calls, as JSON lines.

    oracle_libclang.py TREE [ARGUMENT…]

A row is a call site or a definition; `xtask/src/accuracy/oracle/rows.rs` describes both. There is no build: every directory with a
header is searched for headers, and a file that needs a header that is not there is read as far as possible.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from clang import cindex
from clang.cindex import CursorKind

SOURCES = {".c": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++"}
HEADERS = {".h", ".hh", ".hpp", ".hxx"}
CALLS = {CursorKind.CALL_EXPR}
FUNCTIONS = {
    CursorKind.FUNCTION_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
    CursorKind.FUNCTION_TEMPLATE,
}
# Without a build there is no generated header; these are what most of them would say.
DEFINES = ["-DHAVE_CONFIG_H=0", "-D_GNU_SOURCE", "-DHAVE_STDINT_H=1", "-DHAVE_UNISTD_H=1", "-DHAVE_STRING_H=1"]
# Lines of a macro's call that are searched for a name.
MACRO_LINES = 12
STANDARDS = {"c": "-std=gnu11", "c++": "-std=gnu++17"}


class Judge:
    def __init__(self, tree: Path, arguments: list[str]) -> None:
        self.tree = tree
        directories = sorted({path.parent for path in tree.rglob("*") if path.suffix in HEADERS})
        self.arguments = [*DEFINES, *(f"-I{directory}" for directory in directories), *arguments]
        self.index = cindex.Index.create()
        # Functions by their identity: the bodies, and the declarations that have none.
        self.bodies: dict[str, set[tuple[str, int]]] = {}
        self.declared: dict[str, set[tuple[str, int]]] = {}
        self.sites: dict[tuple[str, int, int, str], Any] = {}
        self.overrides: dict[tuple[str, int], set[str]] = {}
        self.lines: dict[str, list[str]] = {}

    def judge(self) -> None:
        for path in sorted(self.tree.rglob("*")):
            language = SOURCES.get(path.suffix)
            if language and path.is_file():
                self.read(path, language)
        for (file, line, _, name), (construct, callee) in sorted(self.sites.items(), key=lambda item: item[0]):
            targets = [self.target(*callee)] if callee else []
            row = {"file": file, "line": line, "name": name, "construct": construct, "targets": targets}
            print(json.dumps({"site": {**row, "whole": bool(targets)}}))
        for (file, line), keys in sorted(self.overrides.items()):
            print(json.dumps({"definition": {"file": file, "line": line, "overrides": sorted(keys)}}))

    def read(self, path: Path, language: str) -> None:
        options = ["-x", language, STANDARDS[language], *built_in(language), *self.arguments]
        try:
            unit = self.index.parse(str(path), options, options=0x200)  # keep going after a missing header
        except cindex.TranslationUnitLoadError:
            return
        waiting = [unit.cursor]
        while waiting:
            cursor = waiting.pop()
            for child in cursor.get_children():
                if cursor is unit.cursor and self.file(child) is None:
                    continue
                waiting.append(child)
                if child.kind in FUNCTIONS:
                    self.note(child)
                if child.kind in CALLS:
                    self.site(child)

    def file(self, cursor: Any) -> str | None:
        """The file of a cursor, if it is in the tree."""
        found = cursor.location.file
        if found is None:
            return None
        path = Path(found.name).resolve()
        return str(path.relative_to(self.tree)) if path.is_relative_to(self.tree) else None

    def note(self, cursor: Any) -> None:
        file = self.file(cursor)
        if file is None:
            return
        place = (file, cursor.location.line)
        known = self.bodies if cursor.is_definition() else self.declared
        known.setdefault(cursor.get_usr(), set()).add(place)
        if cursor.kind == CursorKind.CXX_METHOD:
            keys = {key(*found) for found in self.above(cursor)}
            if keys:
                self.overrides.setdefault(place, set()).update(keys)

    def above(self, method: Any) -> list[tuple[str, int]]:
        """The methods that a method overrides."""
        found = []
        waiting = [method.semantic_parent]
        while waiting:
            owner = waiting.pop()
            for base in owner.get_children() if owner else []:
                if base.kind != CursorKind.CXX_BASE_SPECIFIER:
                    continue
                parent = base.type.get_declaration()
                waiting.append(parent)
                for member in parent.get_children():
                    file = self.file(member)
                    if member.kind == CursorKind.CXX_METHOD and member.spelling == method.spelling and file:
                        found.append((file, member.location.line))
        return found

    def site(self, call: Any) -> None:
        file = self.file(call)
        if file is None:
            return
        callee = call.referenced
        name = call.spelling
        location = self.written(file, name, self.name_location(call, name))
        if location is None:
            return  # It is written in the body of a macro: no name at this place says it.
        # An implicit conversion or a construction without a written call is no call site.
        if callee is not None and callee.kind == CursorKind.CONSTRUCTOR and name != callee.spelling:
            return
        construct = self.construct(callee)
        is_function = callee is not None and callee.kind in FUNCTIONS
        found = (callee.get_usr(), callee.spelling, self.owner(callee), self.file(callee)) if is_function else None
        self.sites[file, location[0], location[1], name] = (construct, found)

    @staticmethod
    def name_location(call: Any, name: str) -> tuple[int, int]:
        """Where the name that is called is: the callee is the first child, and its name its last part."""
        first = next(iter(call.get_children()), None)
        while first is not None and first.kind in {CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR}:
            first = next(iter(first.get_children()), None)
        location = first.location if first is not None and first.spelling == name else call.location
        return location.line, location.column

    def written(self, file: str, name: str, location: tuple[int, int]) -> tuple[int, int] | None:
        """Where a name is written: libclang gives the begin of a macro's call for everything in its arguments."""
        if file not in self.lines:
            self.lines[file] = (self.tree / file).read_bytes().decode("utf-8", "replace").splitlines()
        line, column = location
        lines = self.lines[file][line - 1 : line - 1 + MACRO_LINES]
        for number, text in enumerate(lines):
            start = column - 1 if number == 0 else 0
            found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text[start:]) if name else None
            if found:
                return line + number, start + found.start() + 1
            # A name that is not where its call begins is in the arguments of a macro; a statement ends the search.
            if text.rstrip().endswith(";"):
                break
        return None

    @staticmethod
    def owner(callee: Any) -> str | None:
        parent = callee.semantic_parent
        kinds = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE}
        return parent.spelling if parent is not None and parent.kind in kinds else None

    @staticmethod
    def construct(callee: Any) -> str:
        if callee is None:
            return "call of a value"
        if callee.kind == CursorKind.FUNCTION_DECL:
            return "call of a function"
        if callee.kind == CursorKind.CXX_METHOD:
            if callee.spelling.startswith("operator"):
                return "operator"
            return "call of a virtual method" if callee.is_virtual_method() else "call of a method"
        if callee.kind == CursorKind.CONSTRUCTOR:
            return "constructor"
        return "call of a value" if callee.kind not in FUNCTIONS else "call of another function"

    def target(self, usr: str, name: str, owner: str | None, file: str | None) -> Any:
        places = sorted(self.bodies.get(usr, set()) or self.declared.get(usr, set()))
        places += sorted(self.declared.get(usr, set()) - set(places))
        head = {"name": name, "owner": owner}
        if not places or (file is None and usr not in self.bodies):
            return {**head, "outside": True, "places": [], "keys": [f"outside:{usr}"]}
        return {**head, "places": places, "keys": [key(*place) for place in places]}


def key(file: str, line: int) -> str:
    return f"{file}:{line}"


def built_in(language: str) -> list[str]:
    """The directories of the system's compiler: libclang brings no headers of its own."""
    if language not in BUILT_IN:
        command = ["cc", "-x", language, "-E", "-v", "/dev/null"]
        text = subprocess.run(command, capture_output=True, text=True, check=False).stderr
        listed = text.partition("search starts here:\n#include <...>")[2] or text.partition("#include <...>")[2]
        lines = listed.partition("End of search list")[0].splitlines()[1:]
        BUILT_IN[language] = [f"-isystem{line.strip()}" for line in lines]
    return BUILT_IN[language]


BUILT_IN: dict[str, list[str]] = {}


def main() -> None:
    Judge(Path(sys.argv[1]).resolve(), sys.argv[2:]).judge()


if __name__ == "__main__":
    main()
