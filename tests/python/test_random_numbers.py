"""`random` and NumPy follow [training] seed in all functions of a run, whichever of them is called first."""

import random

import numpy
import pytest

import weft
from conftest import CONFIG, SENTENCES, command

registry = weft.registry


def drawn():
    return random.random(), float(numpy.random.random())


@pytest.fixture()
def draws():
    """Functions of several kinds that draw when they are made and when they are called."""
    numbers = []

    def draw(kind):
        numbers.append((kind, *drawn()))

    @registry.augmenters("drawing.v1")
    def make_augmenter():
        draw("augmenter is made")

        def augment(nlp, example):
            draw("augmenter")
            yield example

        return augment

    @registry.batchers("drawing.v1")
    def make_batcher():
        draw("batcher is made")

        def batch(examples):
            for example in examples:
                draw("batcher")
                yield [example]

        return batch

    @registry.callbacks("drawing.v1")
    def make_callback():
        return lambda nlp, info=None: draw("callback")

    return numbers


BLOCKS = """
[training.batcher]
@batchers = "drawing.v1"

[training.before_update]
@callbacks = "drawing.v1"

[nlp.after_creation]
@callbacks = "drawing.v1"
"""


def config_of(folder, dev):
    nlp = weft.blank("en")
    docs = [weft.Example.from_dict(nlp.make_doc(text), {"entities": ents}).reference for text, ents in SENTENCES]
    (folder / "train.spacy").write_bytes(weft.docs_to_bytes(docs))
    corpus = f'@readers = "spacy.Corpus.v1"\npath = "{folder}/train.spacy"'
    train = corpus + '\n\n[corpora.train.augmenter]\n@augmenters = "drawing.v1"\n'
    text = CONFIG.replace('@readers = "test_corpus.v1"\n{reader}', train)
    text = text.replace('@readers = "test_corpus.v1"', f'@readers = "{dev}"' if dev else corpus)
    (folder / "run.cfg").write_text(text.format(training=BLOCKS, component="", steps=12), encoding="utf-8")
    return folder / "run.cfg"


@pytest.mark.parametrize("dev", [None, "test_corpus.v1"])
def test_runs_draw_the_same_numbers(tmp_path, draws, corpus, dev):
    config = config_of(tmp_path, dev)
    weft.train(config)
    first = list(draws)
    draws.clear()
    random.seed(99)
    numpy.random.seed(99)
    weft.train(config)
    assert first == draws
    assert {kind for kind, *_ in first} == {
        "augmenter is made", "augmenter", "batcher is made", "batcher", "callback"
    }
    # They begin anew with the steps alone, whatever is opened later.
    numbers = [number for _, number, _ in first]
    assert len(numbers) - len(set(numbers)) < 10 and len(set(numbers[-12:])) == 12


READER = """
import random
import weft

@weft.registry.readers("test_corpus.v1")
def make():
    def read(nlp):
        print("drew", random.random())
        for text, ents in [("Ada was here.", [(0, 3, "PERSON")])] * 3:
            yield weft.Example.from_dict(nlp.make_doc(text), {"entities": ents})
    return read
"""


@pytest.mark.parametrize("words", [("init", "labels", "run.cfg", "out"), ("init", "nlp", "run.cfg", "out"),
                                   ("train", "run.cfg")])
def test_commands_draw_the_same_numbers(tmp_path, words):
    (tmp_path / "reader.py").write_text(READER, encoding="utf-8")
    (tmp_path / "run.cfg").write_text(CONFIG.format(reader="", component="", training="", steps=1), encoding="utf-8")
    shown = [command(tmp_path, *words, "--code", "reader.py").stdout.splitlines() for _ in range(2)]
    lines = [[line for line in lines if line.startswith("drew")] for lines in shown]
    assert lines[0] and lines[0] == lines[1]
    random.seed(7)
    assert lines[0][0] == f"drew {random.random()}"


def test_a_resumed_run_reads_the_same_examples(run, tmp_path):
    opened = []

    @registry.readers("test_corpus.v1")
    def make(times: int = 2):
        def read(nlp):
            if times == 3:
                opened.append(random.random())
            for text, ents in SENTENCES:
                yield weft.Example.from_dict(nlp.make_doc(text), {"entities": ents})

        return read

    checkpoints = "\n[training.checkpoints]\nevery_steps = 2\n"
    run(reader="times = 3", training=checkpoints, steps=2, output=tmp_path / "out")
    first = list(opened)
    opened.clear()
    run(reader="times = 3", training=checkpoints, steps=4, output=tmp_path / "out", resume=True)
    assert len(first) > 1 and opened == first[-1:]
