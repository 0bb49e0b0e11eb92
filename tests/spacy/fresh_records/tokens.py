"""Records of scores, labels, edit trees and counted words."""
import numpy
from spacy.attrs import ORTH
from spacy.pipeline._edit_tree_internals.edit_trees import EditTrees
from spacy.strings import StringStore
from spacy.training import Example
from spacy.util import registry
from thinc.api import NumpyOps

from . import documents

WORDS = ["He", "gave", "them", "books", ".", "cannot", "New", "York", "US", "\n", "big-city", "it's"]
MORPHS = [None, "", "Number=Sing", "Number=Plur|Case=Acc", "Tense=Past|VerbForm=Fin,Inf", "Case=Nom|Number=Sing"]
SCORERS = ["tagger", "morphologizer", "senter", "lemmatizer", "attribute_ruler"]


def cut_again(draw, words):
    """The same text in other tokens: some split, some joined; each with its spaces."""
    spaces = [draw.random() < 0.6 for _ in words]
    text = [(word, space) for word, space in zip(words, spaces)]
    other = []
    for word, space in text:
        kind = draw.random()
        if kind < 0.15 and len(word) > 1:
            at = draw.randint(1, len(word) - 1)
            other += [(word[:at], False), (word[at:], space)]
        elif kind < 0.3 and other and not other[-1][1] and other[-1][0].strip() and word.strip():
            other[-1] = (other[-1][0] + word, space)
        else:
            other.append((word, space))
    return text, other


def columns(draw, tokens):
    size = len(tokens)
    some = lambda values: [draw.choice(values) for _ in range(size)]
    made = {"words": [word for word, _ in tokens], "spaces": [space for _, space in tokens], "tags": some(["NN", "VB", "", "."]),
            "pos": some(["NOUN", "VERB", "", "PUNCT"]), "morphs": some(MORPHS), "lemmas": some(["he", "be", "", "book"])}
    kind = draw.random()
    made["sent_starts"] = [1] * bool(size) + [draw.choice([1, -1, -1]) if kind < 0.8 else 0 for _ in range(size - 1)]
    return made


def pair(draw):
    text, other = cut_again(draw, [draw.choice(WORDS) for _ in range(draw.randint(0, 10))])
    return {"predicted": columns(draw, other), "reference": columns(draw, text)}


def token_score_record(draw, vocab):
    made = {"docs": [pair(draw) for _ in range(draw.randint(1, 4))]}
    examples = [Example(documents.doc_of(vocab, one["predicted"]), documents.doc_of(vocab, one["reference"])) for one in made["docs"]]
    made["expect"] = {f"spacy.{name}_scorer.v1": {"scores": registry.scorers.get(f"spacy.{name}_scorer.v1")()(examples)}
                      for name in SCORERS}
    return made


def category_score_record(draw, vocab):
    labels = draw.sample(["A1", "Bb", "other", "z", "North"], draw.randint(1, 5))
    multi = draw.random() < 0.5 or len(labels) < 2
    made = {"scorer": f"spacy.textcat_{'multilabel_' if multi else ''}scorer.v2", "kwargs": {"labels": labels}, "docs": []}
    if multi or draw.random() < 0.5:
        made["kwargs"]["threshold"] = draw.choice([0.0, 0.25, 0.5, 0.9])
    if not multi and len(labels) == 2 and draw.random() < 0.6:
        made["kwargs"]["positive_label"] = labels[0]
    for _ in range(draw.randint(1, 12)):
        predicted = {label: draw.choice([0.0, 0.25, 0.5, 0.9, round(draw.random(), 3)]) for label in labels if draw.random() < 0.95}
        chosen = draw.choice(labels)
        reference = {label: (float(label == chosen) if not multi else draw.choice([0.0, 1.0])) for label in labels if draw.random() < 0.85}
        if draw.random() < 0.2:
            predicted["not a label"], reference["not a label"] = 0.99, 1.0
        made["docs"].append({"predicted": predicted, "reference": reference})
    examples = []
    for one in made["docs"]:
        predicted, reference = (documents.doc_of(vocab, {"words": ["word"]}) for _ in range(2))
        predicted.cats, reference.cats = one["predicted"], one["reference"]
        examples.append(Example(predicted, reference))
    try:
        made["expect"] = {"scores": registry.scorers.get(made["scorer"])()(examples, **made["kwargs"])}
    except Exception as error:
        made["expect"] = {"error": type(error).__name__}
    return made


def label_record(draw, _):
    """Of tagger, morphologizer and trainable_lemmatizer."""
    import spacy

    docs = []
    for _ in range(draw.randint(0, 3)):
        text, _ = cut_again(draw, [draw.choice(WORDS) for _ in range(draw.randint(1, 8))])
        docs.append(columns(draw, text))
    made = {"docs": docs, "min_tree_freq": draw.randint(1, 3), "expect": {}}
    tok2vec = {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 4, "depth": 1, "embed_size": 8,
               "window_size": 1, "maxout_pieces": 1, "subword_features": False}
    for factory in ("tagger", "morphologizer", "trainable_lemmatizer"):
        nlp = spacy.blank("en")
        config = {"model": {"@architectures": "spacy.Tagger.v2", "nO": None, "tok2vec": tok2vec}}
        if factory == "trainable_lemmatizer":
            config["min_tree_freq"] = made["min_tree_freq"]
        pipe = nlp.add_pipe(factory, config=config)
        examples = []
        for doc in docs:
            reference = documents.doc_of(nlp.vocab, doc)
            examples.append(Example(documents.doc_of(nlp.vocab, {"words": doc["words"], "spaces": doc["spaces"]}), reference))
        try:
            pipe.initialize(lambda: examples, nlp=nlp)
            label_data = pipe.label_data
            made["expect"][factory] = list(label_data) if factory == "tagger" else label_data
        except Exception as error:
            made["expect"][factory] = {"error": str(error)[:60]}
    return made


PIECES = ["a", "b", "ab", "ge", "t", "en", "ü", "日", "A", "ss"]


def edit_trees(draw):
    strings = StringStore()
    trees = EditTrees(strings)
    word = lambda: "".join(draw.choice(PIECES) for _ in range(draw.randint(0, 4)))
    pairs, applied = [], []
    for _ in range(300):
        form = word()
        lemma = word() if draw.random() < 0.5 else form[draw.randint(0, 1):] + draw.choice(["", "en", "a"])
        number = trees.add(form, lemma)
        pairs.append({"form": form, "lemma": lemma, "id": number, "tree": trees.tree_to_str(number)})
    for _ in range(600):
        number, form = draw.choice(pairs)["id"], draw.choice(pairs)["form"]
        applied.append([number, form, trees.apply(number, form)])
    stored = [tree if "orig" not in tree else {key: str(value) for key, value in tree.items()} for tree in
              (dict(one) for one in trees_of(trees))]
    return {"pairs": pairs, "apply": applied, "trees": stored}


def trees_of(trees):
    import srsly

    return srsly.msgpack_loads(trees.to_bytes())["trees"]


def ngram_record(draw, vocab):
    from spacy.ml.extract_ngrams import extract_ngrams
    from thinc.layers import SparseLinear, SparseLinear_v2

    ops = NumpyOps()
    words = [draw.choice(["a", "Word", "X", "\n", "München", "42", "the"]) for _ in range(draw.randint(1, 9))]
    made = {"words": words, "ngram_size": draw.randint(1, 3)}
    doc = documents.doc_of(vocab, {"words": words})
    keys, counts, lengths = extract_ngrams(made["ngram_size"], attr=ORTH).predict([doc])
    made["keys"], made["counts"] = [str(key) for key in keys], [int(count) for count in counts]
    for name, layer, length in (("v1", SparseLinear, draw.choice([128, 1024, 65536])), ("v2", SparseLinear_v2, draw.choice([64, 999, 4096]))):
        classes = draw.randint(1, 3)
        model = layer(nO=classes, length=length)
        model.initialize()
        _, backprop = model.begin_update((ops.asarray(keys), ops.asarray(counts), ops.asarray(lengths)))
        d = numpy.asarray([[10.0**i for i in range(classes)]], dtype="f")
        backprop(d)
        gradient = model.get_grad("W")
        places = numpy.nonzero(gradient)[0]
        made[name] = {"length": length, "nO": classes, "d": d[0].tolist(), "gradient_index": places.tolist(),
                      "gradient_value": gradient[places].tolist()}
    return made
