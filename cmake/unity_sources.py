#!/usr/bin/env python3
"""Writes sources that include several sources of a target each (cmake/Unity.cmake).

Reads the paths of sources from standard input, one a line, writes the units into a folder and prints
the path of what is to be compiled, one a line: a unit, or a source that fits into none.

Sources of one language come together as long as the compiler cannot tell the difference: a name that one of them
declares for itself alone (in a namespace without a name, or static) occurs in no other source of the
unit, nor is it declared by a header that only another source includes. All headers come before the
first source, so that they see none of these names.
"""

import argparse
import functools
import itertools
import pathlib
import re
import sys

# Comments and literals: names in them mean nothing to the compiler.
_NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
_HEADER = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<][^">]+[">])', re.M)
_MACRO_OR_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:define|if|ifdef|ifndef)\b", re.M)
_WORD = re.compile(r"[A-Za-z_]\w*")
_NAMELESS = re.compile(r"\bnamespace\s*\{")
_NAMED = re.compile(r"\bnamespace\s+[\w:]+\s*\{")
_FIXTURES = re.compile(r"\bnamespace\s+weft::testing\s*\{")
_STATIC = re.compile(r"^static\b[^;{]*", re.M)
_ALIAS = re.compile(r"^(?:using\s+[\w:]+|(?:using|namespace)\s+\w+\s*=[^;]*);", re.M)
_ANGLES = re.compile(r"<[^<>]*>")
_TEST = re.compile(r"\s*(?:TYPED_)?(?:TEST|TEST_\w|INSTANTIATE\w+)\s*\(")
_TYPE = re.compile(r"\s*(?:template\s+)?(?:class|struct|union|enum(?:\s+class)?)\s+(\w+)")
_FURTHER = re.compile(r",\s*(\w+)\s*(?=[={\[]|$)")  # `int a = 1, b = 2`; a parameter found so does no harm
# The object of a registration, which nothing names again: a unit gives each its number.
_NUMBERED = "registered"
# Overloads for settings of their own (registry/functions/fields.h): their argument tells them apart.
_OVERLOADED = "fields"
_NAME = re.compile(r"\b(?!(?:decltype|alignas|noexcept|requires)\b)(operator\b|\w+(?=\s*(?:[({=\[]|$)))")


def declarations(code, start):
    """The declarations of a namespace whose brace ends before `start`, without their bodies."""
    depth, part = 1, []
    for character in code[start:]:
        if character == "{":
            depth += 1
            if depth == 2:
                part.append(character)
        elif character == "}":
            depth -= 1
            if depth == 0:
                return
        elif depth == 1:
            part.append(character)
        if depth == 1 and character in ";}":
            yield "".join(part).rstrip(";")
            part = []


def declared_names(declaration):
    """The names that a declaration introduces; none for a test, which GoogleTest names after its suite."""
    if _TEST.match(declaration):
        return set()
    plain, shorter = None, declaration
    while plain != shorter:
        plain, shorter = shorter, _ANGLES.sub(" ", shorter)
    kind = _TYPE.match(plain)
    first = kind or _NAME.search(plain.strip())
    return {first.group(1), *(() if kind else _FURTHER.findall(plain))} if first else set()


def aliases_of(code):
    """The names that a source gives to what has one already, and their meaning. Two sources may say the same."""
    aliases = {}
    for alias in _ALIAS.findall(code):
        words = _WORD.findall(alias)
        aliases[words[1] if "=" in alias else words[-1]] = " ".join(alias.split())
    return aliases


def names_in(code, namespaces):
    """The names declared directly in the namespaces that a pattern finds, aliases left aside."""
    parts = [part for namespace in namespaces.finditer(code) for part in declarations(code, namespace.end())]
    names = set().union(*(declared_names(part) for part in parts if not _ALIAS.match(part.strip() + ";")))
    return names - {_NUMBERED, _OVERLOADED}


class Header:
    """A header of the project: the names that it declares, and the headers that it includes."""

    def __init__(self, path, roots):
        text = path.read_text(encoding="utf-8", errors="replace")
        code = code_of(text)
        self.names = names_in(code, _NAMED) | set(aliases_of(code))
        self.included = included(text, roots)
        self.opens_fixtures = bool(_FIXTURES.search(code))


@functools.lru_cache(maxsize=None)
def header_at(path, roots):
    return Header(path, roots)


def code_of(text):
    return _DIRECTIVE.sub("", _NOT_CODE.sub(" ", text))


def included(text, roots):
    """The project's headers that a text includes itself: those below one of the roots."""
    paths = (root / name[1:-1] for name in _HEADER.findall(text) for root in roots)
    return [path for path in paths if path.is_file()]


def headers_below(text, roots):
    """All headers of the project that a text includes, through others too."""
    found, waiting = {}, included(text, roots)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found[path] = header_at(path, roots)
            waiting.extend(found[path].included)
    return found.values()


class Source:
    """A source: the names that it declares for itself, the words that it uses, its headers and aliases."""

    def __init__(self, path, roots):
        text = path.read_text(encoding="utf-8", errors="replace")
        code = code_of(text)
        headers = headers_below(text, roots)
        self.path = path
        self.name = path.relative_to(roots[0]).as_posix()
        self.headers = _HEADER.findall(text)
        self.given = set().union(*(header.names for header in headers))
        # In sources that see weft::testing, `testing` means that, not GoogleTest's.
        self.fixtures = any(header.opens_fixtures for header in headers)
        self.aliases = aliases_of(code if self.fixtures else code.replace("using ::", "using "))
        self.words = set(_WORD.findall(code))
        self.names = names_in(code, _NAMELESS)
        self.names.update(*(declared_names(line) for line in _STATIC.findall(code)))
        self.names.discard(_NUMBERED)
        # Macros, operators and whole namespaces reach into sources that do not name them; headers behind a condition
        # may not come first.
        self.alone = bool(_MACRO_OR_CONDITION.search(text)) or "operator" in self.names or "using namespace" in code

    def conflicts(self, other):
        """Whether a name of this source would be seen by another one, or mean two things in one of them."""
        if not self.names.isdisjoint(other.words):
            return True
        if any(name in other.given and name not in self.given for name in self.names | set(self.aliases)):
            return True
        return any(name in other.words and other.aliases.get(name) != meaning
                   for name, meaning in self.aliases.items())


def grouped(sources, most):
    """Lists of sources, each with at most `most`: every source goes into the first list that takes it.

    Those that fit beside few others choose first, while all lists have room: a fifth fewer lists. How many these are
    counts in powers of two, so that one more name in a source seldom sends others elsewhere.
    """
    apart = {source: set() for source in sources}
    for source, other in itertools.combinations(sources, 2):
        if not fit(source, other):
            apart[source].add(other)
            apart[other].add(source)
    units = []
    for source in sorted(sources, key=lambda source: -len(apart[source]).bit_length()):
        unit = next((unit for unit in units if len(unit) < most and apart[source].isdisjoint(unit)), None)
        if unit is None:
            units.append([source])
        else:
            unit.append(source)
    return units


def fit(source, other):
    if source.alone or other.alone or source.fixtures != other.fixtures or source.path.suffix != other.path.suffix:
        return False
    return not source.conflicts(other) and not other.conflicts(source)


def write_unit(path, unit):
    """Writes the unit where it is another than before: the compiler's work of an earlier time stays good."""
    headers = dict.fromkeys(header for source in unit for header in source.headers)
    lines = [f"#include {header}" for header in headers]
    for number, source in enumerate(unit):
        lines += [f"#define {_NUMBERED} {_NUMBERED}_{number}", f'#include "{source.name}"', f"#undef {_NUMBERED}"]
    text = "\n".join(lines) + "\n"
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True, action="append",
                        help="a folder that includes are relative to; sources lie below the first")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="the folder of the units")
    parser.add_argument("--most", type=int, required=True, help="the most sources of a unit")
    words = parser.parse_args()
    roots = tuple(words.root)
    sources = [Source(pathlib.Path(line), roots) for line in sys.stdin.read().split("\n") if line]
    words.folder.mkdir(parents=True, exist_ok=True)
    for unit in grouped(sources, words.most):
        if len(unit) == 1:
            print(unit[0].path)
            continue
        path = words.folder / unit[0].name.replace("/", "_")
        write_unit(path, unit)
        print(path)


if __name__ == "__main__":
    main()
