#!/usr/bin/env python3
"""Measures the memory of training on a corpus that is streamed.

Writes a made-up corpus of many sentences (JSON lines, in files of 100,000), trains a small network
on one pass of it with a shuffle window, and prints the most memory that the program took. Word
forms follow Zipf's law over a vocabulary that grows with the text, as in a real corpus.

    tools/measure_stream.py --weft build/bin/weft --sentences 10000000 --folder /tmp/stream
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import time

CONFIG = """[paths]
train = null
dev = null

[nlp]
lang = "en"
pipeline = ["ner"]

[components]

[components.ner]
factory = "ner"

[components.ner.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "ner"
extra_state_tokens = false
hidden_width = 16
maxout_pieces = 2
use_upper = true

[components.ner.model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 16
depth = 1
embed_size = 2000
window_size = 1
maxout_pieces = 2
subword_features = true

[corpora]

[corpora.train]
@readers = "spacy.JsonlCorpus.v1"
path = ${paths.train}

[corpora.dev]
@readers = "spacy.JsonlCorpus.v1"
path = ${paths.dev}

[training]
max_epochs = -1
shuffle_window = 10000
patience = 0
max_steps = STEPS
eval_frequency = STEPS

[training.batcher]
@batchers = "spacy.batch_by_words.v1"
size = 4000
discard_oversize = false
tolerance = 0.2
"""

SENTENCES_PER_FILE = 100_000
WORDS_PER_BATCH = 4000
LABELS = ["person", "place", "group", "product"]


def word_form(draw, known):
    """A word by Heaps' law: one in some dozens is new, the others follow Zipf's law roughly."""
    if draw.random() < 0.02:
        known[0] += 1
        return f"w{known[0]:x}"
    return f"w{int(known[0] ** draw.random()):x}"


def sentence(draw, known):
    words = [word_form(draw, known) for _ in range(draw.randint(5, 20))]
    start = draw.randrange(len(words) - 1)
    words[start] = words[start].capitalize()
    first = sum(len(word) + 1 for word in words[:start])
    entity = [first, first + len(words[start]), draw.choice(LABELS)]
    return {"text": " ".join(words), "entities": [entity]}, len(words)


def write_corpus(folder, count, seed):
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(seed)
    known = [50]
    words = 0
    for first in range(0, count, SENTENCES_PER_FILE):
        with open(folder / f"{first // SENTENCES_PER_FILE:04}.jsonl", "w", encoding="utf-8") as file:
            for _ in range(min(SENTENCES_PER_FILE, count - first)):
                record, length = sentence(draw, known)
                words += length
                file.write(json.dumps(record) + "\n")
    return words, known[0]


def peak_of(command, log=None):
    """Seconds, seconds of processor time and the most bytes of the program, measured by the system."""
    start = time.time()
    child = subprocess.Popen(command, stdout=log, stderr=log)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"the program ended with status {status}")
    return time.time() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weft", default="build/bin/weft")
    parser.add_argument("--sentences", type=int, default=1_000_000)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--memory", help="[system] memory of the run, such as 1GB")
    options = parser.parse_args()
    words, forms = write_corpus(options.folder / "train", options.sentences, 1)
    write_corpus(options.folder / "dev", 1000, 2)
    size = sum(file.stat().st_size for file in (options.folder / "train").iterdir())
    print(f"{options.sentences} sentences, {words} words, {forms} forms, {size / 1e6:.0f} MB", flush=True)
    config = options.folder / "stream.cfg"
    config.write_text(CONFIG.replace("STEPS", str(words // WORDS_PER_BATCH)), encoding="utf-8")
    command = [options.weft, "train", str(config), "--threads", "1",
               "--paths.train", str(options.folder / "train"),
               "--paths.dev", str(options.folder / "dev")]
    if options.memory:
        command += ["--system.memory", options.memory]
    elapsed, processor, peak = peak_of(command)
    print(f"peak {peak / 1e6:.0f} MB, {elapsed:.0f} s, {processor:.0f} s of processor time")


if __name__ == "__main__":
    main()
