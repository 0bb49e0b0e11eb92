"""`render` draws what displaCy of spaCy 3.8 draws.

    same_drawings.py

Random documents with trees, entities and overlapping spans are drawn by both. Shapes, places, texts and
labels must be equal; of pages, what a reader sees. Noun phrases are compared for every language whose
rules are built in, on trees with the labels that those rules know.
"""
import html.parser
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as trees

import spacy
from spacy import displacy
from spacy.tokens import Doc, DocBin, Span

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
WORDS = ["Ada", "saw", "<b>", "the", "&", "big", "dog", ".", ",", "\u00e9t\u00e9", "Oslo", "\"", "of", "new", "\n", "run's"]
TAGS = ["NOUN", "PROPN", "PRON", "DET", "ADJ", "ADP", "CCONJ", "VERB", "PUNCT"]
LABELS = {
    "en": "nsubj dobj pobj conj det amod attr appos ROOT prep cc",
    "de": "sb oa da nk mo ag cj pd og app ac cd",
    "nl": "nsubj nsubj:pass obj det det:poss amod nmod:poss conj case",
    "fr": "nsubj obj obl:arg nmod det amod flat:name flat:foreign conj fixed case appos",
    "it": "nsubj obj obl det det:poss amod flat:name compound conj case appos",
    "pt": "nsubj obj obl:agent det amod flat:name compound conj case appos",
    "es": "nsubj obj obl det amod flat fixed compound conj case appos nmod",
}
DRAWINGS = 40


def projective_heads(size, draw):
    """Heads of a tree without crossing arcs: pieces are joined to a neighbour until one is left."""
    heads, roots = list(range(size)), list(range(size))
    while len(roots) > 1:
        at = draw.randrange(len(roots) - 1)
        child, head = draw.sample(roots[at:at + 2], 2)
        heads[child] = head
        roots.remove(child)
    return heads


def made(nlp, labels, draw):
    # displaCy escapes the words alone: nothing else may look like markup here.
    size = draw.randint(1, 14)
    words = [draw.choice(WORDS) for _ in range(size)]
    heads = projective_heads(size, draw)
    deps = ["ROOT" if head == i else draw.choice(labels) for i, head in enumerate(heads)]
    doc = Doc(nlp.vocab, words=words, spaces=[draw.random() < 0.8 for _ in words], heads=heads, deps=deps,
              pos=[draw.choice(TAGS) for _ in words], tags=[draw.choice("ABC") for _ in words],
              lemmas=[word.lower() if word.isalpha() else "mark" for word in words])
    edges = sorted(draw.sample(range(size + 1), min(size + 1, 4)))
    doc.ents = [Span(doc, a, b, draw.choice(["ORG", "GPE", "DATE"]), kb_id=draw.choice(["", "Q1"]))
                for a, b in zip(edges[::2], edges[1::2])]
    spans = []
    for _ in range(draw.randint(0, 5)):
        start = draw.randrange(size)
        spans.append(Span(doc, start, draw.randint(start + 1, size), draw.choice(["ORG", "LOC", "PERSON"])))
    doc.spans["sc"] = spans
    return doc


def saved(docs, name):
    file = WORK / name
    DocBin(attrs=["TAG", "POS", "DEP", "HEAD", "LEMMA", "ENT_IOB", "ENT_TYPE", "ENT_KB_ID", "SENT_START"],
           docs=docs, store_user_data=True).to_disk(file)
    return file


def drawn(file, lang, *options):
    done = subprocess.run([WEFT, "render", str(file), "--lang", lang, "--output", str(WORK / "page.html"),
                           *options], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"render {options} failed:\n{done.stderr}")
    page = (WORK / "page.html").read_text(encoding="utf8")
    return re.findall(r"<figure[^>]*>\n(.*?)</figure>", page, flags=re.S)


def numbers(text):
    return [float(number) for number in re.findall(r"-?[0-9]+(?:\.[0-9]+)?", text)]


def shapes(svg):
    """Words, arcs with labels, arrows and sizes, all with their places; blanks and line ends of words are one blank."""
    root = trees.fromstring(svg)
    found = [("size", numbers(root.get("width")), numbers(root.get("height")), root.get("direction"))]
    for part in root.iter():
        kind = part.get("class")
        if kind in ("displacy-word", "displacy-tag", "displacy-lemma"):
            found.append((kind, float(part.get("x")), " ".join((part.text or "").split())))
        elif kind in ("displacy-arc", "displacy-arrowhead"):
            found.append((kind, re.sub(r"[^MCL]", "", part.get("d")), numbers(part.get("d"))))
        elif kind == "displacy-token":
            found.append((kind, float(part.get("y"))))
        elif kind == "displacy-label":
            found.append((kind, part.text, part.get("side")))
    return found


class Seen(html.parser.HTMLParser):
    """Elements with the parts of their style that both give, and texts without surrounding blanks."""

    def __init__(self, page):
        super().__init__()
        self.parts = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        style = dict(attrs).get("style") or ""
        kept = [one.strip() for one in style.split(";") if one.strip() and "color: #000" not in one]
        self.parts.append((tag, dict(attrs).get("class"), dict(attrs).get("href"), tuple(sorted(kept))))

    def handle_endtag(self, tag):
        self.parts.append((tag,))

    def handle_data(self, data):
        if data.strip():
            self.parts.append(" ".join(data.split()))


def elements(page):
    parts = []
    for part in Seen(page).parts:
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += " " + part
        else:
            parts.append(part)
    return parts


def compare(name, ours, theirs):
    wrong = 0
    for number, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        if mine == other:
            continue
        wrong += 1
        if wrong < 3:
            for a, b in zip(mine, other):
                if a != b:
                    print(f"{name}, document {number}: {a}\n  displaCy: {b}")
                    break
            else:
                print(f"{name}, document {number}: {len(mine)} parts\n  displaCy: {len(other)}")
    print(f"{name}: {len(ours)} drawings, {wrong} differ")
    return wrong


def compare_trees(docs, file, lang):
    wrong = 0
    options = {
        "plain": ([], {}),
        "compact": (["--compact", "--keep-punct"], {"compact": True, "collapse_punct": False}),
        "lemmas": (["--lemmas", "--fine-grained"], {"add_lemma": True, "fine_grained": True}),
    }
    for name, (words, settings) in options.items():
        ours = [shapes(svg) for svg in drawn(file, lang, "--style", "dep", *words)]
        theirs = [shapes(displacy.render(doc, style="dep", options=settings, jupyter=False)) for doc in docs]
        wrong += compare(f"{lang} trees, {name}", ours, theirs)
    return wrong


def compare_phrases(lang, draw):
    nlp = spacy.blank(lang)
    docs = [made(nlp, LABELS[lang].split(), draw) for _ in range(100)]
    docs = [doc for doc in docs if len(doc) > 0]
    file = saved(docs, f"{lang}.spacy")
    wrong = 0
    for words, with_marks in ((["--keep-punct"], False), ([], True)):
        ours = [shapes(svg) for svg in drawn(file, lang, "--style", "dep", "--collapse-phrases", *words)]
        settings = {"collapse_phrases": True, "collapse_punct": with_marks}
        theirs = [shapes(displacy.render(doc, style="dep", options=settings, jupyter=False)) for doc in docs]
        wrong += compare(f"{lang} noun phrases, marks joined: {with_marks}", ours, theirs)
    return wrong


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    draw = random.Random(23)
    nlp = spacy.blank("en")
    docs = [made(nlp, LABELS["en"].split(), draw) for _ in range(DRAWINGS)]
    file = saved(docs, "docs.spacy")
    wrong = compare_trees(docs, file, "en")
    pages = {"ent": [elements(page) for page in drawn(file, "en", "--style", "ent")],
             "span": [elements(page) for page in drawn(file, "en", "--style", "span")]}
    for style, ours in pages.items():
        theirs = [elements(displacy.render(doc, style=style, jupyter=False)) for doc in docs]
        wrong += compare(style, ours, theirs)
    for lang in LABELS:
        wrong += compare_phrases(lang, draw)
    sys.exit(1 if wrong else 0)


main()
