"""`init vectors` makes the tables that spaCy 3.8 makes, of made-up files of each format.

    same_vectors.py

Numbers are drawn so that no two words are equally similar to another one, but for rows that are meant
to be equal. spaCy loads what weft wrote, and both tables are compared: numbers, rows of words, settings.
"""
import gzip
import io
import json
import os
import pathlib
import subprocess
import sys
import zipfile

import numpy
import spacy
from spacy.cli.init_pipeline import init_vectors_cli

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
WORDS = ["cat", "dog", "Haus", "naïve", "two words", "中文", "x y z", ",", "Straße", "мир", "🙂", "a.b", "the"]


def rows(count, width, seed):
    return numpy.random.default_rng(seed).normal(size=(count, width)).astype("f")


def text_of(words, table, header=True):
    lines = [f"{len(words)} {table.shape[1]}"] if header else []
    lines += [" ".join([word, *(repr(float(x)) for x in row)]) for word, row in zip(words, table)]
    return "\n".join(lines) + "\n"


def write(name, content):
    path = WORK / name
    data = content.encode("utf8") if isinstance(content, str) else content
    if name.endswith(".gz"):
        data = gzip.compress(data)
    if name.endswith(".zip"):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("inside.vec", data)
        data = buffer.getvalue()
    path.write_bytes(data)
    return path


def npy(table):
    buffer = io.BytesIO()
    numpy.save(buffer, table)
    return buffer.getvalue()


def cases():
    table = rows(len(WORDS), 5, 1)
    yield "header", write("header.vec", text_of(WORDS, table)), {}
    yield "gzip", write("header.vec.gz", text_of(WORDS, table)), {}
    yield "zip", write("header.zip", text_of(WORDS, table)), {}
    plain = [word for word in WORDS if " " not in word]
    yield "no header", write("plain.txt", text_of(plain, table, header=False)), {}
    yield "name", write("header.vec", text_of(WORDS, table)), {"name": "my.vectors"}
    yield "truncated", write("header.vec", text_of(WORDS, table)), {"truncate": 6}
    yield "truncated beyond the end", write("header.vec", text_of(WORDS, table)), {"truncate": 60}
    doubled = table.copy()
    doubled[[3, 7]] = doubled[1]
    doubled[9] = 0
    yield "equal rows", write("doubled.vec", text_of(WORDS, doubled)), {}
    twice = WORDS[:5] + ["cat"] + WORDS[6:]
    yield "a word twice", write("twice.vec", text_of(twice, table)), {}
    fewer = text_of(WORDS, table).replace("13 5", "20 5", 1)
    yield "fewer rows than announced", write("fewer.vec", fewer), {}
    for keep in (1, 4, 12, 13, 50):
        yield f"pruned to {keep}", write("header.vec", text_of(WORDS, table)), {"prune": keep}
        yield f"equal rows pruned to {keep}", write("doubled.vec", text_of(WORDS, doubled)), {"prune": keep}
    many = [f"w{i}" for i in range(3000)]
    yield "3000 pruned", write("many.vec", text_of(many, rows(3000, 20, 2))), {"prune": 700}
    yield "truncated and pruned", write("many.vec", text_of(many, rows(3000, 20, 2))), {"truncate": 2000, "prune": 90}
    odd = "cat 1e-45 -1.5E+3\t\ndog +2 .5\u00a0\nmouse 3.00000000000001 7.\r\n"
    yield "numbers of all kinds", write("odd.txt", odd), {}
    floret = "50 4 2 5 2 2166136261 < >\n" + text_of([str(i) for i in range(50)], rows(50, 4, 3), header=False)
    yield "floret", write("hashed.floret", floret), {"mode": "floret"}
    yield "floret of lower case", write("hashed.floret", floret), {"mode": "floret", "attr": "LOWER"}
    lexemes = "\n".join(json.dumps({"orth": word, "id": i}) for i, word in enumerate(WORDS))
    yield "npy", write("table.npz", npy(doubled)), {"jsonl_loc": write("words.jsonl", lexemes)}


OPTIONS = {"prune": "--prune", "truncate": "--truncate", "mode": "--mode", "name": "--name", "attr": "--attr",
           "jsonl_loc": "--lexemes-jsonl"}


def by_spacy(path, options, folder):
    given = {"prune": -1, "truncate": 0, "mode": "default", "name": None, "verbose": False, "jsonl_loc": None,
             "attr": "ORTH", **options}
    init_vectors_cli("en", path, folder, **given)


def by_weft(path, options, folder):
    words = [str(word) for key, value in options.items() for word in (OPTIONS[key], value)]
    subprocess.run([WEFT, "init", "vectors", "en", str(path), str(folder), *words], check=True, capture_output=True)


def described(folder):
    nlp = spacy.load(folder)
    vectors = nlp.vocab.vectors
    unknown = [key for key in vectors.keys() if key not in nlp.vocab.strings]
    config = json.loads((folder / "vocab" / "vectors.cfg").read_text())
    return {"table": vectors.data.tolist(), "rows": dict(vectors.key2row), "order": list(vectors.key2row),
            "settings": config, "meta": nlp.meta["vectors"], "unknown": unknown}


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    wrong = total = 0
    for name, path, options in cases():
        total += 1
        by_spacy(path, options, WORK / "theirs")
        by_weft(path, options, WORK / "ours")
        ours, theirs = described(WORK / "ours"), described(WORK / "theirs")
        if name == "npy":  # the order in which spaCy's vocabulary holds its words has no meaning
            ours.pop("order"), theirs.pop("order")
        different = [key for key in ours if ours[key] != theirs[key]]
        if different:
            wrong += 1
            print(f"{name}: {', '.join(different)} differ")
    real = WORK / "real.npz"
    numpy.savez(real, rows(len(WORDS), 5, 1))
    by_weft(real, {"jsonl_loc": WORK / "words.jsonl"}, WORK / "ours")
    same = described(WORK / "ours")["table"] == rows(len(WORDS), 5, 1)[1:].tolist()
    packed = sorted(rows(len(WORDS), 5, 1)[1:].tolist()) == described(WORK / "ours")["table"]
    if not (same or packed):
        wrong += 1
        print("a real .npz archive, which spaCy cannot read: the table is another")
    print(f"{total + 1 - wrong} of {total + 1} tables are equal")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
