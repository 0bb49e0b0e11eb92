#!/usr/bin/env python3
"""Find the same patterns with weft and with spaCy, in turns, each time in a new process.

    compare_matchers.py FOLDER [--rounds 3] [--program build/bench/matcher_speed] [--tokens N,N,...]
                        [--patterns N,N,...] [--phrases N,N,...] [--phrase-tokens N] [--ours]

Needs spaCy 3.8 in the Python that runs it. Texts and patterns are drawn by a seed and written below
FOLDER: words by a Zipf law from a list of 50,000, documents of 1,000 words; token patterns of two to four
tokens, most of them words, some with operators, lists and expressions; phrases of one to four words, half
of them taken from other texts of the same kind. Prints a Markdown table: processor time of adding and of
finding in seconds, the memory that the patterns took in MB, the median of the rounds. With --ours spaCy
is left out, to show growth. Exits with 1 where the two find different numbers of matches.
"""
import argparse
import itertools
import json
import pathlib
import random
import statistics
import subprocess
import sys
import time

SPACY = "--as-spacy"
VOCABULARY = 50_000
DOCUMENT = 1_000


def words_of(draw):
    letters = "etaoinshrdlucmfwygpbvkxqjz"
    return ["".join(draw.choice(letters[:12 + i % 14]) for _ in range(2 + i % 9)) + str(i) * (i % 50 == 0)
            for i in range(VOCABULARY)]


SHARES = list(itertools.accumulate(1 / (i + 2.7) for i in range(VOCABULARY)))  # of words up to each


def texts(draw, words, tokens):
    return draw.choices(words, cum_weights=SHARES, k=tokens)


def token_pattern(draw, words):
    some = texts(draw, words, 4)
    pattern = []
    for word in some[:draw.randint(2, 4)]:
        kind = draw.random()
        if kind < 0.7 or not pattern:
            pattern.append({"LOWER": word})
        elif kind < 0.8:
            pattern.append({"LOWER": {"IN": texts(draw, words, 3)}})
        elif kind < 0.9:
            pattern.append({"IS_ALPHA": True, "OP": draw.choice("?*+")})
        else:
            pattern.append({"TEXT": {"REGEX": "^" + word[:3]}})
    return json.dumps(pattern)


def write_lines(file, lines):
    if not file.exists():
        file.write_text("".join(line + "\n" for line in lines), encoding="utf8")
    return file


def write_docs(folder, tokens):
    from spacy.tokens import Doc, DocBin
    from spacy.vocab import Vocab

    file = folder / f"text{tokens}.spacy"
    if not file.exists():
        draw = random.Random(1)
        words, vocab = words_of(random.Random(0)), Vocab()
        docs = DocBin(attrs=["ORTH"])
        for start in range(0, tokens, DOCUMENT):
            docs.add(Doc(vocab, words=texts(draw, words, min(DOCUMENT, tokens - start))))
        docs.to_disk(file)
    return file


def write_patterns(folder, kind, count):
    draw, words = random.Random(2), words_of(random.Random(0))
    if kind == "token":
        return write_lines(folder / f"patterns{count}.jsonl",
                           [token_pattern(draw, words) for _ in range(count)])
    phrases = set()
    while len(phrases) < count:
        size = draw.randint(1, 4)
        source = texts(draw, words, size) if draw.random() < 0.5 else draw.choices(words, k=size)
        phrases.add(" ".join(source))
    return write_lines(folder / f"phrases{count}.txt", sorted(phrases))


def resident_megabytes():
    import resource

    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def as_spacy(kind, patterns, file):
    """The work of matcher_speed, with spaCy."""
    import spacy
    from spacy.matcher import Matcher, PhraseMatcher
    from spacy.tokens import Doc, DocBin

    vocab = spacy.blank("xx").vocab
    docs = list(DocBin().from_disk(file).get_docs(vocab))
    lines = pathlib.Path(patterns).read_text(encoding="utf8").splitlines()
    memory, start = resident_megabytes(), time.process_time()
    matcher = Matcher(vocab) if kind == "token" else PhraseMatcher(vocab)
    for number, line in enumerate(lines):
        one = json.loads(line) if kind == "token" else Doc(vocab, words=line.split())
        matcher.add(f"K{number // 1000}", [one])
    added, grown = time.process_time(), resident_megabytes() - memory
    matches = sum(len(matcher(doc)) for doc in docs)
    print(json.dumps({"patterns": len(lines), "tokens": sum(map(len, docs)), "matches": matches,
                      "add": added - start, "find": time.process_time() - added, "mb": grown}))


def run(command):
    return json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout)


def compare(kind, patterns, file, args):
    ours, theirs = [], []
    for _ in range(args.rounds):
        ours.append(run([args.program, kind, patterns, file]))
        if not args.ours:
            theirs.append(run([sys.executable, __file__, SPACY, kind, patterns, file]))
    if len({one["matches"] for one in ours + theirs}) > 1:
        sys.exit(f"{kind}: numbers of matches differ: {[one['matches'] for one in ours + theirs]}")
    median = lambda runs, key: statistics.median(one[key] for one in runs)
    cells = [kind, f"{ours[0]['patterns']:,}", f"{ours[0]['tokens']:,}", f"{ours[0]['matches']:,}"]
    for key in ("add", "find", "mb"):
        we = median(ours, key)
        cells.append(f"{we:.2f}")
        if theirs:
            they = median(theirs, key)
            cells += [f"{they:.2f}", f"{they / max(we, 1e-9):.1f}"]
    return "| " + " | ".join(cells) + " |"


def main():
    if len(sys.argv) == 5 and sys.argv[1] == SPACY:
        return as_spacy(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default="build/bench/matcher_speed")
    parser.add_argument("--ours", action="store_true")
    for name in ("tokens", "patterns", "phrases"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--phrase-tokens", type=int, default=1_000_000)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    numbers = lambda text: [int(one) for one in text.split(",") if one]
    per_key = ["weft"] if args.ours else ["weft", "spaCy", "ratio"]
    head = ["matcher", "patterns", "tokens", "matches"]
    for key in ("adding", "finding", "MB"):
        head += [f"{key}: {per_key[0]}"] + per_key[1:]
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for count in numbers(args.patterns):
        for tokens in numbers(args.tokens):
            patterns, file = write_patterns(args.folder, "token", count), write_docs(args.folder, tokens)
            print(compare("token", patterns, file, args), flush=True)
    for count in numbers(args.phrases):
        patterns, file = write_patterns(args.folder, "phrase", count), write_docs(args.folder, args.phrase_tokens)
        print(compare("phrase", patterns, file, args), flush=True)


main()
