"""Pipelines of taggers or a parser that `train` wrote open in spaCy 3.8 and predict the same, and the other way round.

    same_tokens.py CONFIG TRAIN DEV

Trains CONFIG for some steps on TRAIN (a .spacy file), then annotates the texts of DEV with `apply` and with spaCy:
tags, parts of speech, features, lemmas, heads and sentences must be equal. Then spaCy writes the pipeline, trained for a step,
and `apply` has to predict what spaCy does.
"""
import json
import os
import pathlib
import subprocess
import sys

import spacy
from spacy.tokens import Doc, DocBin
from spacy.training import Example

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
MOST_TIES = 2  # tokens of a hundred thousand whose two best scores differ by the order of sums alone


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nfailed with {done.returncode}:\n{done.stderr}")
    return done.stdout


def annotation_of(doc):
    return {
        "tokens": [token.text for token in doc],
        "tags": [token.tag_ for token in doc],
        "pos": [token.pos_ for token in doc],
        "morphs": [str(token.morph) for token in doc],
        "lemmas": [token.lemma_ for token in doc],
        "heads": [token.head.i for token in doc],
        "deps": [token.dep_ for token in doc],
        "sents": [{"start": sent.start, "end": sent.end} for sent in doc.sents],
    }


def compare(pipeline, texts, what):
    file = WORK / "texts.jsonl"
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf8")
    ours = [json.loads(line) for line in run(WEFT, "apply", pipeline, file).splitlines()]
    theirs = [annotation_of(doc) for doc in spacy.load(pipeline).pipe(texts)]
    assert len(ours) == len(theirs) > 0
    tokens = differences = 0
    for our, their in zip(ours, theirs):
        assert {"tags", "heads"} & our.keys(), (what, our)
        for key, values in their.items():
            if key not in our:  # no component of this pipeline sets it
                continue
            if key == "sents":
                assert our.get(key, values) == values, (what, our["text"], our.get(key), values)
                continue
            assert len(our[key]) == len(values), (what, key)
            tokens += len(values)
            for number, (mine, wanted) in enumerate(zip(our[key], values)):
                if mine != wanted:
                    differences += 1
                    print(f"{what}: {key} of {our['tokens'][number]!r}: {mine!r}, in spaCy {wanted!r}")
    print(f"{what}: {len(texts)} texts, {tokens} values, {differences} differ")
    if differences > MOST_TIES:
        sys.exit(1)


def texts_of(file):
    vocab = spacy.blank("en").vocab
    return [doc.text for doc in DocBin().from_disk(file).get_docs(vocab)]


def train_on(pipeline, file, folder):
    nlp = spacy.load(pipeline)
    docs = list(DocBin().from_disk(file).get_docs(nlp.vocab))[:4]
    examples = [Example(Doc(nlp.vocab, words=[token.text for token in doc]), doc) for doc in docs]
    nlp.update(examples, sgd=nlp.resume_training(), losses={})
    nlp.to_disk(folder)
    return folder


def main(config, train, dev):
    WORK.mkdir(parents=True, exist_ok=True)
    run(WEFT, "train", config, "--paths.train", train, "--paths.dev", dev, "--output", WORK / "run", "--overwrite",
        "--training.max_steps", "60", "--training.eval_frequency", "60", "--training.batcher.size", "500",
        "--training.optimizer.learn_rate", "0.004")
    texts = texts_of(dev)
    compare(WORK / "run" / "model-last", texts, "trained here")
    compare(train_on(WORK / "run" / "model-last", train, WORK / "by_spacy"), texts, "saved by spaCy")


if __name__ == "__main__":
    main(*sys.argv[1:])
