#!/usr/bin/env python3
"""Measures whether training slows down as its data grows.

Writes two made-up corpora (see measure_stream.py), a small and a large one, and trains the default
pipeline on both by turns: with the corpus in memory, and streamed with a shuffle window. The speed is
that of the updates as the log tells it, so that the start, reading a corpus into memory and finding
labels are not part of it.

    tools/measure_growth.py --weft build/bin/weft --words 1000000 20000000 --folder /tmp/growth
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

from measure_stream import peak_of, write_corpus

WORDS_PER_SENTENCE = 12.5
WORDS_PER_BATCH = 1000
WAYS = {"in memory": ["--training.max_epochs", "0"],
        "streamed": ["--training.max_epochs", "-1", "--training.shuffle_window", "10000"]}


def default_config(weft, folder):
    """The default pipeline for the CPU, with batches of one size and JSON lines as data."""
    config = folder / "growth.cfg"
    subprocess.run([weft, "init", "config", config, "--pipeline", "ner", "--force"], check=True,
                   stdout=subprocess.DEVNULL)
    text = config.read_text()
    text = text.replace('"spacy.Corpus.v1"', '"spacy.JsonlCorpus.v1"')
    for section in ("train", "dev"):  # what belongs to the other reader
        start = text.index(f"[corpora.{section}]")
        end = text.index("\n\n", start)
        text = text[:start] + "\n".join(text[start:end].split("\n")[:3]) + text[end:]
    start = text.index("[training.batcher.size]")
    text = text[:start] + text[text.index("\n\n", start) + 2:]
    text = text.replace("[training.batcher]\n", f"[training.batcher]\nsize = {WORDS_PER_BATCH}\n")
    config.write_text(text)
    return config


def run(options, config, corpus, way):
    """Words per second of the updates, and the peak memory of the run."""
    output = options.folder / "run"
    command = [options.weft, "train", config, "--threads", "1", "--paths.train", corpus / "train", "--paths.dev",
               corpus / "dev", "--output", output, "--overwrite", "--training.max_steps", options.steps,
               "--training.eval_frequency", options.steps, "--training.patience", 0] + WAYS[way]
    with open(options.folder / "run.log", "w") as log:
        sys.stdout.flush()
        _, _, peak = peak_of([str(word) for word in command], log)
    last = (output / "log.jsonl").read_text().splitlines()[-1]
    return json.loads(last)["time"]["words_per_second"], peak


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weft", default="build/bin/weft")
    parser.add_argument("--words", type=int, nargs="+", default=[1_000_000, 20_000_000])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    config = default_config(options.weft, options.folder)
    corpora = {words: options.folder / str(words) for words in options.words}
    for words, folder in corpora.items():
        if not folder.exists():
            write_corpus(folder / "train", int(words / WORDS_PER_SENTENCE), 1)
            write_corpus(folder / "dev", 100, 2)
    found = {}
    for _ in range(options.repeats):
        for way in WAYS:
            for words, folder in corpora.items():
                found.setdefault((way, words), []).append(run(options, config, folder, way))
    print("| corpus | words | words/s of updates, median | peak memory |\n| --- | --- | --- | --- |")
    for (way, words), results in found.items():
        rate = statistics.median(rate for rate, _ in results)
        peak = max(peak for _, peak in results)
        print(f"| {way} | {words:,} | {rate:,.0f} | {peak / 1e6:.0f} MB |")


if __name__ == "__main__":
    main()
