"""Pipelines that `train` wrote open in spaCy 3.8 and predict the same entities.

    same_entities.py CORPUS CONFIG [CONFIG ...]

Trains each config for some steps on the first sentences of CORPUS (a .conll file), then annotates
other sentences as plain text with `apply` and with spaCy. Tokens, spaces and entities must be equal,
but for ties: two actions whose scores in spaCy differ by nothing but the order of sums. After 80 steps
there are labels whose actions were never told apart, and which of the two is larger depends on the
processor, in spaCy alone too.
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
TIE = 1e-5           # difference of two scores, by their size; sums of f32 are off by a tenth of it
MOST_TIES = 6        # of the texts of one config
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


def actions_of(annotation):
    """The action of every token: B-, I-, L-, U- with a label, or O."""
    actions = ["O"] * len(annotation["tokens"])
    for ent in annotation["ents"]:
        first, last, label = ent["start"], ent["end"] - 1, ent["label"]
        for i in range(first, last + 1):
            actions[i] = ("U-" if first == last else "B-" if i == first else "L-" if i == last else "I-") + label
    return actions


def is_tie(nlp, ours, theirs):
    """Whether spaCy scores both actions alike where the two annotations part for the first time."""
    if ours["tokens"] != theirs["tokens"] or ours["spaces"] != theirs["spaces"]:
        return False
    pairs = list(zip(actions_of(ours), actions_of(theirs)))
    apart = next(i for i, (our, their) in enumerate(pairs) if our != their)
    ner = nlp.get_pipe("ner")
    doc = nlp.make_doc(theirs["text"])
    for name, pipe in nlp.pipeline:
        if name != "ner":
            doc = pipe(doc)
    number = {ner.moves.get_class_name(i): i for i in range(ner.moves.n_moves)}
    states, step = ner.moves.init_batch([doc]), ner.model.predict([doc])
    for _, their in pairs[:apart]:
        ner.moves.apply_transition(states[0], their)
    scores = step.predict(states)[0]
    our, their = (float(scores[number[action]]) for action in pairs[apart])
    return abs(our - their) <= TIE * max(1.0, abs(their))


def differences(config, train, texts):
    """Trains one config; gives the number of entities, the ties and the annotations that differ."""
    out = WORK / config.stem
    run(WEFT, "train", config, "--paths.train", train, "--paths.dev", train, "--output", out, *OVERRIDES)
    pipeline = out / "model-last"
    ours = [json.loads(line) for line in run(WEFT, "apply", pipeline, texts).splitlines()]
    nlp = spacy.load(pipeline)
    theirs = [annotation_of(doc) for doc in nlp.pipe(doc["text"] for doc in ours)]
    pairs = [({key: our[key] for key in their}, their) for our, their in zip(ours, theirs)]
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    different = [pair for pair in apart if not is_tie(nlp, *pair)]
    return sum(len(doc["ents"]) for doc in ours), len(apart) - len(different), different


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    corpus, *configs = [pathlib.Path(word) for word in sys.argv[1:]]
    train, texts = write_parts(corpus)
    failed = False
    for config in configs:
        entities, ties, different = differences(config, train, texts)
        print(f"{config.stem}: {entities} entities, {len(different)} of {TEXTS} texts differ, {ties} ties")
        for ours, theirs in different[:3]:
            print(f"  weft:  {json.dumps(ours)}\n  spaCy: {json.dumps(theirs)}")
        failed = failed or bool(different) or ties > MOST_TIES or entities < LEAST_ENTITIES
    sys.exit(failed)


if __name__ == "__main__":
    main()
