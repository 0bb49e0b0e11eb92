"""Small pipelines of every kind of embedding, made by spaCy 3.8 and by weft, predicted by both.

    same_layers.py CORPUS CONFORMANCE_PIPELINE [KIND ...]

For each kind a pipeline is trained by spaCy and one by `train` on the first sentences of CORPUS (a
.conll file). spaCy's predictions with both on other sentences, and the outputs of its layers,
go to a file of records, which the program CONFORMANCE_PIPELINE compares with weft's: entities
exactly, intermediate values to 1e-4.
"""
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

import numpy
import spacy
from spacy.lookups import Lookups
from spacy.tokens import Doc, DocBin
from spacy.training import Example, biluo_tags_to_spans, iob_to_biluo
from spacy.vectors import Vectors

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
TRAIN_SENTENCES, OTHER_SENTENCES, STEPS = 100, 60, 60
WEFT_STEPS = 180  # of smaller batches, so more of them
ENCODE = """
[{at}.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 24
depth = 2
window_size = 1
maxout_pieces = 3
"""
HASHED = """
[{at}]
@architectures = "spacy.Tok2Vec.v2"

[{at}.embed]
@architectures = "spacy.MultiHashEmbed.%s"
width = 24
attrs = ["NORM", "PREFIX", "SUFFIX", "SHAPE"]
rows = [200, 60, 100, 120]
include_static_vectors = %s
""" + ENCODE
CNN = """
[{at}]
@architectures = "spacy.HashEmbedCNN.%s"
width = 24
depth = 2
embed_size = 200
window_size = 1
maxout_pieces = 2
subword_features = %s
pretrained_vectors = %s
"""
CHARACTERS = """
[{at}]
@architectures = "spacy.Tok2Vec.v2"

[{at}.embed]
@architectures = "spacy.CharacterEmbed.%s"
width = 24
rows = 200
nM = 6
nC = 5
include_static_vectors = %s
feature = "%s"
""" + ENCODE
MISH = HASHED.replace("spacy.MaxoutWindowEncoder.v2", "spacy.MishWindowEncoder.v2").replace("maxout_pieces = 3\n", "")
OLD = (HASHED.replace("spacy.Tok2Vec.v2", "spacy.Tok2Vec.v1")
       .replace("spacy.MaxoutWindowEncoder.v2", "spacy.MaxoutWindowEncoder.v1"))

# name: the tok2vec block, the kind of vectors, whether there is a table of norms, and the parser
KINDS = {
    "vectors": (HASHED % ("v2", "true"), "default", False, {}),
    "inline-cnn-vectors": (CNN % ("v2", "true", "true"), "default", False, {"inline": True}),
    "inline-cnn-plain": (CNN % ("v2", "false", "null"), None, False, {"inline": True, "extra_state_tokens": "true"}),
    "floret": (HASHED % ("v2", "true"), "floret", False, {}),
    "characters": (CHARACTERS % ("v2", "false", "LOWER"), None, False, {}),
    "characters-vectors": (CHARACTERS % ("v2", "true", "NORM"), "default", False, {"inline": True}),
    "norms": (HASHED % ("v2", "false"), None, True, {"use_upper": "false"}),
    "mish": (MISH % ("v2", "false"), None, False, {}),
    "old": (OLD % ("v1", "true"), "default", True, {"version": "v1"}),
}


def config_text(embedding, inline=False, version="v2", **parser):
    settings = {"extra_state_tokens": "false", "use_upper": "true", **parser}
    text = '[nlp]\nlang = "en"\npipeline = %s\n\n[components]\n' % ('["ner"]' if inline else '["tok2vec","ner"]')
    if not inline:
        text += '\n[components.tok2vec]\nfactory = "tok2vec"\n' + embedding.format(at="components.tok2vec.model")
    text += f"""
[components.ner]
factory = "ner"

[components.ner.model]
@architectures = "spacy.TransitionBasedParser.{version}"
state_type = "ner"
extra_state_tokens = {settings["extra_state_tokens"]}
hidden_width = 24
maxout_pieces = 2
use_upper = {settings["use_upper"]}
nO = null
"""
    if inline:
        return text + embedding.format(at="components.ner.model.tok2vec")
    return text + '\n[components.ner.model.tok2vec]\n@architectures = "spacy.Tok2VecListener.v1"\nwidth = 24\n'


def sentences(file, limit):
    """Words and entity tags of the first sentences of a CoNLL file."""
    found, words, tags = [], [], []
    for line in itertools.chain(file.open(encoding="utf8"), [""]):
        parts = line.split()
        if parts:
            words.append(parts[0])
            tags.append(parts[-1])
        elif words:
            found.append((words, tags))
            words, tags = [], []
            if len(found) == limit:
                break
    return found


def gold(vocab, words, tags):
    doc = Doc(vocab, words=words)
    doc.ents = biluo_tags_to_spans(doc, iob_to_biluo(tags))
    return doc


def add_vectors(nlp, kind, words):
    """A random table, of which some of the words have no row."""
    numbers = numpy.random.RandomState(3)
    if kind == "floret":
        data = numbers.normal(size=(500, 12)).astype("f")
        nlp.vocab.vectors = Vectors(strings=nlp.vocab.strings, data=data, mode="floret", minn=2, maxn=4, hash_count=2,
                                    hash_seed=7, bow="<", eow=">", name="random_floret")
    elif kind == "default":
        known = [word for i, word in enumerate(words) if i % 5 != 0]
        data = numbers.normal(size=(len(known), 12)).astype("f")
        nlp.vocab.vectors = Vectors(strings=nlp.vocab.strings, data=data, keys=known, name="random_vectors")


def add_norms(nlp, words):
    lookups = Lookups()
    lookups.add_table("lexeme_norm", {word: words[i - 1].lower() for i, word in enumerate(words) if i % 4 == 1})
    lookups.add_table("another", {"word": "kept"})
    nlp.vocab.lookups = lookups


def base_pipeline(folder, kind, norms, words):
    """A pipeline without components that holds the vectors and tables: what [initialize] copies from."""
    nlp = spacy.blank("en")
    if norms:
        add_norms(nlp, words)
    add_vectors(nlp, kind, words)
    nlp.to_disk(folder)


def train_with_spacy(text, base, kind, norms, data):
    spacy.util.fix_random_seed(1)
    nlp = spacy.util.load_model_from_config(spacy.util.load_config_from_str(text), auto_fill=True)
    words = sorted({word for sentence, _ in data for word in sentence})
    if norms:
        add_norms(nlp, words)
    if kind:
        nlp.config["initialize"]["vectors"] = str(base)
    examples = [Example(Doc(nlp.vocab, words=w), gold(nlp.vocab, w, t)) for w, t in data]
    sgd = nlp.initialize(lambda: examples)
    sgd.learn_rate = 0.02
    for _ in range(STEPS):
        random.shuffle(examples)
        nlp.update(examples[:48], sgd=sgd, drop=0.1)
    nlp.config["initialize"]["vectors"] = None
    return nlp


def train_with_weft(text, base, folder, kind, norms):
    (folder / "config.cfg").write_text(text)
    words = [WEFT, "train", folder / "config.cfg", "--output", folder / "out", "--overwrite", "--paths.train",
             folder.parent / "train.spacy", "--paths.dev", folder.parent / "train.spacy", "--training.max_steps", WEFT_STEPS,
             "--training.eval_frequency", WEFT_STEPS, "--training.optimizer.learn_rate", "0.02", "--training.dropout", "0.1"]
    if kind:
        words += ["--initialize.vectors", base]
    if norms:
        words += ["--initialize.before_init", json.dumps({"@callbacks": "spacy.copy_from_base_model.v1", "vocab": str(base)})]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nfailed with {done.returncode}:\n{done.stderr}")
    return folder / "out" / "model-last"


def trace(nlp, doc):
    """The outputs of the layers for a document: docs/ner-model.md, section 9."""
    ner = nlp.get_pipe("ner")
    if "tok2vec" in nlp.pipe_names:
        nlp.get_pipe("tok2vec").predict([doc])
    rows = ner.model.get_ref("tok2vec").layers[0].predict([doc])[0]
    scores = ner.model.predict([doc]).predict(ner.moves.init_batch([doc]))
    return {"tok2vec_row0": [float(x) for x in rows[0][:8]],
            "tok2vec_norms": [float(x) for x in numpy.linalg.norm(rows, axis=1)],
            "scores0": [float(x) for x in scores[0]]}


def record(nlp, data, file):
    """Writes what spaCy predicts; gives the number of entities."""
    count = 0
    with file.open("w", encoding="utf8") as out:
        for words, _ in data:
            doc = Doc(nlp.vocab, words=words)
            for _, pipe in nlp.pipeline:
                doc = pipe(doc)
            count += len(doc.ents)
            line = {"words": words, "ents": [[e.start, e.end, e.label_] for e in doc.ents]}
            plain = Doc(nlp.vocab, words=words)
            if "tok2vec" in nlp.pipe_names:
                nlp.get_pipe("tok2vec").set_annotations([plain], nlp.get_pipe("tok2vec").predict([plain]))
            out.write(json.dumps({**line, "trace": {**trace(nlp, plain), "moves": moves(nlp, doc)}}) + "\n")
    return count


def moves(nlp, doc):
    """The classes taken, which follow from the entities of a document without earlier ones."""
    system = nlp.get_pipe("ner").moves
    names = [system.get_class_name(i) for i in range(system.n_moves)]
    tags = ["O" if t.ent_iob_ == "O" else f"{t.ent_iob_}-{t.ent_type_}" for t in doc]
    return [names.index(tag) for tag in iob_to_biluo(tags)]


def check(program, pipeline, data, file, what):
    nlp = spacy.load(pipeline)
    count = record(nlp, data, file)
    result = subprocess.run([str(program), str(pipeline), str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True)
    last = result.stdout.strip().splitlines()[-1:] or ["nothing"]
    print(f"{what}: {count} entities; {last[0]}", flush=True)
    if result.returncode != 0:
        print("\n".join(result.stdout.splitlines()[:5]))
    return result.returncode == 0 and count > 0


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    corpus, program, *kinds = sys.argv[1:]
    every = sentences(pathlib.Path(corpus), TRAIN_SENTENCES + OTHER_SENTENCES)
    train, others = every[:TRAIN_SENTENCES], every[TRAIN_SENTENCES - 20:]
    words = sorted({word for sentence, _ in train for word in sentence})
    vocab = spacy.blank("en").vocab
    DocBin(docs=[gold(vocab, w, t) for w, t in train]).to_disk(WORK / "train.spacy")
    good = True
    for name in kinds or KINDS:
        embedding, kind, norms, shape = KINDS[name]
        folder = WORK / name
        folder.mkdir()
        base_pipeline(folder / "base", kind, norms, words)
        text = config_text(embedding, **shape)
        train_with_spacy(text, folder / "base", kind, norms, train).to_disk(folder / "spacy")
        good &= check(program, folder / "spacy", others, folder / "spacy.jsonl", f"{name}, trained by spaCy")
        ours = train_with_weft(text, folder / "base", folder, kind, norms)
        good &= check(program, ours, others, folder / "weft.jsonl", f"{name}, trained by weft")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
