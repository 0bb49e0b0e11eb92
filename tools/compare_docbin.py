#!/usr/bin/env python3
"""Read the same .spacy files with weft and with spaCy, in turns, each time in a new process.

    compare_docbin.py [--rounds 5] [--program build/bench/docbin_speed] [--output FILE]
                      LANG=FILE.spacy [LANG=FILE.spacy ...]

Needs spaCy 3.8 in the Python that runs it. A pass makes every document of the file and lists its
entities. Prints (and writes to FILE) a Markdown table: millions of tokens per second of processor time
(both use one thread), of the first pass (a new process, nothing cached) and of the second over the same
file, the median of the rounds. Exits with 1 where the two disagree about the numbers of documents,
tokens or entities.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

SPACY = "--as-spacy"
COUNTS = ("docs", "tokens", "ents")


def as_spacy(lang, path):
    """The work of docbin_speed, with spaCy."""
    import spacy
    from spacy.tokens import DocBin

    vocab = spacy.blank(lang).vocab
    result = {"passes": []}
    for _ in range(2):
        start = time.process_time()
        counts = [0, 0, 0]
        for doc in DocBin().from_disk(path).get_docs(vocab):
            counts[0] += 1
            counts[1] += len(doc)
            counts[2] += len(doc.ents)
        result["passes"].append(time.process_time() - start)
    print(json.dumps(result | dict(zip(COUNTS, counts))))


def run(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def compare(lang, path, rounds, program):
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(run([program, path]))
        theirs.append(run([sys.executable, __file__, SPACY, lang, path]))
    counts = {tuple(run[key] for key in COUNTS) for run in ours + theirs}
    if len(counts) > 1:
        sys.exit(f"{path}: documents, tokens or entities differ: {sorted(counts)}")
    docs, tokens, ents = counts.pop()
    rate = lambda runs, which: tokens / statistics.median(run["passes"][which] for run in runs) / 1e6
    cells = [lang, f"{docs:,}", f"{tokens:,}", f"{ents:,}", f"{os.path.getsize(path) / 1e6:.1f}"]
    for which in (0, 1):
        we, they = rate(ours, which), rate(theirs, which)
        cells += [f"{they:.2f}", f"{we:.2f}", f"{we / they:.1f}x"]
    return cells


def main():
    if len(sys.argv) == 4 and sys.argv[1] == SPACY:
        return as_spacy(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--program", default="build/bench/docbin_speed")
    parser.add_argument("--output")
    parser.add_argument("files", nargs="+", metavar="LANG=FILE.spacy")
    args = parser.parse_args()
    head = ["language", "documents", "tokens", "entities", "MB", "first pass: spaCy", "weft", "ratio",
            "second pass: spaCy", "weft", "ratio"]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for pair in args.files:
        lang, path = pair.split("=", 1)
        lines.append("| " + " | ".join(compare(lang, path, args.rounds, args.program)) + " |")
    table = "\n".join(lines) + "\n"
    print(table, end="")
    if args.output:
        open(args.output, "w", encoding="utf8").write(table)


if __name__ == "__main__":
    main()
