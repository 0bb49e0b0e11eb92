"""The component "weft" inside spaCy annotates as spaCy's own components do, and documents go both ways.

    same_component.py SITE PIPELINE...

SITE holds the Python package. Each PIPELINE is a folder that weft loads. The test is skipped where the package was
not built for this interpreter.
"""
import importlib.machinery
import os
import pathlib
import pickle
import shutil
import sys

import spacy

SITE, PIPELINES = pathlib.Path(sys.argv[1]), sys.argv[2:]
WORK = pathlib.Path(os.environ["WORK"])
WORK.mkdir(parents=True, exist_ok=True)
TEXTS = [
    "Ada Lovelace wasn't born in Paris; she's from London, isn't she?",
    "Zoë and 𝕃ee don't work at Google in New York any more :-(",
    "",
    "   two  blanks, and a\nnew line ",
    "He gave the books to Grace Hopper. They can't be read in the U.S. at 5p.m.",
]
modules = [SITE / "weft" / ("_weft" + suffix) for suffix in importlib.machinery.EXTENSION_SUFFIXES]
if not any(module.exists() for module in modules):
    print("SKIPPED: the Python module was not built for this interpreter; the test python_module says why")
    sys.exit(77)
sys.path.insert(0, str(SITE))
import weft
import weft.spacy


def facts(doc):
    tokens = [(t.text, t.norm_, t.tag_, t.pos_, str(t.morph), t.lemma_, t.dep_, t.head.i, t.ent_iob_) for t in doc]
    ents = [(e.start, e.end, e.label_) for e in doc.ents]
    starts = [t.is_sent_start for t in doc]
    groups = {key: [(s.start, s.end, s.label_, s.kb_id_, s.id_) for s in group] for key, group in doc.spans.items()}
    return tokens, ents, starts, {label: round(score, 4) for label, score in doc.cats.items()}, groups


def tagging_pipeline(folder):
    """Trains every component that classifies tokens or texts, for some updates."""
    nlp = weft.blank("en", ["tagger", "morphologizer", "trainable_lemmatizer", "senter", "textcat"])
    words = ["Ada", "lives", "here", ".", "She", "wrote", "books", "."]
    gold = {
        "tags": ["NNP", "VBZ", "RB", ".", "PRP", "VBD", "NNS", "."],
        "pos": ["PROPN", "VERB", "ADV", "PUNCT", "PRON", "VERB", "NOUN", "PUNCT"],
        "morphs": ["Number=Sing", "Person=3|Tense=Pres", "", "", "Case=Nom", "Tense=Past", "Number=Plur", ""],
        "lemmas": ["Ada", "live", "here", ".", "she", "write", "book", "."],
        "sent_starts": [1, -1, -1, -1, 1, -1, -1, -1],
    }
    docs = [weft.Doc(nlp.vocab, words=words) for _ in range(2)]
    cats = [{"POSITIVE": 1.0, "NEGATIVE": 0.0}, {"POSITIVE": 0.0, "NEGATIVE": 1.0}]
    examples = [weft.Example.from_dict(doc, {**gold, "cats": cats[i]}) for i, doc in enumerate(docs)]
    nlp.initialize(examples)
    for _ in range(10):
        nlp.update(examples)
    nlp.to_disk(folder)
    return str(folder)


def check(same, message):
    if not same:
        sys.exit(message)


try:
    spacy.blank("en").add_pipe("weft", config={"path": "", "n_threads": 0})
except ValueError as error:
    check("n_threads" in str(error), str(error))
else:
    sys.exit("no thread is a number of threads")
# spaCy up to 3.8.7 reads the signature by a library that takes annotations as texts for types to be resolved later.
types = weft.spacy.make_component.__annotations__.values()
check(not any(isinstance(kind, str) for kind in types), f"spaCy 3.8.7 cannot use the signature: {types}")
for source in [*PIPELINES, tagging_pipeline(WORK / "tagging")]:
    folder = str(WORK / "pipeline")  # records do not have all that spaCy reads
    weft.load(source).to_disk(folder)
    own = spacy.load(folder)
    nlp = spacy.blank(own.lang)
    nlp.tokenizer = own.tokenizer
    nlp.add_pipe("weft", config={"path": folder, "n_threads": 2})
    expected = [facts(doc) for doc in own.pipe(TEXTS)]
    check([facts(doc) for doc in nlp.pipe(TEXTS)] == expected, f"{source}: the component gives other annotation")
    alone = [facts(own(text)) for text in TEXTS]  # an empty text beside others has other scores
    check([facts(nlp(text)) for text in TEXTS] == alone, f"{source}: called alone it gives other annotation")

    # Words that are names of spaCy's own have small ids; documents of several vocabularies in one stream.
    other = spacy.blank("de")
    words = [["NOUN", "ORTH", "in", "London", "nsubj"], ["Zürich", "𝕃ee", "PERSON"], [" ", "IS_ALPHA", "qwertz"]]
    given = [spacy.tokens.Doc(vocab, words=row) for vocab, row in zip((nlp.vocab, other.vocab, nlp.vocab), words)]
    tokens = nlp.get_pipe("weft")._tokens_of(given)
    ids = [[(t.text, t.orth, t.norm_) for t in doc] for doc in tokens]
    check(ids == [[(t.text, t.orth, t.norm_) for t in doc] for doc in given], f"{source}: the words change")
    one_by_one = [facts(nlp.get_pipe("weft")(spacy.tokens.Doc(doc.vocab, words=row))) for doc, row in zip(given, words)]
    streamed = [facts(doc) for doc in nlp.get_pipe("weft").pipe(given)]
    check(streamed == one_by_one, f"{source}: a stream of several vocabularies differs")
    with nlp.memory_zone():
        check([facts(doc) for doc in nlp.pipe(TEXTS)] == expected, f"{source}: in a memory zone it differs")
    pickled = pickle.loads(pickle.dumps(nlp))
    check([facts(doc) for doc in pickled.pipe(TEXTS)] == expected, f"{source}: pickled it differs")
    processes = [facts(doc) for doc in nlp.pipe(TEXTS, n_process=2)]
    check(processes == expected, f"{source}: in two processes it differs")

    docs = [doc for doc in own.pipe(TEXTS)]
    there = weft.from_spacy(docs)
    moved = [facts(doc) for doc in weft.to_spacy(there, own.vocab)]
    check(moved == expected, f"{source}: documents change on their way")
    check(facts(weft.from_spacy(docs[0]).to_spacy(own.vocab)) == expected[0], f"{source}: one document changes")

    saved = WORK / "saved"
    shutil.rmtree(saved, ignore_errors=True)
    moved = WORK / "moved"
    shutil.rmtree(moved, ignore_errors=True)
    shutil.copytree(folder, moved)
    nlp.get_pipe("weft")._path = str(moved)
    nlp.config["components"]["weft"]["path"] = str(moved)
    nlp.to_disk(saved)
    shutil.rmtree(moved)  # the saved pipeline has its own copy
    again = spacy.load(saved)
    check([facts(doc) for doc in again.pipe(TEXTS)] == expected, f"{source}: saved and loaded it differs")

    data = nlp.to_bytes()
    pickle.dumps(nlp)
    check(pathlib.Path(nlp.get_pipe("weft").pipeline.path).exists(), f"{source}: bytes take the pipeline's folder away")
    shutil.move(folder, moved)  # nor do bytes need the folder
    nlp.config["components"]["weft"]["path"] = "nowhere"
    again = spacy.util.load_model_from_config(nlp.config).from_bytes(data)
    again = pickle.loads(pickle.dumps(again))
    check([facts(doc) for doc in again.pipe(TEXTS)] == expected, f"{source}: of bytes it differs")
    shutil.move(moved, folder)

    examples = [spacy.training.Example(own.make_doc(text), own(text)) for text in TEXTS]
    scores, own_scores = nlp.evaluate(examples), own.evaluate(examples)
    for name in ("ents_f", "tag_acc", "dep_las", "pos_acc", "lemma_acc", "sents_f"):
        if own_scores.get(name) is None:
            continue
        same = abs(scores[name] - own_scores[name]) < 1e-6
        check(same, f"{source}: {name} is {scores[name]}, not {own_scores[name]}")
    print(f"{source}: {len(TEXTS)} texts, {sum(len(entry[1]) for entry in expected)} entities, the same")
