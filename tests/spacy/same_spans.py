"""Components for spans that `train` wrote open in spaCy 3.8 and predict the same, and the other way round.

    same_spans.py TRAIN.spacy DEV.spacy

A span categorizer and a span finder with a shared tok2vec, and one of one label with its own: trained here and read by
spaCy, saved by spaCy and read here, trained in spaCy and read here. Groups with their scores are compared, in JSON and in
.spacy files, as are scores of an evaluation and every node of the saved models.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import spacy
import srsly
from spacy.tokens import DocBin, SpanGroup
from spacy.training import Example

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
LIMIT = 2e-5
STEPS = 150
KEYS = {"spancat": "sc", "spancat_singlelabel": "one", "span_finder": "found"}

TOK2VEC = """
[components.{0}]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 32
depth = 2
embed_size = 500
window_size = 1
maxout_pieces = 3
subword_features = true
"""
CONFIG = """[paths]
train = null
dev = null

[system]
seed = 0

[nlp]
lang = "en"
pipeline = ["tok2vec", "span_finder", "spancat", "spancat_singlelabel"]

[components]

[components.tok2vec]
factory = "tok2vec"
""" + TOK2VEC.format("tok2vec.model") + """
[components.span_finder]
factory = "span_finder"
spans_key = "found"
max_length = 6
threshold = 0.4

[components.span_finder.model]
@architectures = "spacy.SpanFinder.v1"

[components.span_finder.model.scorer]
@layers = "spacy.LinearLogistic.v1"
nO = 2

[components.span_finder.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 32

[components.spancat]
factory = "spancat"
threshold = 0.3

[components.spancat.suggester]
@misc = "spacy.ngram_range_suggester.v1"
min_size = 1
max_size = 5

[components.spancat.model]
@architectures = "spacy.SpanCategorizer.v1"

[components.spancat.model.reducer]
@layers = "spacy.mean_max_reducer.v1"
hidden_size = 32

[components.spancat.model.scorer]
@layers = "spacy.LinearLogistic.v1"

[components.spancat.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 32

[components.spancat_singlelabel]
factory = "spancat_singlelabel"
spans_key = "one"
negative_weight = 0.8
allow_overlap = false

[components.spancat_singlelabel.suggester]
@misc = "spacy.ngram_suggester.v1"
sizes = [1, 2, 3]

[components.spancat_singlelabel.model]
@architectures = "spacy.SpanCategorizer.v1"

[components.spancat_singlelabel.model.reducer]
@layers = "spacy.mean_max_reducer.v1"
hidden_size = 24

[components.spancat_singlelabel.model.scorer]
@layers = "Softmax.v2"
""" + TOK2VEC.format("spancat_singlelabel.model.tok2vec") + """
[corpora]

[corpora.train]
@readers = "spacy.Corpus.v1"
path = ${paths.train}

[corpora.dev]
@readers = "spacy.Corpus.v1"
path = ${paths.dev}

[training]
train_corpus = "corpora.train"
dev_corpus = "corpora.dev"
dropout = 0.1
max_steps = STEPS
eval_frequency = STEPS

[training.batcher]
@batchers = "spacy.batch_by_words.v1"
size = WORDS
discard_oversize = false
tolerance = 0.2

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = RATE
L2_is_weight_decay = true
L2 = 0.01
grad_clip = 1.0
"""


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nfailed with {done.returncode}:\n{done.stderr}")
    return done.stdout


def with_all_groups(file, out):
    """The documents of a file, the spans of the group `sc` under every key."""
    docs = list(DocBin().from_disk(file).get_docs(spacy.blank("en").vocab))
    bin = DocBin(attrs=[])
    for doc in docs:
        for key in KEYS.values():
            doc.spans[key] = SpanGroup(doc, name=key, spans=list(doc.spans["sc"]))
        bin.add(doc)
    bin.to_disk(out)
    return docs


def groups_there(nlp, texts):
    found = []
    for doc in nlp.pipe(texts):
        found.append({key: ([(s.start, s.end, s.label_, s.start_char, s.end_char) for s in doc.spans[key]],
                            doc.spans[key].attrs.get("scores")) for key in KEYS.values()})
    return found


def groups_here(pipeline, texts, file):
    """From the .spacy file; the same spans stand in the JSON lines."""
    words = WORK / "texts.txt"
    words.write_text("".join(text + "\n" for text in texts), encoding="utf8")
    run(WEFT, "apply", pipeline, words, "--output", file)
    lines = [json.loads(line) for line in run(WEFT, "apply", pipeline, words, "--json").splitlines()]
    found = []
    for doc, line in zip(DocBin().from_disk(file).get_docs(spacy.blank("en").vocab), lines, strict=True):
        if doc.to_json()["spans"] != line["spans"]:
            sys.exit(f"JSON has other spans than spaCy's: {line['spans']}")
        found.append({key: ([(s.start, s.end, s.label_, s.start_char, s.end_char) for s in doc.spans[key]],
                            doc.spans[key].attrs.get("scores")) for key in KEYS.values()})
    return found


def compare(case, here, there):
    worst, count = 0.0, 0
    for mine, other in zip(here, there, strict=True):
        for key in KEYS.values():
            if mine[key][0] != other[key][0]:
                sys.exit(f"{case}: {key}: {mine[key][0]} here, {other[key][0]} there")
            count += len(mine[key][0])
            scores, wanted = mine[key][1], other[key][1]
            if (scores is None) != (wanted is None):
                sys.exit(f"{case}: {key}: scores {scores} here, {wanted} there")
            if scores is None or len(scores) == 0:
                continue
            if scores.shape != wanted.shape:
                sys.exit(f"{case}: {key}: scores of shape {scores.shape} here, {wanted.shape} there")
            worst = max(worst, float(numpy.abs(scores - wanted).max()))
    if not worst <= LIMIT or count < 50:
        sys.exit(f"{case}: scores differ by {worst}, {count} spans")
    print(f"{case}: {count} spans, scores off by {worst:.1e}")


def nodes_of(folder, name):
    model = srsly.msgpack_loads((folder / name / "model").read_bytes())
    attrs = [{key: bytes(value) for key, value in of.items()} for of in model["attrs"]]
    shapes = [{key: value.shape for key, value in of.items()} for of in model["params"]]
    return [(node["name"], node["dims"], node["refs"], a, p)
            for node, a, p in zip(model["nodes"], attrs, shapes)]


def check_nodes(here, there):
    for name in KEYS:
        for mine, other in zip(nodes_of(here, name), nodes_of(there, name), strict=True):
            if mine[0] != other[0] or mine[2] != other[2] or set(mine[3]) != set(other[3]) or mine[4] != other[4]:
                sys.exit(f"{name}: a node {mine} here, {other} there")
            if mine[1] != other[1]:
                print(f"  note: {name}: dims of {mine[0][:50]}: {mine[1]} here, {other[1]} there")


def trained_there(config, docs):
    """The components of `config`, trained in spaCy."""
    parts = spacy.util.load_config(config, interpolate=False)
    nlp = spacy.util.load_model_from_config({"nlp": parts["nlp"], "components": parts["components"]}, auto_fill=True)
    examples = [Example(nlp.make_doc(doc.text), doc) for doc in docs]
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.003
    for _ in range(6):
        for at in range(0, len(examples), 5):
            nlp.update(examples[at:at + 5], sgd=optimizer, drop=0.1)
    return nlp


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    train, dev = WORK / "train.spacy", WORK / "dev.spacy"
    docs, held_out = with_all_groups(sys.argv[1], train), with_all_groups(sys.argv[2], dev)
    sentences = [" ".join(sentence.split()) for doc in held_out for sentence in doc.text.split(". ")]
    texts = [sentence for sentence in sentences if sentence]  # an empty document gets no groups here
    config = WORK / "spans.cfg"
    config.write_text(CONFIG.replace("STEPS", str(STEPS)).replace("WORDS", "600").replace("RATE", "0.003"),
                      encoding="utf8")
    out = WORK / "out"
    run(WEFT, "train", config, "--paths.train", train, "--paths.dev", dev, "--output", out)
    nlp = spacy.load(out / "model-last")
    found = groups_there(nlp, texts)
    compare("read there", groups_here(out / "model-last", texts, WORK / "here.spacy"), found)
    metrics = run(WEFT, "evaluate", out / "model-last", dev, "--json")
    theirs = nlp.evaluate([Example(nlp.make_doc(doc.text), doc) for doc in held_out])
    mine = json.loads(metrics)
    for key in KEYS.values():
        for score in ("p", "r", "f"):
            name = f"spans_{key}_{score}"
            if abs(mine[name] - theirs[name]) > 1e-9:
                sys.exit(f"{name} is {mine[name]} here, {theirs[name]} there")
    nlp.to_disk(out / "saved-there")
    compare("saved there", groups_here(out / "saved-there", texts, WORK / "saved.spacy"), found)
    check_nodes(out / "model-last", out / "saved-there")
    other = trained_there(config, docs)
    other.to_disk(out / "trained-there")
    compare("trained there", groups_here(out / "trained-there", texts, WORK / "trained.spacy"), groups_there(other, texts))
    check_nodes(out / "model-last", out / "trained-there")


main()
