"""Records of suggesters, of spans chosen by scores, and of the scores of spans and parses."""
import numpy
import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import registry
from thinc.api import NumpyOps

from . import documents, tokens


def suggester_record(draw, vocab):
    lengths = [draw.randint(0, 6) for _ in range(draw.randint(1, 3))]
    docs = [Doc(vocab, words=["w"] * length) for length in lengths]
    kind = draw.choice(["ngram", "ngram_range", "preset_spans"])
    made = {"lengths": lengths, "suggester": f"spacy.{kind}_suggester.v1"}
    if kind == "ngram":
        made["args"] = {"sizes": [draw.randint(1, 5) for _ in range(draw.randint(1, 3))]}
    elif kind == "ngram_range":
        made["args"] = {"min_size": draw.randint(1, 4), "max_size": draw.randint(1, 5)}
    else:
        made["args"], made["spans"] = {"spans_key": "c"}, []
        for doc in docs:
            ranges = [sorted(draw.sample(range(len(doc) + 1), 2)) for _ in range(draw.randint(0, 3))] if len(doc) else []
            made["spans"].append(ranges)
            doc.spans["c"] = [Span(doc, *span) for span in ranges]
    found = registry.misc.get(made["suggester"])(**made["args"])(docs)
    made["expect"], at = [], 0
    for length in found.lengths:
        made["expect"].append(found.dataXd[at:at + int(length)].tolist())
        at += int(length)
    return made


def distinct(draw, rows, columns):
    values = draw.sample(range(1, 10000), max(rows * columns, 1))[:rows * columns]
    return (numpy.asarray(values, dtype="f").reshape(rows, columns) / numpy.float32(10000)).astype("f")


def shown(group, scores=None):
    made = {"spans": [[span.start, span.end, span.label_] for span in group]}
    if scores is not None:
        made.update(scores=numpy.asarray(scores).ravel().tolist(), scores_shape=list(numpy.asarray(scores).shape))
    return made


def span_group_record(draw, _):
    nlp = spacy.blank("en")
    size = draw.randint(2, 8)
    doc = Doc(nlp.vocab, words=["w"] * size)
    kind = draw.choice(["multi", "single", "finder"])
    if kind == "finder":
        config = {"threshold": draw.choice([0.3, 0.5]), "min_length": draw.choice([None, 1, 2]), "max_length": draw.choice([None, 2, 25])}
        finder = nlp.add_pipe("span_finder", config=config)
        scores = distinct(draw, size, 2)
        finder.set_annotations([doc], scores)
        made = {"kind": kind, "config": config, "scores": scores.tolist()}
        made["expect"] = shown(doc.spans["sc"])
        return made
    labels = [f"L{k}" for k in range(draw.randint(1, 4))]
    negative = kind == "single" and draw.random() < 0.7
    config = {"max_positive": 1 if kind == "single" else draw.choice([None, 2, 3]),
              "threshold": None if negative or (kind == "single" and draw.random() < 0.4) else draw.choice([0.3, 0.5, 0.7]),
              "allow_overlap": kind == "multi" or draw.random() < 0.5, "add_negative_label": negative, "labels": labels}
    rows = draw.randint(2, 7)  # one row is an accident of spaCy
    starts = [draw.randrange(size) for _ in range(rows)]
    candidates = [[start, draw.randint(start + 1, size)] for start in starts]
    scores = distinct(draw, rows, len(labels) + negative)
    made = {"kind": kind, "config": config, "candidates": candidates, "scores": scores.tolist()}
    pipe = nlp.add_pipe("spancat_singlelabel" if negative else "spancat")
    pipe.cfg.update(threshold=config["threshold"], max_positive=config["max_positive"], allow_overlap=config["allow_overlap"])
    for label in labels:
        pipe.add_label(label)
    indices = NumpyOps().asarray2i(candidates)
    if kind == "multi":
        group = pipe._make_span_group_multilabel(doc, indices, scores)
    else:
        group = pipe._make_span_group_singlelabel(doc, indices, scores, config["allow_overlap"])
    made["expect"] = shown(group, group.attrs["scores"])
    return made


def side(draw, cut, parsed, spanned):
    size = len(cut)
    made = {"words": [word for word, _ in cut], "spaces": [space for _, space in cut]}
    if parsed and size:
        made["heads"] = documents.heads_of(draw, size)
        made["deps"] = ["ROOT" if head == i else draw.choice(["nsubj", "NSUBJ", "dobj", "punct", "p", "amod"])
                        for i, head in enumerate(made["heads"])]
    if spanned:
        made["spans"] = []
        for _ in range(draw.randint(0, 4) if size else 0):
            start = draw.randrange(size)
            made["spans"].append([start, draw.randint(start + 1, min(size, start + 4)), draw.choice(["NP", "Z", "PP"])])
    return made


def score_record(draw, vocab):
    made, examples = {"pairs": []}, []
    for _ in range(draw.randint(1, 4)):
        text, other = tokens.cut_again(draw, [draw.choice(tokens.WORDS) for _ in range(draw.randint(1, 10))])
        one = {"predicted": side(draw, other, draw.random() < 0.9, draw.random() < 0.9),
               "reference": side(draw, text, draw.random() < 0.9, draw.random() < 0.9)}
        if "heads" in one["reference"]:  # some tokens without annotation
            for i in range(len(text)):
                if draw.random() < 0.1:
                    one["reference"]["heads"][i], one["reference"]["deps"][i] = i, ""
        made["pairs"].append(one)
        docs = []
        for name in ("predicted", "reference"):
            doc = documents.doc_of(vocab, {key: value for key, value in one[name].items() if key != "spans"})
            if "spans" in one[name]:
                doc.spans["sc"] = [Span(doc, *span) for span in one[name]["spans"]]
            docs.append(doc)
        examples.append(Example(*docs))
    made["expect"] = {}
    for name in ("parser", "spancat", "span_finder"):
        kwargs = {} if name == "parser" else {"spans_key": "sc"}
        made["expect"][name] = registry.scorers.get(f"spacy.{name}_scorer.v1")()(examples, **kwargs)
    return made
