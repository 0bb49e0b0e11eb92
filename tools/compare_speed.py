#!/usr/bin/env python3
"""Measures weft beside spaCy on the same machine, in one run, alternating (A B A B ...).

    tools/compare_speed.py --data FOLDER [--data FOLDER ...] [--repeats 3] [--steps 100] [--threads 1]

FOLDER holds train.conll, dev.conll and test.conll. spaCy comes from PyPI into a virtual environment
under --work. Writes medians and ratios to --report (default: docs/benchmarks/cpu.md):

* training: words per second of updates, spaCy's default config, batches as they come;
* prediction from raw text: words per second over the training texts;
* one short text: seconds from the start of the process to its entities;
* peak memory of the training process.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

import compare_learning as learning

TRAIN_SPACY = """
import json, sys, time
import spacy
from spacy.training.initialize import init_nlp
from spacy.training.loop import create_train_batches
from spacy.util import load_config, registry, resolve_dot_names, dot_to_object
from spacy.schemas import ConfigSchemaTraining
config = load_config(sys.argv[1], overrides=json.loads(sys.argv[2]), interpolate=True)
nlp = init_nlp(config)
T = registry.resolve(config["training"], schema=ConfigSchemaTraining)
train, _ = resolve_dot_names(config, [T["train_corpus"], T["dev_corpus"]])
optimizer, steps, words, spent = T["optimizer"], int(sys.argv[3]), 0, 0.0
batches = create_train_batches(nlp, train, T["batcher"], 0)
for step, (_, batch) in enumerate(batches):
    if step == steps:
        break
    start = time.perf_counter()
    nlp.update(batch, drop=T["dropout"], losses={}, sgd=False)
    for name, pipe in nlp.pipeline:
        pipe.finish_update(optimizer)
    optimizer.step_schedules()
    spent += time.perf_counter() - start
    words += sum(len(eg) for eg in batch)
print(words / spent)
"""

PREDICT_SPACY = """
import sys, time
import spacy
nlp = spacy.load(sys.argv[1])
texts = open(sys.argv[2], encoding="utf8").read().split("\\n")[:-1]
start = time.perf_counter()
words = sum(len(doc) for doc in nlp.pipe(texts))
print(words / (time.perf_counter() - start))
"""

ONE_TEXT_SPACY = "import sys, spacy; print([e.text for e in spacy.load(sys.argv[1])(open(sys.argv[2]).read()).ents])"


def measured(words, env):
    """Standard output and wall seconds of one finished process."""
    start = time.perf_counter()
    process = subprocess.Popen([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, text=True)
    out, err = process.communicate()
    seconds = time.perf_counter() - start
    if process.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}\n{err}")
    return out, seconds


def peak_memory(words, env):
    """Peak MiB of one process, from a parent of its own so that other children do not count."""
    script = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, "
              "stderr=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)")
    out, _ = measured([sys.executable, "-c", script] + [str(w) for w in words], env)
    return float(out)


class Sides:
    """The two programs on one corpus."""

    def __init__(self, options, corpus):
        self.options = options
        self.python = learning.spacy_python(options.work)
        self.folder = options.work / corpus.name
        learning.convert(self.python, corpus, self.folder)
        self.config = learning.default_config(self.python, self.folder, "de" if "german" in corpus.name else "en")
        self.env = dict(os.environ, OMP_NUM_THREADS=str(options.threads), OPENBLAS_NUM_THREADS=str(options.threads))
        self.texts = self.folder / "train.txt"
        self.short = self.folder / "short.txt"
        if not self.texts.exists():
            export = ("import spacy, sys; from spacy.tokens import DocBin; nlp = spacy.blank('xx'); open(sys.argv[2], 'w')."
                      "writelines(' '.join(d.text.split()) + '\\n' for d in DocBin().from_disk(sys.argv[1]).get_docs(nlp.vocab))")
            measured([self.python, "-c", export, self.folder / "train.spacy", self.texts], self.env)
        self.short.write_text(self.texts.read_text().split("\n")[0] + "\n")
        learning.one_run("spacy", self.python, options.weft, self.folder, self.config, 0, options.steps)
        self.pipeline = self.folder / f"spacy-{options.steps}-0" / "model-last"

    def train_words(self, steps):
        return ["--paths.train", self.folder / "train.spacy", "--paths.dev", self.folder / "dev.spacy",
                "--training.max_steps", steps, "--training.eval_frequency", steps, "--training.patience", 0]

    def weft_train(self):
        out = self.folder / "weft-speed"
        measured([self.options.weft, "train", self.config, "--output", out, "--overwrite", "--threads",
                  self.options.threads] + self.train_words(self.options.steps), self.env)
        lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
        return lines[-1]["time"]["words_per_second"]

    def spacy_train(self):
        overrides = {"paths.train": str(self.folder / "train.spacy"), "paths.dev": str(self.folder / "dev.spacy")}
        out, _ = measured([self.python, "-c", TRAIN_SPACY, self.config, json.dumps(overrides), self.options.steps], self.env)
        return float(out)

    def weft_predict(self):
        out, _ = measured([self.options.weft, "benchmark", "speed", self.pipeline, self.texts, "--json", "--threads",
                           self.options.threads], self.env)
        return json.loads(out)["words_per_second"]["median"]

    def spacy_predict(self):
        return float(measured([self.python, "-c", PREDICT_SPACY, self.pipeline, self.texts], self.env)[0])

    def weft_one_text(self):
        return measured([self.options.weft, "apply", self.pipeline, self.short], self.env)[1]

    def spacy_one_text(self):
        return measured([self.python, "-c", ONE_TEXT_SPACY, self.pipeline, self.short], self.env)[1]

    def weft_memory(self):
        return peak_memory([self.options.weft, "train", self.config, "--output", self.folder / "weft-memory", "--overwrite",
                            "--threads", self.options.threads] + self.train_words(self.options.steps), self.env)

    def spacy_memory(self):
        return peak_memory([self.python, "-m", "spacy", "train", self.config, "--output", self.folder / "spacy-memory"] +
                           self.train_words(self.options.steps), self.env)


# what, names of the two methods, unit, whether more is better
MEASURES = [
    ("training, updates", "train", "words/s", True),
    ("prediction from raw text", "predict", "words/s", True),
    ("one short text, whole process", "one_text", "s", False),
    ("training, peak memory", "memory", "MiB", False),
]


def compare(sides, corpus, repeats):
    rows = []
    for what, name, unit, more in MEASURES:
        weft, spacy = [], []
        for _ in range(repeats):
            weft.append(getattr(sides, "weft_" + name)())
            spacy.append(getattr(sides, "spacy_" + name)())
        ours, theirs = statistics.median(weft), statistics.median(spacy)
        ratio = ours / theirs if more or unit == "MiB" else theirs / ours
        rows.append(f"| {corpus} | {what} | {ours:,.4g} {unit} | {theirs:,.4g} {unit} | {ratio:.2f}× |")
        print(rows[-1], flush=True)
    return rows


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def main():
    root = learning.ROOT
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, action="append", required=True)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--weft", type=pathlib.Path, default=root / "build" / "bin" / "weft")
    parser.add_argument("--work", type=pathlib.Path, default=root / "out" / "compare")
    parser.add_argument("--report", type=pathlib.Path, default=root / "docs" / "benchmarks" / "cpu.md")
    options = parser.parse_args()
    rows = []
    for corpus in options.data:
        rows += compare(Sides(options, corpus), corpus.name, options.repeats)
    options.report.parent.mkdir(parents=True, exist_ok=True)
    options.report.write_text(
        f"# Speed beside spaCy on the CPU\n\n{datetime.date.today()}, {processor()}, {os.cpu_count()} cores, "
        f"{options.threads} thread(s), medians of {options.repeats} alternating runs, spaCy's default config, {options.steps} "
        "updates. Made by `tools/compare_speed.py`. The ratio is weft's advantage, except for memory, where it is weft's share.\n\n"
        "| corpus | what | weft | spaCy | ratio |\n| --- | --- | --- | --- | --- |\n" + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
