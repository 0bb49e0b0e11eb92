"""Pipelines of components by rules mean the same in spaCy 3.8 and in weft.

    same_rules.py CORPUS CONFIG

One pipeline is made and saved by spaCy and annotates the texts of CORPUS (a .conll file) in weft;
another is made by `train` from CONFIG and annotates them in spaCy. Words, sentences, tags, parts of
speech, features, lemmas, entities and spans must be equal.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import spacy
from spacy.lookups import Lookups
from spacy.tokens import DocBin

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
ROOT = pathlib.Path(__file__).parents[2]
TEXTS = 400

ATTRIBUTES = [
    {"patterns": [[{"LOWER": {"IN": ["the", "a"]}}]], "attrs": {"TAG": "DT", "POS": "DET", "MORPH": "PronType=Art"}},
    {"patterns": [[{"IS_ALPHA": True}, {"IS_PUNCT": True}]], "attrs": {"POS": "NOUN", "NORM": "word"}, "index": 0},
    {"patterns": [[{"LIKE_NUM": True}], [{"TEXT": {"REGEX": r"\d"}}]], "attrs": {"POS": "NUM"}},
    {"patterns": [[{"IS_STOP": True, "OP": "!"}, {"LOWER": {"FUZZY1": "today"}}]], "attrs": {"LEMMA": "TODAY"}, "index": -1},
]
# No two match the same tokens alone: which one an entity ruler of spaCy takes then is left to chance.
RULES = [
    {"label": "NUMBER", "pattern": [{"LIKE_NUM": True, "OP": "+"}]},
    {"label": "PLACE", "pattern": "New York", "id": "ny"},
    {"label": "USER", "pattern": [{"TEXT": {"REGEX": "^@"}}]},
    {"label": "LONG", "pattern": [{"LENGTH": {">=": 12}, "TEXT": {"REGEX": "^[^@]"}, "LIKE_NUM": False}]},
    {"label": "OF", "pattern": [{"IS_TITLE": True}, {"LOWER": "of"}, {"IS_ALPHA": True, "OP": "{1,2}"}], "id": "of"},
]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=ROOT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nfailed with {done.returncode}:\n{done.stderr}")


def texts_of(corpus):
    sentences = [part for part in corpus.read_text(encoding="utf8").split("\n\n") if part.strip()]
    words = [" ".join(line.split("\t")[0] for line in part.splitlines()) for part in sentences]
    return [f"{a} {b}" for a, b in zip(words[:TEXTS:2], words[1:TEXTS:2])]


def made_by_spacy():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer", config={"punct_chars": [".", "!"]})
    nlp.add_pipe("attribute_ruler").add_patterns(ATTRIBUTES)
    lemmatizer = nlp.add_pipe("lemmatizer")
    tables = Lookups()
    tables.add_table("lemma_rules", {"noun": [["ies", "y"], ["s", ""]], "num": [["s", ""]], "det": []})
    tables.add_table("lemma_exc", {"noun": {"men": ["man"]}})
    tables.add_table("lemma_index", {"noun": ["day", "game"]})
    lemmatizer.initialize(lookups=tables)
    nlp.add_pipe("entity_ruler", config={"phrase_matcher_attr": "LOWER"}).add_patterns(RULES)
    nlp.add_pipe("span_ruler").add_patterns(RULES)
    return nlp


def facts_of(doc):
    return {
        "words": [(token.text, token.whitespace_) for token in doc],
        "starts": [token.is_sent_start for token in doc],
        "tags": [(token.tag_, token.pos_, str(token.morph)) for token in doc],
        "lemmas": [token.lemma_ for token in doc],
        "norms": [token.norm_ for token in doc],
        "ents": [(ent.start, ent.end, ent.label_, ent.id_) for ent in doc.ents],
        "spans": [(span.start_char, span.end_char, span.label_, span.id_) for span in doc.spans.get("ruler", [])],
    }


def compare(folder, name, leave_out=()):
    """The number of texts where some fact differs."""
    nlp = spacy.load(folder)
    texts = texts_of(pathlib.Path(sys.argv[1]))
    (WORK / "texts.txt").write_text("".join(text + "\n" for text in texts), encoding="utf8")
    run(WEFT, "apply", folder, WORK / "texts.txt", "--output", WORK / "found.spacy")
    found = list(DocBin().from_disk(WORK / "found.spacy").get_docs(nlp.vocab))
    wrong, entities = 0, 0
    for text, ours in zip(texts, found, strict=True):
        mine, theirs = facts_of(ours), facts_of(nlp(text))
        entities += len(theirs["ents"])
        fields = [key for key in theirs if key not in leave_out and mine[key] != theirs[key]]
        wrong += bool(fields)
        for key in fields[:1] if wrong < 6 else []:
            print(f"{name}: {text}\n  {key}: {mine[key]}\n  spaCy: {theirs[key]}")
    print(f"{name}: {len(texts)} texts, {entities} entities, {wrong} differ")
    return wrong


def main():
    corpus, config = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    made_by_spacy().to_disk(WORK / "spacy")
    wrong = compare(WORK / "spacy", "made by spaCy")
    run(WEFT, "train", config, "--paths.train", corpus, "--paths.dev", corpus, "--output", WORK / "weft",
        "--training.max_steps", "5", "--training.eval_frequency", "5")
    wrong += compare(WORK / "weft" / "model-last", "made by weft", leave_out=("ents",))
    sys.exit(1 if wrong else 0)


main()
