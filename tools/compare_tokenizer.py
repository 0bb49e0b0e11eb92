#!/usr/bin/env python3
"""Tokenize the same texts with weft and with spaCy, in turns, each time in a new process.

    compare_tokenizer.py [--rounds 3] [--program build/bench/tokenizer_speed] [--output FILE]
                         LANG=TEXTS [LANG=TEXTS ...]

TEXTS has one text per line. Needs spaCy 3.8 in the Python that runs it. Prints (and writes to FILE) a
Markdown table: millions of tokens per second of processor time (both use one thread), of the first pass
(every text once, nothing cached) and of the second over the same texts, the median of the rounds. Exits
with 1 where the two disagree about a count of tokens.
"""
import argparse
import json
import statistics
import subprocess
import sys
import time

SPACY = "--as-spacy"


def as_spacy(lang, path):
    """The work of tokenizer_speed, with spaCy."""
    import spacy

    texts = open(path, encoding="utf8").read().split("\n")
    if texts and not texts[-1]:
        texts.pop()
    start = time.process_time()
    make_doc = spacy.blank(lang).make_doc
    result = {"load": time.process_time() - start, "passes": []}
    for _ in range(2):
        start = time.process_time()
        tokens = 0
        for text in texts:
            tokens += len(make_doc(text))
        result["passes"].append(time.process_time() - start)
        result["tokens"] = tokens
    print(json.dumps(result))


def run(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def compare(lang, path, rounds, program):
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(run([program, lang, path]))
        theirs.append(run([sys.executable, __file__, SPACY, lang, path]))
    counts = {run["tokens"] for run in ours + theirs}
    if len(counts) > 1:
        sys.exit(f"{lang}: the numbers of tokens differ: {sorted(counts)}")
    tokens = counts.pop()
    rate = lambda runs, which: tokens / statistics.median(run["passes"][which] for run in runs) / 1e6
    load = lambda runs: 1000 * statistics.median(run["load"] for run in runs)
    cells = [lang, f"{tokens:,}"]
    for which in (0, 1):
        we, they = rate(ours, which), rate(theirs, which)
        cells += [f"{they:.2f}", f"{we:.2f}", f"{we / they:.1f}x"]
    return cells + [f"{load(theirs):.0f}", f"{load(ours):.0f}"]


def main():
    if len(sys.argv) == 4 and sys.argv[1] == SPACY:
        return as_spacy(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default="build/bench/tokenizer_speed")
    parser.add_argument("--output")
    parser.add_argument("texts", nargs="+", metavar="LANG=TEXTS")
    args = parser.parse_args()
    head = ["texts", "tokens", "first pass: spaCy", "weft", "ratio", "second pass: spaCy", "weft",
            "ratio", "load ms: spaCy", "weft"]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for pair in args.texts:
        lang, path = pair.split("=", 1)
        lines.append("| " + " | ".join(compare(lang, path, args.rounds, args.program)) + " |")
    table = "\n".join(lines) + "\n"
    print(table, end="")
    if args.output:
        open(args.output, "w", encoding="utf8").write(table)


if __name__ == "__main__":
    main()
