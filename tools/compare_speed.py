#!/usr/bin/env python3
"""Measures weft beside spaCy on the same machine, in one run, alternating (A B A B ...).

    tools/compare_speed.py --data FOLDER [--data FOLDER ...] [--threads 1 2] [--repeats 3] [--levels O0 bf16]

FOLDER holds train.conll, dev.conll and test.conll. spaCy comes from PyPI into a virtual environment
under --work. Both use spaCy's default config for the CPU. Medians, ratios and their geometric means go
to --report (default: docs/benchmarks/cpu.md) and, as a picture, to an .svg beside it:

* training: words per second of updates, in batches of 500 to 1000 words and of 100;
* training end to end: seconds of the whole `train`, evaluations and saving included;
* prediction from raw text and from words: words per second over the training corpus;
* one short text: seconds from the start of the process to its entities;
* peak memory of training and of prediction.

With several levels of precision weft runs at each of them beside spaCy, which computes in f32; the picture and the
share of the limit are those of the first.

The share of the arithmetic limit is what training and prediction reach of the words per second that
the matrix products alone would allow if OpenBLAS computed them in f32, measured by build/bench/gemm_limit in
the same run. Where weft computes products faster than OpenBLAS it may be above 100 %.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

import compare_learning as learning
import ratio_plot

TRAIN_SPACY = """
import json, sys, time
import spacy
from spacy.training.initialize import init_nlp
from spacy.training.loop import create_train_batches
from spacy.util import load_config, registry, resolve_dot_names
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
from spacy.tokens import Doc
nlp = spacy.load(sys.argv[1])
lines = open(sys.argv[2], encoding="utf8").read().split("\\n")[:-1]
items = [Doc(nlp.vocab, words=line.split()) for line in lines] if sys.argv[3] == "words" else lines
start = time.perf_counter()
words = sum(len(doc) for doc in nlp.pipe(items))
print(words / (time.perf_counter() - start))
"""

ONE_TEXT_SPACY = "import sys, spacy; print([e.text for e in spacy.load(sys.argv[1])(open(sys.argv[2]).read()).ents])"

LARGE = {"start": 500, "stop": 1000, "compound": 1.02}
SMALL = {"start": 100, "stop": 100, "compound": 1.0}


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


def write_texts(corpus, folder):
    """train.txt, a sentence per line, and train.conll, whose words have no spacing; both from the CoNLL file."""
    sentences = [[]]
    for line in (corpus / "train.conll").read_text(encoding="utf8").splitlines():
        if line.strip():
            sentences[-1].append(line.split()[0])
        elif sentences[-1]:
            sentences.append([])
    texts = [" ".join(words) for words in sentences if words]
    (folder / "train.txt").write_text("\n".join(texts) + "\n", encoding="utf8")
    (folder / "short.txt").write_text(texts[0] + "\n", encoding="utf8")


def training_level(level):
    return {} if level == "O0" else {"training.precision.level": level}


def predicting_level(level):
    return [] if level == "O0" else ["--precision", level]


class Sides:
    """The two programs on one corpus with so many threads."""

    def __init__(self, options, corpus, threads):
        self.options, self.threads = options, threads
        self.python = learning.spacy_python(options.work)
        self.folder = options.work / corpus.name
        learning.convert(self.python, corpus, self.folder)
        self.config = learning.default_config(self.python, self.folder, "de" if "german" in corpus.name else "en")
        self.env = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
        self.texts, self.short, self.conll = self.folder / "train.txt", self.folder / "short.txt", corpus / "train.conll"
        write_texts(corpus, self.folder)
        learning.one_run("spacy", self.python, options.weft, self.folder, self.config, 0, 200)
        self.pipeline = self.folder / "spacy-200-0" / "model-last"

    def settings(self, steps, size, frequency):
        words = {"paths.train": self.folder / "train.spacy", "paths.dev": self.folder / "dev.spacy",
                 "training.max_steps": steps - 1, "training.eval_frequency": frequency, "training.patience": 0}
        words.update({f"training.batcher.size.{key}": value for key, value in size.items()})
        return words

    def flags(self, settings):
        return [word for key, value in settings.items() for word in (f"--{key}", value)]

    def weft_train(self, settings, level):
        out = self.folder / "weft-speed"
        words = [self.options.weft, "train", self.config, "--output", out, "--overwrite", "--threads", self.threads]
        seconds = measured(words + self.flags(settings | training_level(level)), self.env)[1]
        lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
        return lines[-1]["time"]["words_per_second"], seconds

    def weft_updates(self, size, steps, level):
        return self.weft_train(self.settings(steps, size, steps - 1), level)[0]

    def spacy_updates(self, size, steps):
        overrides = {key: value if isinstance(value, (int, float)) else str(value)
                     for key, value in self.settings(steps, size, steps - 1).items()}
        return float(measured([self.python, "-c", TRAIN_SPACY, self.config, json.dumps(overrides), steps], self.env)[0])

    def weft_whole(self, level):
        return self.weft_train(self.settings(self.options.steps, {}, 200), level)[1]

    def spacy_whole(self):
        return measured([self.python, "-m", "spacy", "train", self.config, "--output", self.folder / "spacy-speed"] +
                        self.flags(self.settings(self.options.steps, {}, 200)), self.env)[1]

    def weft_predict(self, data, level):
        out, _ = measured([self.options.weft, "benchmark", "speed", self.pipeline, data, "--json", "--repeats", 1,
                           "--warmup", 0, "--threads", self.threads] + predicting_level(level), self.env)
        return json.loads(out)["words_per_second"]["median"]

    def spacy_predict(self, kind):
        return float(measured([self.python, "-c", PREDICT_SPACY, self.pipeline, self.texts, kind], self.env)[0])

    def weft_train_memory(self, level):
        settings = self.settings(100, {}, 100) | training_level(level)
        return peak_memory([self.options.weft, "train", self.config, "--output", self.folder / "weft-memory", "--overwrite",
                            "--threads", self.threads] + self.flags(settings), self.env)

    def spacy_train_memory(self):
        return peak_memory([self.python, "-m", "spacy", "train", self.config, "--output", self.folder / "spacy-memory"] +
                           self.flags(self.settings(100, {}, 100)), self.env)

    def measures(self):
        """Quantity, unit, and a function for each side, weft's of the level."""
        large, small = self.options.updates, 3 * self.options.updates
        weft, pipeline = self.options.weft, self.pipeline
        short = [weft, "apply", pipeline, self.short]
        apply = [weft, "apply", pipeline, self.texts, "--threads", self.threads]
        return [
            ("training, batches of 500 to 1000 words", "words/s",
             lambda level: self.weft_updates(LARGE, large, level), lambda: self.spacy_updates(LARGE, large)),
            ("training, batches of 100 words", "words/s",
             lambda level: self.weft_updates(SMALL, small, level), lambda: self.spacy_updates(SMALL, small)),
            ("training end to end", "s", self.weft_whole, self.spacy_whole),
            ("prediction from raw text", "words/s", lambda level: self.weft_predict(self.texts, level),
             lambda: self.spacy_predict("text")),
            ("prediction from words", "words/s", lambda level: self.weft_predict(self.conll, level),
             lambda: self.spacy_predict("words")),
            ("one short text, whole process", "s", lambda level: measured(short + predicting_level(level), self.env)[1],
             lambda: measured([self.python, "-c", ONE_TEXT_SPACY, pipeline, self.short], self.env)[1]),
            ("peak memory, training", "MiB", self.weft_train_memory, self.spacy_train_memory),
            ("peak memory, prediction", "MiB", lambda level: peak_memory(apply + predicting_level(level), self.env),
             lambda: peak_memory([self.python, "-c", PREDICT_SPACY, pipeline, self.texts, "text"], self.env)),
        ]


def compare(sides, corpus, options):
    """{what: (weft by level, spaCy, ratio by level, unit)} of one corpus."""
    found = {}
    for what, unit, weft, spacy in sides.measures():
        if options.only and not any(word in what for word in options.only):
            continue
        ours, theirs = {level: [] for level in options.levels}, []
        for _ in range(options.repeats):
            for level, of_level in ours.items():
                of_level.append(weft(level))
            theirs.append(spacy())
        mine, other = {level: statistics.median(of_level) for level, of_level in ours.items()}, statistics.median(theirs)
        ratio = {level: other / one if unit == "s" else one / other for level, one in mine.items()}
        found[what] = (mine, other, ratio, unit)
        print(corpus, sides.threads, what, *found[what], flush=True)
    return found


def limits(options):
    """{rows: {"train": words/s, "predict": words/s}} of the products alone."""
    program = options.weft.parent.parent / "bench" / "gemm_limit"
    if not program.exists():
        return {}
    out, _ = measured([program], dict(os.environ, OPENBLAS_NUM_THREADS="1"))
    return {row["rows"]: row for row in map(json.loads, out.splitlines())}


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def cells(by_level, form):
    return " | ".join(form(value) for value in by_level.values())


def table(results, threads, limit, levels):
    """The rows of one number of threads: every corpus, then the geometric mean; and the means at the first level."""
    names = ["" if level == "O0" else f", {level}" for level in levels]
    head = ["what", "corpus"] + [f"weft{name}" for name in names] + ["spaCy"] + [f"ratio{name}" for name in names] + \
           ["share of the limit"]
    lines = [f"\n## {threads} thread{'s' if threads > 1 else ''}\n", f"| {' | '.join(head)} |", "| --- " * len(head) + "|"]
    means = {}
    for what in next(iter(results.values())):
        for corpus, found in results.items():
            mine, other, ratio, unit = found[what]
            share = ""
            if limit and threads == 1 and unit == "words/s" and "100 words" not in what:
                share = f"{mine[levels[0]] / limit[750]['train' if 'training' in what else 'predict']:.0%}"
            lines.append(f"| {what} | {corpus} | {cells(mine, lambda value: f'{value:,.4g} {unit}')} | {other:,.4g} {unit} | "
                         f"{cells(ratio, lambda value: f'{value:.2f}×')} | {share} |")
        of_levels = {level: math.exp(statistics.mean(math.log(found[what][2][level]) for found in results.values()))
                     for level in levels}
        means[what] = of_levels[levels[0]]
        lines.append(f"| {what} | **geometric mean** |{' |' * (len(levels) + 1)} "
                     f"{cells(of_levels, lambda value: f'**{value:.2f}×**')} | |")
    return lines, means


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, action="append", required=True)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--updates", type=int, default=60, help="large batches that are timed; three times as many small ones")
    parser.add_argument("--steps", type=int, default=400, help="updates of the training from start to end")
    parser.add_argument("--levels", nargs="+", default=["O0"], help="levels of precision that weft runs at")
    parser.add_argument("--only", nargs="+", help="measures whose name holds one of these words")
    parser.add_argument("--weft", type=pathlib.Path, default=learning.ROOT / "build" / "bin" / "weft")
    parser.add_argument("--work", type=pathlib.Path, default=learning.ROOT / "out" / "compare")
    parser.add_argument("--report", type=pathlib.Path, default=learning.ROOT / "docs" / "benchmarks" / "cpu.md")
    return parser.parse_args()


def main():
    options = arguments()
    limit = limits(options)
    text = [f"# Speed beside spaCy on the CPU\n\n{datetime.date.today()}, {processor()}, {os.cpu_count()} cores, medians of "
            f"{options.repeats} alternating runs, spaCy's default config. Made by `tools/compare_speed.py`, which says what is "
            "measured. The ratio is weft's advantage; for memory it is weft's share. spaCy runs its products on as many "
            "threads as weft has (OPENBLAS_NUM_THREADS, OMP_NUM_THREADS)."]
    if limit:
        text.append("\nThe products alone, by OpenBLAS in f32, would allow, on one thread, in words/s: " + "; ".join(
            f"{rows} rows {row['train']:,.0f} training, {row['predict']:,.0f} predicting" for rows, row in limit.items()) +
            ". As weft computes them on this machine: " + "; ".join(
            f"{rows} rows {row['train_here']:,.0f} and {row['predict_here']:,.0f}" for rows, row in limit.items()) + ".")
    pictures = {}
    for threads in options.threads:
        results = {corpus.name: compare(Sides(options, corpus, threads), corpus.name, options) for corpus in options.data}
        lines, pictures[threads] = table(results, threads, limit, options.levels)
        text += lines
    options.report.parent.mkdir(parents=True, exist_ok=True)
    options.report.write_text("\n".join(text) + f"\n\n![ratios]({options.report.stem}.svg)\n")
    options.report.with_suffix(".svg").write_text(ratio_plot.svg(pictures))


if __name__ == "__main__":
    main()
