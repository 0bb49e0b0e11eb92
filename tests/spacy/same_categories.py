"""Text classifiers that `train` wrote open in spaCy 3.8 and give the same scores, and the other way round.

    same_categories.py TRAIN.tsv[.gz] TEXTS.tsv

For every architecture: trained here for some steps and read by spaCy; saved by spaCy and read here;
trained in spaCy and read here. Scores of texts are compared, and every node of the saved model.
"""
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys

import spacy
import srsly
from spacy.training import Example

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
LIMIT = 2e-5
ROWS, TEXTS, STEPS = 600, 300, 40

TOK2VEC = """
[components.NAME.model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 24
depth = 2
embed_size = 300
window_size = 1
maxout_pieces = 3
subword_features = true
"""
LISTENER = """
[components.NAME.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 24
upstream = "*"

[components.tok2vec]
factory = "tok2vec"
""" + TOK2VEC.replace("components.NAME.model.tok2vec", "components.tok2vec.model")


def bow(version, exclusive, more=""):
    text = f'@architectures = "spacy.TextCatBOW.{version}"\nexclusive_classes = {exclusive}\nngram_size = 2\n'
    return text + f"no_output_layer = false\n{more}"


def reduce(exclusive, first):
    text = f'@architectures = "spacy.TextCatReduce.v1"\nexclusive_classes = {exclusive}\n'
    return text + f"use_reduce_first = {first}\nuse_reduce_last = {first}\nuse_reduce_max = {first}\nuse_reduce_mean = true\n"


def ensemble(exclusive):
    linear = "\n[components.NAME.model.linear_model]\n" + bow("v3", exclusive, "length = 5000\n")
    return '@architectures = "spacy.TextCatEnsemble.v2"\n' + TOK2VEC + linear


def ensemble1(exclusive):
    return (f'@architectures = "spacy.TextCatEnsemble.v1"\nexclusive_classes = {exclusive}\nwidth = 24\nembed_size = 200\n'
            "pretrained_vectors = null\nngram_size = 1\nwindow_size = 1\nconv_depth = 2\ndropout = null\n")


def named(name, exclusive, rest=TOK2VEC):
    return f'@architectures = "spacy.{name}"\nexclusive_classes = {exclusive}\n' + rest


CASES = {
    "bow3": ("textcat", bow("v3", "true", "length = 5000\n")),
    "bow3_several": ("textcat_multilabel", bow("v3", "false", "length = 5000\n")),
    "bow2": ("textcat", bow("v2", "true")),
    "bow1": ("textcat_multilabel", bow("v1", "false")),
    "reduce": ("textcat", reduce("true", "true") + TOK2VEC),
    "reduce_several": ("textcat_multilabel", reduce("false", "false") + LISTENER),
    "cnn2": ("textcat", named("TextCatCNN.v2", "true")),
    "cnn1": ("textcat_multilabel", named("TextCatCNN.v1", "false")),
    "attention": ("textcat", named("TextCatParametricAttention.v1", "true")),
    "attention_several": ("textcat_multilabel", named("TextCatParametricAttention.v1", "false", LISTENER)),
    "ensemble": ("textcat", ensemble("true")),
    "ensemble_several": ("textcat_multilabel", ensemble("false")),
    "ensemble1": ("textcat", ensemble1("true")),
    "ensemble1_several": ("textcat_multilabel", ensemble1("false")),
}

CONFIG = """[paths]
train = null
dev = null

[system]
seed = 0

[nlp]
lang = "en"
pipeline = [PIPELINE]

[components]

[components.NAME]
factory = "NAME"

[components.NAME.model]
MODEL

[corpora]

[corpora.train]
@readers = "weft.CsvCorpus.v1"
path = ${paths.train}
header = false
label_column = 1
text_column = 2
labels = ["AddToPlaylist", "BookRestaurant", "GetWeather", "PlayMusic", "RateBook", "SearchCreativeWork", "SearchScreeningEvent"]

[corpora.dev]
@readers = "weft.CsvCorpus.v1"
path = ${paths.dev}
header = false
label_column = 1
text_column = 2

[training]
train_corpus = "corpora.train"
dev_corpus = "corpora.dev"
dropout = 0.1
max_steps = STEPS
eval_frequency = STEPS

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.005
"""


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nfailed with {done.returncode}:\n{done.stderr}")
    return done.stdout


def rows_of(file, count):
    opened = gzip.open(file, "rt", encoding="utf8") if str(file).endswith(".gz") else open(file, encoding="utf8")
    with opened as lines:
        return [line.rstrip("\n").split("\t", 1) for line, _ in zip(lines, range(count))]


def scores_here(pipeline, texts):
    lines = run(WEFT, "apply", pipeline, texts, "--json").splitlines()
    return [json.loads(line)["cats"] for line in lines]


def differences(case, here, there):
    worst = 0.0
    for mine, other in zip(here, there, strict=True):
        if list(mine) != list(other):
            sys.exit(f"{case}: labels {list(mine)} and {list(other)}")
        worst = max([worst] + [abs(mine[label] - other[label]) for label in mine])
    if not worst <= LIMIT:
        sys.exit(f"{case}: scores differ by {worst}")
    return worst


def nodes_of(folder, name):
    model = srsly.msgpack_loads((folder / name / "model").read_bytes())
    attrs = [{key: bytes(value) for key, value in of.items()} for of in model["attrs"]]
    shapes = [{key: value.shape for key, value in of.items()} for of in model["params"]]
    return [(node["name"], node["dims"], node["refs"], a, p)
            for node, a, p in zip(model["nodes"], attrs, shapes)]


def trained_there(config, rows):
    """A pipeline with the components of `config`, trained in spaCy."""
    parts = spacy.util.load_config(config, interpolate=False)
    nlp = spacy.util.load_model_from_config({"nlp": parts["nlp"], "components": parts["components"]}, auto_fill=True)
    labels = sorted({label for label, _ in rows})
    examples = [Example.from_dict(nlp.make_doc(text), {"cats": {one: float(one == label) for one in labels}})
                for label, text in rows]
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.005
    for step in range(STEPS // 2):
        nlp.update(examples[step * 20:step * 20 + 20], sgd=optimizer, drop=0.1)
    return nlp


def check(case, factory, model, train, dev, texts, rows):
    pipeline = '"tok2vec", "NAME"' if "tok2vec]\nfactory" in model else '"NAME"'
    text = CONFIG.replace("PIPELINE", pipeline).replace("MODEL", model).replace("STEPS", str(STEPS))
    config = WORK / f"{case}.cfg"
    config.write_text(text.replace("NAME", factory), encoding="utf8")
    out = WORK / case
    run(WEFT, "train", config, "--paths.train", train, "--paths.dev", dev, "--output", out)
    words = texts.read_text(encoding="utf8").splitlines()
    nlp = spacy.load(out / "model-last")
    found = [dict(doc.cats) for doc in nlp.pipe(words)]
    if len({max(cats, key=cats.get) for cats in found}) < 4:
        sys.exit(f"{case}: nearly all texts have one label, which says nothing")
    to_spacy = differences(case, scores_here(out / "model-last", texts), found)
    nlp.to_disk(out / "saved-there")
    back = differences(case, scores_here(out / "saved-there", texts), found)
    nodes, theirs = nodes_of(out / "model-last", factory), nodes_of(out / "saved-there", factory)
    other = trained_there(config, rows)
    other.to_disk(out / "trained-there")
    from_spacy = differences(case, scores_here(out / "trained-there", texts), [dict(doc.cats) for doc in other.pipe(words)])
    fresh = nodes_of(out / "trained-there", factory)
    if [node[0] for node in nodes] != [node[0] for node in fresh]:
        sys.exit(f"{case}: nodes\n" + "\n".join(f"{a[0]} | {b[0]}" for a, b in zip(nodes, fresh) if a[0] != b[0]))
    for mine, their in zip(nodes, fresh):
        if mine[1:3] != their[1:3] or set(mine[3]) != set(their[3]) or mine[4] != their[4]:
            print(f"  note: {mine[0][:60]}: {mine[1:]} there {their[1:]}")
    print(f"{case}: {to_spacy:.1e} read there, {back:.1e} saved there, {from_spacy:.1e} trained there; {len(nodes)} nodes")


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    rows = rows_of(sys.argv[1], ROWS)
    train, dev, texts = WORK / "train.tsv", WORK / "dev.tsv", WORK / "texts.txt"
    train.write_text("".join(f"{label}\t{text}\n" for label, text in rows), encoding="utf8")
    some = rows_of(sys.argv[2], TEXTS)
    dev.write_text("".join(f"{label}\t{text}\n" for label, text in some[:100]), encoding="utf8")
    texts.write_text("".join(text.strip() + "\n" for _, text in some), encoding="utf8")
    for case, (factory, model) in CASES.items():
        if len(sys.argv) > 3 and case not in sys.argv[3:]:
            continue
        check(case, factory, model, train, dev, texts, rows)


main()
