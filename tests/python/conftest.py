"""Fixtures: a small pipeline that spaCy saved, and a pipeline that is trained on two sentences."""

import json
import pathlib

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
