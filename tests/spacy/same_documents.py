"""Files that `convert` wrote load in spaCy 3.8 with equal content.

    same_documents.py CORPUS

Every format that `convert` reads goes to .spacy; spaCy's documents of that file are compared with those
that spaCy makes of the same input itself: by its own converters, by its tokenizer and offsets, or as
they were before they were written. CORPUS is a .conll file.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import spacy
from spacy.tokens import Doc, DocBin, Span, SpanGroup
from spacy.training.converters import conll_ner_to_docs, iob_to_docs, json_to_docs

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
NLP = spacy.blank("en")

TEXTS = [
    ("Ada Lovelace lived in London.", [(0, 12, "PER"), (22, 28, "LOC")], {"short": True}),
    ("Zoë 😀 didn't  like\tİstanbul…", [(0, 3, "PER"), (19, 27, "LOC")], {"short": 0.5, "n": 3}),
    ("Nothing here", [], {}),
    ("", [], {}),
]

CONLL = """-DOCSTART- -X- O O

Ada NNP B-NP B-PER
Lovelace NNP I-NP I-PER
left VBD O O
Oslo NNP B-NP B-LOC

It PRP B-NP O
rained VBD O O

-DOCSTART- -X- O O

EU NNP B-NP B-ORG
UN NNP B-NP B-ORG
"""

IOB = "Ada|NNP|B-PER Lovelace|NNP|I-PER left|VBD|O\nOslo|NNP|I-LOC EU|NNP|I-ORG UN|NNP|B-ORG\n"

SPACY_TWO = [{"id": 0, "paragraphs": [{
    "raw": "Ada saw Oslo. It rained.",
    "sentences": [
        {"tokens": [
            {"id": 0, "orth": "Ada", "tag": "NNP", "head": 1, "dep": "nsubj", "ner": "U-PER"},
            {"id": 1, "orth": "saw", "tag": "VBD", "head": 0, "dep": "ROOT", "ner": "O"},
            {"id": 2, "orth": "Oslo", "tag": "NNP", "head": -1, "dep": "dobj", "ner": "U-LOC"},
            {"id": 3, "orth": ".", "tag": ".", "head": -2, "dep": "punct", "ner": "O"}], "brackets": []},
        {"tokens": [
            {"id": 4, "orth": "It", "tag": "PRP", "head": 1, "dep": "nsubj", "ner": "O"},
            {"id": 5, "orth": "rained", "tag": "VBD", "head": 0, "dep": "ROOT", "ner": "-"},
            {"id": 6, "orth": ".", "tag": ".", "head": -1, "dep": "punct", "ner": "O"}], "brackets": []}],
    "cats": [{"label": "weather", "value": 1.0}, {"label": "sports", "value": 0.0}]}]}]


def convert(source, *options):
    target = WORK / (source.name + ".out.spacy")
    words = [WEFT, "convert", source, target, *options]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nfailed with {done.returncode}:\n{done.stderr}")
    return documents(target)


def documents(path):
    return list(DocBin().from_disk(path).get_docs(spacy.blank("en").vocab))


def span_facts(span):
    return [span.start, span.end, span.start_char, span.end_char, span.label_, span.kb_id_, span.id_]


def token_facts(token):
    return [token.text, token.whitespace_, token.norm_, token.ent_iob_, token.ent_type_, token.ent_kb_id_,
            token.ent_id_, token.is_sent_start, token.tag_, token.pos_, token.lemma_, str(token.morph),
            token.dep_, token.head.i]


def content(doc):
    return {
        "text": doc.text,
        "unknown_spaces": doc.has_unknown_spaces,
        "tokens": [token_facts(token) for token in doc],
        "ents": [span_facts(span) for span in doc.ents],
        "spans": {key: [group.name, dict(group.attrs), [span_facts(span) for span in group]]
                  for key, group in doc.spans.items()},
        "cats": doc.cats,
        "user_data": sorted((repr(key), value) for key, value in doc.user_data.items()),
    }


def without_norms(facts):
    """The norms a converter left as they follow from the words, which `lang` decides."""
    return facts | {"tokens": [token[:2] + token[3:] for token in facts["tokens"]]}


def everything():
    """Documents that have what a .spacy file can hold."""
    vocab = NLP.vocab
    Doc.set_extension("note", default=None, force=True)
    full = NLP("Ada Lovelace didn't visit New York 😀 in 1843.")
    full.set_ents([Span(full, 0, 2, "PER", kb_id="Q7259", span_id="ada")], blocked=[full[2:4]],
                  missing=[full[4:6]], default="outside")
    for i, token in enumerate(full):
        token.is_sent_start = [True, False, None][i % 3] if i else True
        token.tag_, token.lemma_, token.pos_ = f"T{i % 3}", token.text.lower(), "NOUN"
    full[0].set_morph("Number=Sing")
    full.cats = {"positive": 0.25, "flag": True}
    full.spans["sc"] = [full[0:3], Span(full, 1, 4, "OVERLAP", span_id="o")]
    full.spans["named"] = SpanGroup(full, name="other", attrs={"source": 1}, spans=[full[5:7]])
    full.user_data["plain"] = [1, "two"]
    full._.note = "kept"
    parsed = Doc(vocab, words=["She", "left", ".", "They", "stayed"], spaces=[True, False, True, True, False],
                 heads=[1, 1, 1, 4, 4], deps=["nsubj", "ROOT", "punct", "nsubj", "ROOT"])
    unspaced = Doc(vocab, words=["No", "spacing", "known"])
    missing = NLP.make_doc("No annotation at all")
    return [full, parsed, unspaced, missing, Doc(vocab), NLP.make_doc("  two\n\nlines  ")]


def expected_of_texts():
    docs = []
    for text, ents, cats in TEXTS:
        doc = NLP.make_doc(text)
        doc.set_ents([doc.char_span(start, end, label) for start, end, label in ents])
        doc.cats = cats
        docs.append(doc)
    return [doc for doc in docs if len(doc)]


def json_lines():
    lines = [{"text": text, "entities": ents, "cats": cats} for text, ents, cats in TEXTS if text]
    return "".join(json.dumps(line) + "\n" for line in lines)


def write(name, text):
    path = WORK / name
    path.write_text(text, encoding="utf8")
    return path


def cases(corpus):
    """Name, spaCy's documents, those of convert, and how they are compared."""
    DocBin(docs=everything(), store_user_data=True).to_disk(WORK / "everything.spacy")
    everything_read = documents(WORK / "everything.spacy")
    yield "spacy", everything_read, convert(WORK / "everything.spacy"), content
    plain = lambda doc: without_norms(content(doc))
    yield "jsonl", expected_of_texts(), convert(write("texts.jsonl", json_lines()), "--lang", "en"), content
    conll = write("marked.conll", CONLL)
    yield "conll", list(conll_ner_to_docs(CONLL, no_print=True)), convert(conll), plain
    # The empty line behind the last sentence is a document without tokens to spaCy.
    lines = [doc for doc in iob_to_docs(IOB, n_sents=2, no_print=True) if len(doc)]
    yield "iob", lines, convert(write("lines.iob", IOB), "-n", "2"), plain
    two = json.dumps(SPACY_TWO)
    yield "json", list(json_to_docs(two)), convert(write("two.json", two)), plain
    text = corpus.read_text(encoding="utf8")
    for sentences in (1, 10):
        theirs = list(conll_ner_to_docs(text, n_sents=sentences, no_print=True))
        yield f"corpus, {sentences}", theirs, convert(corpus, "--n-sents", str(sentences)), plain


def first_difference(theirs, ours):
    if len(theirs) != len(ours):
        return f"{len(theirs)} documents in spaCy, {len(ours)} in weft"
    for number, (their, our) in enumerate(zip(theirs, ours)):
        for key in their:
            if their[key] != our[key]:
                return f"document {number}, {key}:\n  spaCy: {their[key]}\n  weft:  {our[key]}"
    return None


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    failed = False
    for name, theirs, ours, facts in cases(pathlib.Path(sys.argv[1])):
        difference = first_difference([facts(doc) for doc in theirs], [facts(doc) for doc in ours])
        tokens = sum(map(len, theirs))
        print(f"{name}: {len(theirs)} documents, {tokens} tokens: {difference or 'equal'}")
        failed = failed or difference is not None or tokens == 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
