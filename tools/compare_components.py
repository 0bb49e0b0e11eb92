#!/usr/bin/env python3
"""Compares learning and speed of components with spaCy's, on the same files and configs.

    compare_components.py learn DATA WORK TASK ... [--seeds 3] [--steps 600]
    compare_components.py speed DATA WORK TASK ... [--rounds 3] [--steps 60]

DATA holds ud-en-ewt, snips and bc5cdr; files, configs and results of runs that were made before lie in WORK. Run it
with the interpreter of an environment that has spaCy 3.8. Tasks: component_tasks.py.

learn: both train for so many steps, spaCy's default config, and evaluate on the test part: means over seeds, and
whether weft's is above spaCy's mean - max(0.5, twice the standard error of the difference).

speed: in alternation, on one thread processor time (user and system), since other work may run on the machine; on more
of them (--threads, for both programs) the clock's time, which needs a quiet machine. Training: seconds of the steps
alone, from the difference of a run of two steps and one of so many more. Prediction: words a second from the texts of
the training part. Both exclude start and loading; the peaks of memory are those of whole processes.
"""
import argparse
import json
import math
import multiprocessing
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

import component_tasks
from component_tasks import TASKS

PREDICT_SPACY = "--predict-with-spacy"


def with_threads(count):
    """The environment in which a program's matrix library takes so many threads."""
    return dict(os.environ, **{f"{name}_NUM_THREADS": str(count) for name in ("OMP", "OPENBLAS", "MKL", "BLIS")})


def run(words, log, threads=1):
    """Seconds and peak MB of a process: of the processor, or of the clock for several threads. The system counts what
    this process has in memory as the child's too, so nothing large may be imported here."""
    start = time.monotonic()
    with open(log, "w") as out:
        process = subprocess.Popen([str(word) for word in words], stdout=out, stderr=subprocess.STDOUT,
                                   env=with_threads(threads))
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, words))}\nfailed; see {log}")
    seconds = usage.ru_utime + usage.ru_stime if threads == 1 else time.monotonic() - start
    return seconds, usage.ru_maxrss / 1000


class Side:
    """One of the two programs, on one task."""

    def __init__(self, engine, name, options):
        self.engine, self.name, self.options = engine, name, options
        self.task = TASKS[name]
        self.corpus = options.work / self.task.data
        self.folder = options.work / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.config = self.folder / "config.cfg"
        if not self.config.exists():
            self.write_config()

    def write_config(self):
        made = subprocess.run([sys.executable, "-m", "spacy", "init", "config", "-", "--lang", "en", "--pipeline",
                               ",".join(self.task.pipeline).replace("beam_", "")], capture_output=True, text=True, check=True)
        text = made.stdout[made.stdout.index("[paths]"):]
        if self.task.pipeline[0].startswith("beam_"):
            plain = self.task.pipeline[0].replace("beam_", "")
            text = text.replace(f'factory = "{plain}"', f'factory = "{self.task.pipeline[0]}"')
        short = self.folder / "short.cfg"
        short.write_text(self.task.config(text), encoding="utf8")
        subprocess.run([sys.executable, "-m", "spacy", "init", "fill-config", short, self.config], check=True, capture_output=True)

    def train(self, out, steps, dev="dev", seed=0, more=()):
        program = [sys.executable, "-m", "spacy", "train"] if self.engine == "spaCy" else [self.options.weft, "train"]
        words = program + [self.config, "--output", out, "--paths.train", self.corpus / "train.spacy", "--paths.dev",
                           self.corpus / f"{dev}.spacy", "--training.max_steps", steps, "--training.eval_frequency", steps,
                           "--training.patience", 0, "--system.seed", seed, *more]
        threads = self.options.threads
        words += ["--overwrite", "--threads", threads] if self.engine == "weft" else []
        return run(words, self.folder / f"{self.engine}.log", threads)

    def evaluate(self, pipeline, out):
        program = [sys.executable, "-m", "spacy", "evaluate"] if self.engine == "spaCy" else [self.options.weft, "evaluate"]
        run(program + [pipeline, self.corpus / "test.spacy", "--output", out], self.folder / f"{self.engine}-evaluate.log")
        return json.loads(out.read_text())

    def scores(self, seed, steps):
        file = self.folder / f"{self.engine}-{steps}-{seed}.json"
        if not file.exists():
            out = self.folder / f"{self.engine}-{steps}-{seed}"
            self.train(out, steps, "few", seed)
            self.evaluate(out / "model-last", file)
        return json.loads(file.read_text())


def words_of(corpus):
    """Words of a corpus's training texts, by blanks: the same number for both sides."""
    return len((corpus / "train.txt").read_text(encoding="utf8").split())


def predict_with_spacy(pipeline, texts, threads):
    import spacy
    from thinc.api import NumpyOps, set_current_ops

    set_current_ops(NumpyOps())
    nlp = spacy.load(pipeline)
    lines = pathlib.Path(texts).read_text(encoding="utf8").split("\n")[:-1]
    clock = time.process_time if int(threads) == 1 else time.monotonic
    start = clock()
    count = sum(len(doc) for doc in nlp.pipe(lines))
    seconds = clock() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({"words": count, "seconds": seconds, "megabytes": megabytes}))


class Speed:
    """Alternating measurements of one task."""

    def __init__(self, name, options):
        self.options = options
        self.sides = {engine: Side(engine, name, options) for engine in ("weft", "spaCy")}
        self.more = options.set

    def training_seconds(self, side, steps):
        out = side.folder / f"{side.engine}-speed"
        return side.train(out, steps, "few", 0, self.more)

    def train(self):
        """Seconds of the steps, by side; peak MB."""
        found = {engine: ([], []) for engine in self.sides}
        for _ in range(self.options.rounds):
            for engine, side in self.sides.items():
                short, _ = self.training_seconds(side, 2)
                long, memory = self.training_seconds(side, 2 + self.options.steps)
                found[engine][0].append(long - short)
                found[engine][1].append(memory)
        return medians(found)

    def predict(self):
        """Words a second, by side; peak MB."""
        side, threads = self.sides["weft"], self.options.threads
        pipeline, texts = side.folder / "spaCy-speed" / "model-last", side.corpus / "train.txt"
        part = side.folder / "texts.txt"
        lines = texts.read_text(encoding="utf8").split("\n")[:-1]
        part.write_text("\n".join(lines[:max(1, int(len(lines) * self.options.part))]) + "\n", encoding="utf8")
        found = {engine: ([], []) for engine in self.sides}
        benchmark = [self.options.weft, "benchmark", "speed", pipeline, part, "--warmup", 0, "--threads", threads, "--json",
                     "--repeats"]
        for _ in range(self.options.rounds):
            done = subprocess.run([sys.executable, __file__, PREDICT_SPACY, pipeline, part, str(threads)], capture_output=True,
                                  text=True, check=True, env=with_threads(threads))
            spacy = json.loads(done.stdout.splitlines()[-1])
            found["spaCy"][0].append(spacy["words"] / spacy["seconds"])
            found["spaCy"][1].append(spacy["megabytes"])
            log = side.folder / "weft-predict.log"
            (few, memory), (more, _) = (run(benchmark + [repeats], log, threads) for repeats in (1, 4))
            found["weft"][0].append(3 * spacy["words"] / max(more - few, 1e-9))
            found["weft"][1].append(memory)
        return medians(found)


def medians(found):
    """By engine: the median of each of its lists."""
    return {engine: tuple(statistics.median(values) for values in lists) for engine, lists in found.items()}


def speed(options):
    print("| task | training, weft | spaCy | ratio | MB | ratio | prediction, weft | spaCy | ratio | MB | ratio |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for name in options.tasks:
        measured = Speed(name, options)
        (we, our_mb), (they, their_mb) = (measured.train()[engine] for engine in ("weft", "spaCy"))
        cells = [f"{we:.2f} s", f"{they:.2f} s", f"{they / we:.1f}", f"{our_mb:.0f}, {their_mb:.0f}", f"{our_mb / their_mb:.2f}"]
        (we, our_mb), (they, their_mb) = (measured.predict()[engine] for engine in ("weft", "spaCy"))
        cells += [f"{we:,.0f}", f"{they:,.0f}", f"{we / they:.1f}", f"{our_mb:.0f}, {their_mb:.0f}", f"{our_mb / their_mb:.2f}"]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def learn(options):
    print("| task | score | spaCy | weft | difference | allowed below | holds |\n| --- | --- | --- | --- | --- | --- | --- |",
          flush=True)
    for name in options.tasks:
        sides = [Side(engine, name, options) for engine in ("spaCy", "weft")]
        found = [[side.scores(seed, options.steps) for seed in range(options.seeds)] for side in sides]
        for score in TASKS[name].scores:
            values = [[100 * one[score] for one in runs] for runs in found]
            means = [statistics.mean(one) for one in values]
            spread = [statistics.variance(one) if len(one) > 1 else 0.0 for one in values]
            allowed = max(0.5, 2 * math.sqrt(sum(spread) / options.seeds))
            holds = means[1] >= means[0] - allowed
            cells = [f"{means[0]:.2f} ± {math.sqrt(spread[0]):.2f}", f"{means[1]:.2f} ± {math.sqrt(spread[1]):.2f}",
                     f"{means[1] - means[0]:+.2f}", f"{allowed:.2f}", "yes" if holds else "NO"]
            print(f"| {name} | {score} | " + " | ".join(cells) + " |", flush=True)


def main():
    if len(sys.argv) == 5 and sys.argv[1] == PREDICT_SPACY:
        return predict_with_spacy(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["learn", "speed"])
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("tasks", nargs="+", choices=list(TASKS), metavar="TASK")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=0, help="600 of learn, 60 of speed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of both programs")
    parser.add_argument("--part", type=float, default=0.2, help="of the texts are predicted")
    parser.add_argument("--set", nargs="*", default=[], help="further overrides of both configs: --set=--a.b=1")
    parser.add_argument("--weft", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "build/bin/weft")
    options = parser.parse_args()
    options.steps = options.steps or (600 if options.what == "learn" else 60)
    writer = multiprocessing.Process(target=component_tasks.write_corpora, args=(options.data, options.work))
    writer.start()
    writer.join()
    if writer.exitcode != 0:
        return 1
    return (learn if options.what == "learn" else speed)(options)


if __name__ == "__main__":
    sys.exit(main())
