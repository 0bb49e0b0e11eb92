"""Pipelines that `train` wrote open in spaCy 3.8 and predict the same entities.

    same_entities.py CORPUS CONFIG [CONFIG ...]

Trains each config for some steps on the first sentences of CORPUS (a .conll file), then annotates
other sentences as plain text with `apply` and with spaCy. Tokens, spaces and entities must be equal.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import spacy

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
TRAIN_SENTENCES, TEXTS = 400, 600
LEAST_ENTITIES = 50  # fewer would say nothing
OVERRIDES = ["--training.max_steps", "80", "--training.eval_frequency", "80",
             "--training.optimizer.learn_rate", "0.004", "--training.batcher.size", "600"]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nfailed with {done.returncode}:\n{done.stderr}")
    return done.stdout


def write_parts(corpus):
    """The training sentences, and the first texts of the corpus, one on a line."""
    sentences = [part for part in corpus.read_text(encoding="utf8").split("\n\n") if part.strip()]
    train, texts = WORK / "train.conll", WORK / "texts.txt"
    train.write_text("\n\n".join(sentences[:TRAIN_SENTENCES]) + "\n\n", encoding="utf8")
    lines = [" ".join(line.split("\t")[0] for line in sentence.splitlines()) for sentence in sentences[:TEXTS]]
    texts.write_text("".join(line + "\n" for line in lines), encoding="utf8")
    return train, texts


def annotation_of(doc):
    return {
        "text": doc.text,
        "tokens": [token.text for token in doc],
        "spaces": [bool(token.whitespace_) for token in doc],
        "ents": [{"start": ent.start, "end": ent.end, "start_char": ent.start_char, "end_char": ent.end_char,
                  "label": ent.label_} for ent in doc.ents],
    }


def differences(config, train, texts):
    """Trains one config; gives the number of entities and the annotations that differ."""
    out = WORK / config.stem
    run(WEFT, "train", config, "--paths.train", train, "--paths.dev", train, "--output", out, *OVERRIDES)
    pipeline = out / "model-last"
    ours = [json.loads(line) for line in run(WEFT, "apply", pipeline, texts).splitlines()]
    theirs = [annotation_of(doc) for doc in spacy.load(pipeline).pipe(doc["text"] for doc in ours)]
    pairs = [({key: our[key] for key in their}, their) for our, their in zip(ours, theirs)]
    return sum(len(doc["ents"]) for doc in ours), [pair for pair in pairs if pair[0] != pair[1]]


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    corpus, *configs = [pathlib.Path(word) for word in sys.argv[1:]]
    train, texts = write_parts(corpus)
    failed = False
    for config in configs:
        entities, different = differences(config, train, texts)
        print(f"{config.stem}: {entities} entities, {len(different)} of {TEXTS} texts differ")
        for ours, theirs in different[:3]:
            print(f"  weft:  {json.dumps(ours)}\n  spaCy: {json.dumps(theirs)}")
        failed = failed or bool(different) or entities < LEAST_ENTITIES
    sys.exit(failed)


if __name__ == "__main__":
    main()
