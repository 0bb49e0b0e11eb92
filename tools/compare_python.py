#!/usr/bin/env python3
"""Speed of one pipeline from Python, beside the C++ program and spaCy: compare_python.py [options] PIPELINE TEXTS

PIPELINE is a folder that both open, TEXTS has a text on each line. Every way runs in a process of its own, on one
thread, in turn, ROUNDS times; the best and the median of each are printed, and the median of the ratios within a
round. Speeds are those of three passes after a first one, and count processor time (user and system), which other
programs of a busy machine disturb less. Needs weft and spaCy in the environment.
"""
import argparse
import json
import resource
import statistics
import subprocess
import sys
import time

RUN = """
import json, sys, time
way, pipeline, texts = sys.argv[1:]
begin = time.perf_counter()
if way == "weft":
    import weft
    imported = time.perf_counter()
    nlp = weft.load(pipeline)
else:
    import spacy
    imported = time.perf_counter()
    nlp = spacy.load(pipeline) if way == "spacy" else None
    if way == "component":
        nlp = spacy.blank("en")
        nlp.tokenizer = spacy.load(pipeline).tokenizer
        import weft.spacy
        nlp.add_pipe("weft", config={"path": pipeline})
loaded = time.perf_counter()
lines = open(texts, encoding="utf-8").read().splitlines()
for doc in nlp.pipe(lines):  # every way has met the words before
    pass
started = time.process_time()
words = entities = 0
for _ in range(3):
    for doc in nlp.pipe(lines):
        words += len(doc)
        entities += len(doc.ents)
seconds = time.process_time() - started
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print(json.dumps({"import ms": (imported - begin) * 1e3, "load ms": (loaded - imported) * 1e3,
                  "words/s": words / seconds, "peak MB": peak / 1e3, "entities": entities}))
"""


def measured(way, options):
    if way != "program":
        words = [sys.executable, "-c", RUN, way, options.pipeline, options.texts]
        return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    # A further pass takes what the longer of two runs takes more.
    (words, short), (_, long) = (run_of_program(options, repeats) for repeats in (1, 4))
    return {"words/s": words / max((long - short) / 3, 1e-9)}


def run_of_program(options, repeats):
    """The words of the texts, and the processor time of the program."""
    words = [options.program, "benchmark", "speed", options.pipeline, options.texts, "--threads", "1", "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*words, "--repeats", str(repeats)], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout)["words"], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pipeline")
    parser.add_argument("texts")
    parser.add_argument("--program", default="build/bin/weft")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    ways = ["program", "weft", "component", "spacy"]
    results = {way: [] for way in ways}
    for _ in range(options.rounds):
        for way in ways:
            results[way].append(measured(way, options))
            time.sleep(0.1)
    for way in ways:
        for name in results[way][0]:
            values = sorted(result[name] for result in results[way])
            best = values[-1] if name == "words/s" else values[0]
            print(f"{way:10} {name:10} best {best:12.1f}  median {statistics.median(values):12.1f}")
    # Within a round the machine is the same; from one to the next its clock may change.
    for way, other in (("weft", "program"), ("weft", "spacy"), ("component", "spacy")):
        ratios = sorted(a["words/s"] / b["words/s"] for a, b in zip(results[way], results[other]))
        print(f"{way} / {other}: median {statistics.median(ratios):.2f}, {ratios[0]:.2f} to {ratios[-1]:.2f}")


if __name__ == "__main__":
    main()
