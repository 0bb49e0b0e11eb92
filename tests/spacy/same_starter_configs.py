"""The configs of `init config` are those of spaCy 3.8's, for many pipelines, both goals, some languages.

    same_starter_configs.py

Both texts are read by spaCy, variables kept, and compared as trees: neither the order of sections nor
the way of writing a number counts. Sections that spaCy has not are left out (docs/training.md).
"""
import itertools
import os
import pathlib
import random
import subprocess
import sys

from spacy.cli.init_config import init_config
from spacy.util import load_config_from_str

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
COMPONENTS = ["tagger", "morphologizer", "trainable_lemmatizer", "parser", "ner", "senter", "sentencizer",
              "textcat", "textcat_multilabel", "spancat", "spancat_singlelabel", "span_finder", "lemmatizer",
              "attribute_ruler", "entity_ruler", "span_ruler", "merge_entities", "doc_cleaner"]
LANGUAGES = ["en", "de", "xx", "bg", "it", "fr", "pl"]
RANDOM_PIPELINES = 40
OURS = ("training.precision", "training.checkpoints")


def flat(tree, prefix=""):
    values = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            values[f"{prefix}{key}"] = "section"
            values.update(flat(value, f"{prefix}{key}."))
        else:
            values[f"{prefix}{key}"] = value
    return values


def pipelines():
    draw = random.Random(8)
    yield from ([name] for name in COMPONENTS)
    yield from ([*pair] for pair in itertools.combinations(["tagger", "senter", "ner", "textcat"], 2))
    for _ in range(RANDOM_PIPELINES):
        yield draw.sample(COMPONENTS, draw.randint(2, 6))


def weft_config(words):
    done = subprocess.run([WEFT, "init", "config", "-", *words], capture_output=True, text=True)
    if not done.stdout:
        sys.exit(f"weft init config - {' '.join(words)} wrote nothing:\n{done.stderr}")
    return load_config_from_str(done.stdout, interpolate=False)


def differences(lang, names, goal, gpu):
    theirs = flat(init_config(lang=lang, pipeline=list(names), optimize=goal, gpu=gpu))
    words = ["--lang", lang, "--pipeline", ",".join(names), "--optimize", goal] + ["--gpu"] * gpu
    ours = flat(weft_config(words))
    ours = {key: value for key, value in ours.items() if not key.startswith(OURS)}
    for key in sorted(theirs.keys() | ours.keys()):
        if theirs.get(key, "nothing") != ours.get(key, "nothing"):
            yield f"{' '.join(words)}: {key} is {ours.get(key, 'nothing')!r}, not {theirs.get(key, 'nothing')!r}"


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    cases = wrong = 0
    for number, names in enumerate(pipelines()):
        lang = LANGUAGES[number % len(LANGUAGES)]
        for goal in ("efficiency", "accuracy"):
            cases += 1
            found = list(differences(lang, names, goal, number % 7 == 0))
            wrong += bool(found)
            for line in found:
                print(line)
    print(f"{cases - wrong} of {cases} configs are equal")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
