#!/usr/bin/env python3
"""Trains the same config on the same data with spaCy and with weft and compares the test scores.

    tools/compare_learning.py --data FOLDER[=SEEDS] [--data FOLDER ...] [--seeds 5] [--steps 2300]

FOLDER holds train.conll, dev.conll and test.conll. Both evaluate once, at the end: it changes no weight. spaCy comes from PyPI into a virtual environment
under --work (default: out/compare). Every run leaves its scores there as JSON and is not repeated;
the table goes to --report (default: docs/benchmarks/learning.md). Scores are those of `model-last`
after the fixed number of steps. The rule: weft's mean test F may fall below spaCy's by at most
max(0.5, twice the standard error of the difference).
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

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(words, log, **more):
    with open(log, "w") as out:
        code = subprocess.run([str(w) for w in words], stdout=out, stderr=subprocess.STDOUT, **more).returncode
    if code != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}\nfailed with {code}; see {log}")


def spacy_python(work):
    """The interpreter of a virtual environment with spaCy 3.8, made on first use."""
    python = work / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "spacy==3.8.*"], check=True)
    return python


def convert(python, corpus, folder):
    """The three CoNLL files as .spacy files, one document for each sentence."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("train", "dev", "test"):
        if not (folder / f"{part}.spacy").exists():
            run([python, "-m", "spacy", "convert", corpus / f"{part}.conll", folder, "-c", "conll", "-n", "1"],
                folder / f"convert-{part}.log")


def default_config(python, folder, language):
    config = folder / "config.cfg"
    if not config.exists():
        run([python, "-m", "spacy", "init", "config", config, "--lang", language, "--pipeline", "ner"],
            folder / "config.log")
    return config


def overrides(folder, seed, steps):
    return ["--paths.train", folder / "train.spacy", "--paths.dev", folder / "dev.spacy", "--training.max_steps",
            steps, "--training.eval_frequency", steps, "--training.patience", 0, "--system.seed", seed]


def one_run(engine, python, weft, folder, config, seed, steps):
    """The test scores of one training run, from its JSON file if it was made before."""
    out = folder / f"{engine}-{steps}-{seed}"
    scores = folder / f"{engine}-{steps}-{seed}.json"
    if not scores.exists():
        one_thread = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        program = [python, "-m", "spacy"] if engine == "spacy" else [weft]
        fresh = [] if engine == "spacy" else ["--overwrite"]
        run(program + ["train", config, "--output", out] + fresh + overrides(folder, seed, steps),
            folder / f"{engine}-{seed}.log", env=one_thread)
        run(program + ["evaluate", out / "model-last", folder / "test.spacy", "--output", scores],
            folder / f"{engine}-{seed}-evaluate.log", env=one_thread)
    found = json.loads(scores.read_text())
    return [100 * found[key] for key in ("ents_p", "ents_r", "ents_f")]


def mean_and_deviation(values):
    return statistics.mean(values), statistics.stdev(values) if len(values) > 1 else 0.0


def compare(name, spacy, weft):
    """One row of the table, and whether the rule holds."""
    spacy_mean, spacy_dev = mean_and_deviation([f for _, _, f in spacy])
    weft_mean, weft_dev = mean_and_deviation([f for _, _, f in weft])
    error = math.sqrt(spacy_dev**2 / len(spacy) + weft_dev**2 / len(weft))
    allowed = max(0.5, 2 * error)
    holds = weft_mean >= spacy_mean - allowed
    row = (f"| {name} | {len(weft)} | {spacy_mean:.2f} ± {spacy_dev:.2f} | {weft_mean:.2f} ± {weft_dev:.2f} | "
           f"{weft_mean - spacy_mean:+.2f} | {allowed:.2f} | {'yes' if holds else 'NO'} |")
    return row, holds


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", action="append", required=True, help="a corpus, =N for another number of seeds")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=2300)
    parser.add_argument("--only", choices=["spacy", "weft"], help="make the runs of one side, no table")
    parser.add_argument("--weft", type=pathlib.Path, default=ROOT / "build" / "bin" / "weft")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out" / "compare")
    parser.add_argument("--report", type=pathlib.Path, default=ROOT / "docs" / "benchmarks" / "learning.md")
    return parser.parse_args()


def main():
    options = arguments()
    python = spacy_python(options.work)
    rows, good = [], True
    for word in options.data:
        path, _, number = word.partition("=")
        corpus, seeds = pathlib.Path(path), int(number or options.seeds)
        folder = options.work / corpus.name
        convert(python, corpus, folder)
        config = default_config(python, folder, "de" if "german" in corpus.name else "en")
        found = {"spacy": [], "weft": []}
        for seed in range(seeds):
            for engine in [options.only] if options.only else ["spacy", "weft"]:
                found[engine].append(one_run(engine, python, options.weft, folder, config, seed, options.steps))
                print(corpus.name, engine, f"seed {seed}: P %.2f R %.2f F %.2f" % tuple(found[engine][-1]), flush=True)
        if not options.only:
            row, holds = compare(corpus.name, found["spacy"], found["weft"])
            rows.append(row)
            good = good and holds
    if rows:
        header = (f"# Learning beside spaCy\n\n{datetime.date.today()}, {platform.machine()}, spaCy's default config for "
                  f"CPU, {options.steps} steps, `model-last`, test F in per cent (mean ± standard deviation over seeds). "
                  "Made by `tools/compare_learning.py`.\n\n| corpus | seeds | spaCy | weft | difference | allowed below | "
                  "holds |\n| --- | --- | --- | --- | --- | --- | --- |\n")
        options.report.parent.mkdir(parents=True, exist_ok=True)
        options.report.write_text(header + "\n".join(rows) + "\n")
        print(options.report.read_text())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
