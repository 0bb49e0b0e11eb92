"""Training: the loop of spaCy's guide, and whole runs."""

import os
import shutil
import signal
import sys
import threading

import pytest

import weft
from conftest import SENTENCES, examples_for

CONFIG = """
[paths]
train = null

[nlp]
lang = "en"
pipeline = ["ner"]

[components]

[components.ner]
factory = "ner"

[corpora]

[corpora.train]
@readers = "weft.ConllCorpus.v1"
path = ${paths.train}

[corpora.dev]
@readers = "weft.ConllCorpus.v1"
path = ${paths.train}

[training]
max_steps = 20
eval_frequency = 10
"""


@pytest.fixture()
def run(tmp_path):
    (tmp_path / "run.cfg").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "train.conll").write_text("Ada B-P\nmet O\nBob B-P\n. O\n\n" * 4, encoding="utf-8")
    overrides = {"paths.train": str(tmp_path / "train.conll")}
    return lambda output=None, **more: weft.train(
        tmp_path / "run.cfg", output and tmp_path / output, {**overrides, **more.pop("overrides", {})}, **more
    )


def test_facts_while_another_thread_trains():
    pipeline = weft.blank("en", ["ner"])
    pipeline.initialize(lambda: examples_for(pipeline))
    done = threading.Event()

    def train():
        try:
            for number in range(20):
                pipeline.get_pipe("ner").add_label(f"LABEL{number}")
                pipeline.update(examples_for(pipeline))
        finally:
            done.set()

    trainer = threading.Thread(target=train)
    trainer.start()
    seen = 0
    while not done.is_set():
        assert pipeline.pipe_names == pipeline.component_names == ["ner"]
        assert pipeline.meta is not None and pipeline.config["nlp"]["lang"] == pipeline.lang == "en"
        found = len(pipeline.pipe_labels["ner"])
        assert found >= seen and len(pipeline.get_pipe("ner").labels) >= found
        seen = found
    trainer.join()
    assert len(pipeline.pipe_labels["ner"]) == 23


def test_the_loop_of_the_guide(tmp_path, trained):
    optimizer = trained.initialize(examples_for(trained))
    for _ in range(30):
        losses = {}
        for text, entities in SENTENCES:
            example = weft.Example.from_dict(trained.make_doc(text), {"entities": entities})
            assert trained.update([example], sgd=optimizer, losses=losses) is losses
    assert losses["ner"] < 1.0 and trained.path is None
    trained.to_disk(tmp_path / "model")
    again = weft.load(tmp_path / "model")
    found = [(ent.text, ent.label_) for ent in again(SENTENCES[0][0]).ents]
    assert found == [("Ada Lovelace", "PERSON"), ("London", "GPE")]


def test_evaluate_leaves_the_examples_alone(trained):
    examples = examples_for(trained)
    scores = trained.evaluate(examples, n_threads=2)
    assert scores["ents_f"] == 1.0 and set(scores["ents_per_type"]) == {"PERSON", "GPE", "ORG"}
    assert examples[0].predicted.ents == () and examples[0].reference.ents


def test_labels_without_examples():
    nlp = weft.blank("en", ["ner"])
    assert nlp.get_pipe("ner").add_label("PERSON") and not nlp.get_pipe("ner").add_label("PERSON")
    nlp.initialize()
    assert nlp.get_pipe("ner").labels == ["PERSON"]
    with pytest.raises(KeyError, match="no component 'tagger'"):
        nlp.get_pipe("tagger")


def test_arguments_of_update_are_checked_before_weights_change(trained, tmp_path):
    examples = examples_for(trained)
    trained.to_disk(tmp_path / "before")
    for wrong in ({"drop": -0.1}, {"drop": 1.0}, {"drop": float("nan")}, {"n_threads": -1}):
        with pytest.raises(ValueError):
            trained.update(examples, **wrong)
    with pytest.raises(Exception):
        trained.update(examples, losses={"ner": "many"})
    trained.to_disk(tmp_path / "after")
    assert (tmp_path / "after/ner/model").read_bytes() == (tmp_path / "before/ner/model").read_bytes()
    trained.update(examples, losses={"ner": 1.5})


def test_languages_without_rules_are_told(caplog):
    weft.blank("hsb")
    assert "has no tokenizer rules of its own" in caplog.text
    caplog.clear()
    weft.blank("de")
    assert not caplog.records


def test_example_from_dict():
    vocab = weft.Vocab("en")
    doc = weft.Doc(vocab, words=["Facebook", "released", "React", "in", "2014"])
    tags = ["U-ORG", "O", "U-TECHNOLOGY", "O", "U-DATE"]
    tagged = weft.Example.from_dict(doc, {"entities": tags, "cats": {"A": 1}}).y
    assert [ent.label_ for ent in tagged.ents] == ["ORG", "TECHNOLOGY", "DATE"] and dict(tagged.cats) == {"A": 1.0}
    columns = {
        "words": ["I", "like", "stuff"], "tags": ["PRP", "VB", "NN"], "pos": ["PRON", "VERB", "NOUN"],
        "lemmas": ["I", "like", "stuff"], "heads": [1, 1, 1], "deps": ["nsubj", "ROOT", "dobj"],
        "morphs": ["Case=Nom", "", "Number=Sing"],
    }
    told = weft.Example.from_dict(weft.Doc(vocab, words=columns["words"]), columns).reference
    assert [token.tag_ for token in told] == columns["tags"] and [token.head.i for token in told] == [1, 1, 1]
    assert [token.morph for token in told] == columns["morphs"] and len(list(told.sents)) == 1
    starts = weft.Example.from_dict(doc, {"sent_starts": [True, False, None, 1, -1]}).reference
    assert [token.is_sent_start for token in starts] == [True, False, None, True, False]
    spans = weft.Example.from_dict(doc, {"spans": {"sc": [(0, 8, "ORG")]}}).reference.spans["sc"]
    assert [(span.text, span.label_) for span in spans] == [("Facebook", "ORG")]
    for wrong, error in (
        ({"tagz": []}, KeyError),
        ({"tags": ["A"]}, ValueError),
        ({"spans": {"sc": [(0, 3)]}}, weft.DataError),
    ):
        with pytest.raises(error):
            weft.Example.from_dict(doc, wrong)


def reference_of(annotation, words=("New", "York", "is", "big")):
    doc = weft.Doc(weft.Vocab("en"), words=list(words), spaces=[True] * len(words))
    return weft.Example.from_dict(doc, annotation).reference


def test_the_dict_that_spacy_writes():
    # spaCy 3.8: Example.to_dict().
    told = reference_of({
        "doc_annotation": {
            "cats": {"A": 1.0}, "entities": ["B-GPE", "L-GPE", "O", "O"],
            "spans": {"sc": [(0, 3, "X", "")]}, "links": {(0, 8): {"Q60": 1.0, "Q1": 0.0}},
        },
        "token_annotation": {
            "ORTH": ["New", "York", "is", "big"], "SPACY": [True] * 4, "TAG": ["", "A", "", ""], "LEMMA": [""] * 4,
            "POS": [""] * 4, "MORPH": ["", "Case=Nom", "", ""], "HEAD": [1, 2, 2, 2],
            "DEP": ["compound", "nsubj", "ROOT", "acomp"], "SENT_START": [1, 0, 0, 0],
        },
    })
    assert [(ent.text, ent.label_, ent.kb_id_) for ent in told.ents] == [("New York", "GPE", "Q60")]
    assert [token.head.i for token in told] == [1, 2, 2, 2] and told[1].morph == "Case=Nom"
    with pytest.raises(ValueError, match="link"):
        reference_of({"entities": [(0, 8, "GPE")], "links": {(1, 8): {"Q60": 1.0}}})


def test_entities_that_make_no_sense():
    for wrong in ([(0, 8, "A"), (4, 11, "B")], [(0, 3, "A"), (0, 3, "B")], [(0, 3)], [(-1, 3, "A")]):
        with pytest.raises(ValueError):
            reference_of({"entities": wrong})
    # Beyond the end of the text: not on tokens, so those that it touches are not annotated.
    assert [token.ent_iob_ for token in reference_of({"entities": [(9, 99, "A")]})] == ["O", "O", "", ""]
    assert [token.ent_iob_ for token in reference_of({"entities": [(0, 3, None)]})] == ["O"] * 4


def test_columns_with_gaps():
    told = reference_of({"morphs": [None, {"Number": "Sing", "Case": "Nom"}, "_", "A=b"]})
    assert [token.morph for token in told] == ["", "Case=Nom|Number=Sing", "", "A=b"]
    told = reference_of({"heads": [None] * 4, "deps": [None] * 4})
    assert [token.is_sent_start for token in told] == [True, None, None, None]
    with pytest.raises(ValueError, match="lengths"):
        reference_of({"words": ["New", "York", "is", "big"], "spaces": [True]})
    for wrong, error in (({"words": 5}, TypeError), ({5: 1}, KeyError), ({"cats": {"A": "x"}}, TypeError)):
        with pytest.raises(error):
            reference_of(wrong)


def test_a_run(run, tmp_path, capfd):
    result = run("out")
    assert result.steps == 21 and [entry["step"] for entry in result.log] == [0, 10, 20]
    assert result.best_score == max(entry["score"] for entry in result.log)
    assert result.path == tmp_path / "out/model-best" and weft.load(result.path).pipe_names == ["ner"]
    assert "ents_f" in result.scores and "LOSS" in capfd.readouterr().out
    with pytest.raises(weft.UsageError, match="overwrite=True"):
        run("out")
    longer = run("out", resume=True, overrides={"training.max_steps": 30})
    assert longer.steps == 31


def test_resume_finds_a_checkpoint_that_a_killed_run_had_set_aside(run, tmp_path):
    run("out")
    (tmp_path / "out/checkpoint").rename(tmp_path / "out/.checkpoint.old-abcdefghijklmnop")
    longer = run("out", resume=True, overrides={"training.max_steps": 30})
    assert longer.steps == 31 and [entry["step"] for entry in longer.log] == [0, 10, 20, 30]


def test_resume_replaces_no_results_for_want_of_a_checkpoint(run, tmp_path):
    run("out")
    best = (tmp_path / "out/model-best/meta.json").read_bytes()
    (tmp_path / "out/checkpoint/state.json").unlink()
    with pytest.raises(weft.DataError, match="damaged"):
        run("out", resume=True)
    shutil.rmtree(tmp_path / "out/checkpoint")
    with pytest.raises(weft.UsageError, match="no checkpoint to go on from"):
        run("out", resume=True)
    assert (tmp_path / "out/model-best/meta.json").read_bytes() == best
    (tmp_path / "out/checkpoint").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(weft.UsageError, match="is a link"):
        run("out", resume=True)
    (tmp_path / "out/checkpoint").unlink()
    assert run("out", resume=True, overwrite=True).steps == 21


def test_warnings_and_notes_of_the_config_are_told(run, caplog):
    caplog.set_level("INFO", "weft")
    run("out", overrides={"nlp.lang": "hsb", "training.max_steps": 1})
    assert "has no tokenizer rules of its own" in caplog.text


@pytest.fixture()
def python_hears_ctrl_c():
    """Also where SIGINT was ignored when the tests were started, as in a script's background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif("libtsan" in os.environ.get("LD_PRELOAD", ""),
                    reason="ThreadSanitizer holds signals back while threads compute")
def test_ctrl_c_saves_first(run, tmp_path, python_hears_ctrl_c):
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        run("out", overrides={"training.max_steps": 1000000, "training.patience": 0})
    assert saved(tmp_path / "out")


def saved(folder):
    return (folder / "checkpoint").is_dir() and (folder / "model-last/meta.json").is_file()


class Output:
    """A standard output that fails once, at the row of the tenth step."""

    def __init__(self, fail):
        self.fail, self.rows = fail, []

    def write(self, text):
        self.rows.append(text)
        if len(self.rows) == 3:
            self.fail()

    def flush(self):
        pass


def ctrl_c():
    signal.raise_signal(signal.SIGINT)


def full():
    raise OSError("the disk is full")


def test_ctrl_c_while_a_row_is_written(run, tmp_path, monkeypatch, python_hears_ctrl_c):
    monkeypatch.setattr(sys, "stdout", Output(ctrl_c))
    with pytest.raises(KeyboardInterrupt):
        run("out", overrides={"training.max_steps": 2000, "training.patience": 0})
    assert saved(tmp_path / "out") and len(sys.stdout.rows) < 10


def test_a_row_that_cannot_be_written_ends_no_run(run, monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    monkeypatch.setattr(sys, "stdout", Output(full))
    assert run("out").steps == 21
    assert len(sys.stdout.rows) == 4 and [str(one.exc_value) for one in told] == ["the disk is full"]
