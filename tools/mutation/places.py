"""Finds the places of a C++ source where a small bug can be planted, and finds them again by their text.

A place is named by its kind, its column in its line, the old and the new text, and as many lines above as make
its line the only one of the file. So it is found again after edits elsewhere, and is "gone" once its own lines
were rewritten. Nothing is parsed: the sources are formatted by clang-format, which writes spaces around binary
operators and none beside the angle brackets of templates. Mistakes that do not compile are found out by compiling.
"""
import dataclasses
import re

# Their text is hidden from the patterns below, without a change of length.
HIDDEN = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
                        |R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z])'(?:\\.|[^'\\\n])+'""",
                    re.S | re.M | re.X)
# A line of tables may stand at many places; no more than these lines above are compared.
MOST_CONTEXT = 12

BINARY = {"comparison": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
          "logic": {"&&": "||", "||": "&&"},
          "sign": {"+": "-", "-": "+", "+=": "-=", "-=": "+=", "*": "/", "/": "*", "*=": "/=", "/=": "*="}}
OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||[-+*/]=|[<>+\-*/])(?=\s)")
MINUS = re.compile(r"(?:(?<=[(\[])|(?<=[=,?:] )|(?<=return ))-(?=\w)")
INTEGER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F']+|\d[\d']*)(?:[uUlLzZ]*)(?![\w.])")
FLOAT = re.compile(r"(?<![\w.])(\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)[fFlL]?(?![\w.])")
RETURN = re.compile(r"\breturn\b([^;{}]*);")
JUMP = re.compile(r"\b(?:break|continue);")
CONDITION = re.compile(r"\b(?:if|while) \(")
CALL = re.compile(r"(?:(?<=[;{})])|(?<=:(?=\n))|(?<=\belse))\s+(?P<head>[A-Za-z_][\w:.]*(?:(?:->|\(\)[.]|\(\)->)[\w:.]+)*)\(")
NO_CALLS = {"if", "while", "for", "switch", "return", "throw", "static_assert", "sizeof", "catch"}
# Returning these already is the same as returning the value of an empty `{}`.
EMPTY = {"", "{}", "0", "0.0", "nullptr", "std::nullopt", "*this"}


@dataclasses.dataclass(frozen=True)
class Place:
    kind: str
    start: int
    old: str
    new: str


def hidden(text):
    def cover(match):
        filler = " " if match["comment"] else '"'
        return re.sub(r"[^\n]", filler, match[0])
    return HIDDEN.sub(cover, text)


def closing(text, opened):
    """The index behind the parenthesis that closes the one at `opened`."""
    depth = 0
    for at in range(opened, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


def operators(text):
    for match in OPERATOR.finditer(text):
        for kind, others in BINARY.items():
            if match[0] in others:
                yield Place(kind, match.start(), match[0], others[match[0]])
    for match in MINUS.finditer(text):
        yield Place("sign", match.start(), "-", "")


def constants(text):
    for match in INTEGER.finditer(text):
        value = int(match[1].replace("'", ""), 0 if match[1].startswith("0x") else 10)
        suffix = match[0][len(match[1]):]
        for other in (value + 1, value - 1)[:2 if value > 0 else 1]:
            shown = hex(other) if match[1].startswith("0x") else str(other)
            yield Place("integer", match.start(), match[0], shown + suffix)
    for match in FLOAT.finditer(text):
        suffix = match[0][len(match[1]):]
        value = float(match[1])
        yield Place("float", match.start(), match[0], repr(value * 2 or 1.0) + suffix)


def returns(text, source):
    for match in RETURN.finditer(text):
        value = match[1].strip()
        flipped = {"true": "return false;", "false": "return true;", "": "{}"}.get(value)
        if flipped or value not in EMPTY:
            old = source[match.start():match.end()]
            yield Place("return", match.start(), old, flipped or "return {};")
    for match in JUMP.finditer(text):
        yield Place("jump", match.start(), match[0], "{}")


def calls_and_conditions(text, source):
    for match in CALL.finditer(text):
        start, end = match.start("head"), closing(text, match.end() - 1)
        if match["head"] not in NO_CALLS and text[end:end + 1] == ";":
            yield Place("call", start, source[start:end + 1], "{}")
    for match in CONDITION.finditer(text):
        start, end = match.end(), closing(text, match.end() - 1) - 1
        if not re.search(r";| = ", text[start:end]):
            yield Place("condition", start, source[start:end], f"!({source[start:end]})")


def places(source):
    """All places of a file's text, in their order."""
    text = hidden(source)
    found = [*operators(text), *constants(text), *returns(text, source), *calls_and_conditions(text, source)]
    return sorted(found, key=lambda place: (place.start, place.kind, place.new))


def squeezed(text):
    return " ".join(text.split())


def lines_until(source, start):
    """The lines up to the one of `start`, without indentation and blank ones, and the column in the last one."""
    begin = source.rfind("\n", 0, start) + 1
    line = source[begin:].split("\n", 1)[0]
    above = [text for text in map(str.strip, source[:begin].split("\n")) if text]
    return above + [line.strip()], start - begin - (len(line) - len(line.lstrip()))


def occurrences(lines, run):
    return sum(lines[at:at + len(run)] == run for at in range(len(lines) - len(run) + 1))


def named(source, place, file):
    """The record of a place: what `located` finds it by."""
    until, column = lines_until(source, place.start)
    everything = [text for text in map(str.strip, source.split("\n")) if text]
    wanted = 1
    while wanted < min(MOST_CONTEXT, len(until)) and occurrences(everything, until[-wanted:]) > 1:
        wanted += 1
    return {"file": file, "kind": place.kind, "lines": until[-wanted:], "column": column,
            "old": squeezed(place.old), "new": squeezed(place.new)}


def located(source, record):
    """The place that a record names, or None where its text is gone or stands there twice."""
    found = []
    for place in places(source):
        if (place.kind, squeezed(place.old), squeezed(place.new)) != (record["kind"], record["old"], record["new"]):
            continue
        until, column = lines_until(source, place.start)
        if column == record["column"] and until[-len(record["lines"]):] == record["lines"]:
            found.append(place)
    return found[0] if len(found) == 1 else None
