#!/usr/bin/env python3
"""Finds words that the project does not use for a thing: check_words.py [FOLDER]

Reads every source, script and document that git knows in FOLDER (the checkout), tells comments and
documents from code, and prints `FILE:LINE: "FOUND"; the word is WANTED` for each word of the table
below that is not allowed there, and a line for each sentence that begins with "What" or "Who". An
allowance that allows nothing is reported too. Exits with 1 where there is anything to report.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

KINDS = (".cc", ".h", ".cu", ".py", ".sh", ".cmake", ".md", "CMakeLists.txt", ".ci/run", ".ci/nightly")
SKIPPED = ("tests/conformance/data/", "tests/fuzz/corpus/", "configs/", "docs/reference/", "docs/commands.md")

# The places of a word: "text" is comments and documents, "name" identifiers, quoted ones too.
# (pattern, wanted word, "text", "name" or both, files)
WORDS = [
    (r"\bways? back\b", "backward pass", "text", "*"),
    (r"\b(?:and|but|by|or) who\b", "the one who is meant, by name", "text", "*"),
    (r"\b[Ww]hoever\b", "the one who is meant, by name", "text", "*"),
    (r"\bways? forward\b", "forward pass", "text", "*"),
    (r"\b(?<!dot )(?<!matrix )(?<!partial )[Pp]roducts?\b", "GEMM, matrix product", "text", "framework/[bonp]*"),
    (r"\b(?<!dot )(?<!matrix )(?<!partial )[Pp]roducts?\b", "GEMM, matrix product", "text", "docs/*"),
    (r"\b(?:\w+_)?products?(?:_\w+)?\b|\w*Products?(?!Traits)\w*", "gemm, Gemm", "name", "framework/[bo]*"),
    (r"\b(?:\w+_)?strips?(?:_\w*)?\b|\w*Strips?\w*", "row block, panel, tile", "text name", "framework/*"),
    (r"\bstrips?\b", "row block, panel, tile", "text", "*"),
    (r"\bk?Kept[A-Z]?\w*|\bkept_(?:mask|row)\b", "Saved", "name", "[!t]*"),
    (r"\bLyingRows\b|\blying_rows\b", "StridedRows", "name", "*"),
    (r"\bof_fresh\b|\bis_fresh\b", "accumulator_of, is_uninitialised", "name", "*"),
    (r"\bbring_(?:\w+_)?back\b", "copy_weights_to_host", "name", "*"),
    (r"\bsettled?\b", "a verb that says what is done", "name", "*"),
    (r"\b(?:\w+_)?steps?_?(?:\.|->)take\b", "run", "name", "*"),
    (r"\b(?!Pipeline)[A-Z]?\w*Plan\b", "a word for its content", "name", "framework/*"),
    (r"(?<!\w)settings\.(?:h|cc)\b", "a file name with its subject", "text name", "*"),
    (r"\btoken_scores?\b", "tokenization_scores", "text name", "*"),
    (r"\b(?:d_)?gain\b", "gamma of the layer norm", "name", "framework/*"),
    (r"\bd_shift\b", "d_bias", "name", "*"),
    (r"\b[Rr]ooms?\b(?! (?:for|to)\b)", "module", "text", "docs/*"),
]

# (files, pattern of the found word, reason)
ALLOWED = [
    ("tools/check_words.py", r".*", "this table"),
    ("CHANGELOG.md", r".*", "tells the old names"),
    ("docs/a*.md", r"products?", "results of registered functions have this name"),
    ("docs/plugins.md", r"[Pp]roducts?", "results of registered functions have this name"),
    ("framework/precision/loss_scaler.cc", r"product", "of two numbers"),
    ("framework/text/example.cc", r"strip", "of white space"),
]


def files_below(root):
    names = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return [name for name in names
            if name.endswith(KINDS) and not name.startswith(SKIPPED) and (root / name).is_file()]


def blank(found):
    return "\n" * found.group().count("\n")


def lines_of_cpp(text):
    """(code, comment) of every line; literals are left out, but for included paths."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', blank, text, flags=re.DOTALL)
    for line in text.split("\n"):
        if not line.startswith("#include"):
            line = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'', "", line)
        code, _, comment = line.partition("//")
        yield code, comment.strip(" /")


def lines_of_script(text):
    in_text = False
    for line in text.split("\n"):
        if line.count('"""') == 1:
            in_text = not in_text
            yield "", line.replace('"""', "").strip()
        elif in_text or '"""' in line:
            yield "", line.replace('"""', "").strip()
        else:
            code, sign, comment = re.sub(r'"(?:\\.|[^"\\])*"', "", line).partition("#")
            yield (code, comment.strip()) if not code.strip() or code.endswith(" ") else (code + sign, "")


def lines_of_document(text):
    in_code = False
    for line in text.split("\n"):
        if line.startswith("```"):
            in_code = not in_code
            yield "", ""
        else:
            yield (line, "") if in_code else ("", line.strip())


def lines_of(name, text):
    if name.endswith((".cc", ".h", ".cu")):
        return lines_of_cpp(text)
    return lines_of_document(text) if name.endswith(".md") else lines_of_script(text)


def sentences(before, text):
    """Parts of the line that have What, Who or Such as their subject; `before`: the line above it."""
    text = re.sub(r"^(?:[-*#>|]+|\d+\.) +", "", text)
    begins = not before or before.endswith((".", "!", "?", "|")) or text.startswith("**")
    found = re.findall(r"(?:^|(?<=[.!?] ))\**(?:What|Who|Such)(?:ever)?\b[^.!?]*\??", text)
    found = [part for part in found
             if not part.endswith("?") and (begins or not text.startswith(part))]
    goes_on = r"(?:^|(?<=; ))" if before.endswith(";") else r"(?<=; )"
    found += re.findall(goes_on + r"(?:what|who)(?:ever)?\b(?!\()[^.;]*", text)
    return found + re.findall(r"\b(?:so|so that|because|since) what\b[^.;]*", text)


def findings(name, text):
    words = [word for word in WORDS if fnmatch.fnmatch(name, word[3])]
    before = ""
    for number, (code, comment) in enumerate(lines_of(name, text), 1):
        quoted = " ".join(re.findall(r"`([^`]*)`", comment))
        prose = re.sub(r"`[^`]*`", "`", comment)
        for pattern, wanted, places, _ in words:
            where = (prose if "text" in places else "") + " " + (f"{code} {quoted}" if "name" in places else "")
            if "text" in places and name.endswith(".md"):
                where += " " + code  # formulas and outputs between the lines of a document
            for found in re.finditer(pattern, where):
                yield number, found.group(), f'"{found.group()}"; the word is {wanted}'
        for part in sentences(before, comment):
            yield number, part.split()[0], f'the subject of "{part[:30]}" is no thing; name it'
        # Behind code it says something of that line alone.
        before = "" if code.strip() else comment


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    used, failed = set(), False
    for name in files_below(root):
        for line, word, message in findings(name, (root / name).read_text(encoding="utf8")):
            allowed = [entry for entry in ALLOWED
                       if fnmatch.fnmatch(name, entry[0]) and re.fullmatch(entry[1], word)]
            used.update(allowed)
            if not allowed:
                failed = True
                print(f"{name}:{line}: {message}")
    for files, word, reason in ALLOWED:
        if (files, word, reason) not in used and (root / files.split("*")[0]).exists():
            failed = True
            print(f'tools/check_words.py: nothing in {files} needs "{word}" ({reason})')
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
