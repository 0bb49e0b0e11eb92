"""Fixtures: a small pipeline that spaCy saved, and a pipeline that is trained on two sentences."""

import json
import pathlib
import subprocess
import sys

import pytest

import weft

ROOT = pathlib.Path(__file__).parents[2]
TINY = ROOT / "tests/conformance/data/spacy_ner_tiny"
SENTENCES = [
    ("Ada Lovelace was born in London.", [(0, 12, "PERSON"), (25, 31, "GPE")]),
    ("Grace Hopper taught at Yale.", [(0, 12, "PERSON"), (23, 27, "ORG")]),
]


@pytest.fixture(scope="session")
def nlp():
    return weft.load(TINY)


@pytest.fixture(scope="session")
def records():
    """Entities that spaCy found in documents without annotation."""
    with open(TINY / "expected.jsonl", encoding="utf-8") as file:
        return [record for record in map(json.loads, file) if "iob" not in record and "text" not in record]


def examples_for(pipeline):
    return [weft.Example.from_dict(pipeline.make_doc(text), {"entities": ents}) for text, ents in SENTENCES]


@pytest.fixture()
def trained():
    pipeline = weft.blank("en", ["ner"])
    pipeline.initialize(lambda: examples_for(pipeline))
    for _ in range(30):
        pipeline.update(examples_for(pipeline))
    return pipeline


CONFIG = """
[nlp]
lang = "en"
pipeline = ["ner"]

[components]

[components.ner]
factory = "ner"
{component}

[corpora]

[corpora.train]
@readers = "test_corpus.v1"
{reader}

[corpora.dev]
@readers = "test_corpus.v1"

[training]
max_steps = {steps}
eval_frequency = 5
seed = 7
{training}
"""


@pytest.fixture(autouse=True)
def clean_registry():
    yield
    for kind in vars(weft.registry).values():
        for name in list(kind):
            kind.remove(name)


@pytest.fixture()
def corpus():
    """A reader of four examples; keeps what it was called with."""
    calls = []

    @weft.registry.readers("test_corpus.v1")
    def make(times: int = 2, marks: list[str] = []):
        def read(nlp):
            calls.append((nlp.pipe_names, times, marks))
            for text, ents in SENTENCES * times:
                yield weft.Example.from_dict(nlp.make_doc(text), {"entities": ents})

        return read

    return calls


@pytest.fixture()
def run(tmp_path, corpus):
    def train(training="", reader="", component="", steps=10, **more):
        file = tmp_path / "run.cfg"
        text = CONFIG.format(training=training, reader=reader, component=component, steps=steps)
        file.write_text(text, encoding="utf-8")
        return weft.train(file, more.pop("output", None), **more)

    return train


def command(folder, *words):
    words = [sys.executable, "-m", "weft", *words]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
