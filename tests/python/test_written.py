"""Writing into documents of examples, into their dicts, and into those of a pipeline: it arrives or is an error."""

import copy
import json
import pickle

import pytest

import weft
from conftest import CONFIG, SENTENCES

registry = weft.registry


def example_of(text="Ada Lovelace was born in London.", ents=((0, 12, "PERSON"), (25, 31, "GPE"))):
    return weft.Example.from_dict(weft.blank("en").make_doc(text), {"entities": list(ents)})


def test_documents_of_an_example_are_its_own():
    example = example_of()
    example.reference.ents = example.reference.ents[:1]
    example.y.cats["A"] = 1.0
    example.predicted[0].tag_ = "X"
    assert [ent.label_ for ent in example.reference.ents] == ["PERSON"]
    assert example.reference.cats == {"A": 1.0} and example.x[0].tag_ == "X"
    token = example.reference[0]
    del example
    assert token.doc.ents[0].text == "Ada Lovelace"


def test_tokens_can_be_written():
    doc = example_of().reference
    doc[1].tag_, doc[1].lemma_, doc[1].pos_, doc[1].dep_ = "NNP", "lovelace", "PROPN", "nsubj"
    doc[1].head = doc[2]
    doc[1].set_morph("Number=Sing|Case=Nom")
    doc[2].is_sent_start = False
    assert (doc[1].tag_, doc[1].lemma_, doc[1].pos_, doc[1].dep_) == ("NNP", "lovelace", "PROPN", "nsubj")
    assert doc[1].head.i == 2 and doc[1].morph == "Case=Nom|Number=Sing" and doc[2].is_sent_start is False
    assert doc[0].tag == 0 and doc[1].tag == doc.vocab.strings["NNP"]
    doc[0].tag = doc[1].tag
    assert doc[0].tag_ == "NNP"
    with pytest.raises(ValueError, match="no text is known"):
        doc[0].tag = 12345
    with pytest.raises(weft.DataError, match="NOUM.*did you mean NOUN"):
        doc[0].pos_ = "NOUM"
    with pytest.raises(weft.DataError, match="NOUM.*did you mean NOUN"):
        weft.Example.from_dict(weft.blank("en").make_doc("a b"), {"pos": ["NOUM", None]})
    with pytest.raises(ValueError, match="same document"):
        doc[0].head = example_of().reference[1]
    with pytest.raises(AttributeError):
        doc[0].ent_type_ = "X"


def test_dicts_of_a_document():
    doc = example_of().reference
    doc.cats = {"A": 0.5, "B": 1.0}
    doc.cats["C"] = 1.0
    doc.cats.update(A=0.0)
    del doc.cats["B"]
    assert doc.cats == {"A": 0.0, "C": 1.0} and json.dumps(doc.cats) == '{"A": 0.0, "C": 1.0}'
    doc.spans["sc"] = [doc[0:2]]
    doc.spans["other"] = [weft.Span(doc, 1, 3, "X")]
    assert [span.text for span in doc.spans["sc"]] == ["Ada Lovelace"] and doc.spans.pop("other")[0].label_ == "X"
    assert list(doc.spans) == ["sc"]
    with pytest.raises(TypeError):
        doc.cats["A"] = "x"
    assert doc.cats["A"] == 0.0
    copied = copy.deepcopy(doc.cats)
    copied["A"] = 5.0
    assert type(pickle.loads(pickle.dumps(doc.cats))) is dict and doc.cats["A"] == 0.0


def test_other_tokens_are_aligned_anew():
    example = weft.Example(weft.Doc(weft.Vocab("en")), weft.Doc(weft.Vocab("en")))
    example.predicted.from_bytes(example_of().predicted.to_bytes())
    nlp = weft.blank("en", ["ner"])
    with pytest.raises(weft.DataError, match="text"):
        nlp.initialize([example])
    example.reference.from_bytes(example_of().reference.to_bytes())
    nlp.initialize([example])
    assert nlp.get_pipe("ner").labels == ["GPE", "PERSON"]


@pytest.fixture()
def labels_of(tmp_path):
    """The labels of a run with a reader of C++ and further blocks; its examples are read from a file."""
    docs = [example_of(text, ents).reference for text, ents in SENTENCES]
    (tmp_path / "train.spacy").write_bytes(weft.docs_to_bytes(docs))

    def labels(augmenter="", training="", component="", steps=3):
        corpus = f'@readers = "spacy.Corpus.v1"\npath = "{tmp_path}/train.spacy"\n'
        text = CONFIG.replace('@readers = "test_corpus.v1"\n{reader}', corpus + augmenter)
        text = text.replace('@readers = "test_corpus.v1"', corpus)
        config = tmp_path / "run.cfg"
        config.write_text(text.format(training=training, component=component, steps=steps), encoding="utf-8")
        result = weft.train(config)
        return result.nlp.get_pipe("ner").labels

    return labels


def test_an_augmenter_that_writes_changes_what_is_trained(labels_of):
    @registry.augmenters("people.v1")
    def make():
        def augment(nlp, example):
            example.reference.ents = [ent for ent in example.reference.ents if ent.label_ == "PERSON"]
            yield example

        return augment

    assert labels_of() == ["GPE", "ORG", "PERSON"]
    assert labels_of(augmenter='\n[corpora.train.augmenter]\n@augmenters = "people.v1"\n') == ["PERSON"]


def test_a_batcher_that_writes_changes_what_is_trained_in_its_pass(labels_of):
    seen = []

    @registry.batchers("blank.v1")
    def make(writes: bool):
        def batch(examples):
            for example in examples:
                seen.append(len(example.reference.ents))
                if writes:
                    example.reference.ents = []
                yield [example]

        return batch

    losses = []

    @registry.loggers("losses.v1")
    def make_logger():
        return lambda nlp: ((lambda info: info and losses.append(info["losses"]["ner"])), None)

    logger = '\n[training.logger]\n@loggers = "losses.v1"\n'
    for writes in ("false", "true"):
        labels_of(training=f'{logger}\n[training.batcher]\n@batchers = "blank.v1"\nwrites = {writes}\n', steps=10)
    assert len(losses) == 6 and losses[:3] != losses[3:]
    assert set(seen) == {2}  # each pass begins with the examples as they were read


def test_meta_is_written_and_saved(tmp_path):
    nlp = weft.blank("en", ["ner"])
    nlp.initialize([example_of()])
    nlp.meta["name"] = "people"
    nlp.meta.update(author="Ada", tags=["a"])
    with pytest.raises(TypeError, match="replaced as a whole"):
        nlp.meta["tags"].append("b")
    assert nlp.meta["name"] == "people" and json.dumps(nlp.meta)
    nlp.to_disk(tmp_path / "out")
    saved = json.loads((tmp_path / "out/meta.json").read_text(encoding="utf-8"))
    assert (saved["name"], saved["author"], saved["tags"]) == ("people", "Ada", ["a"])


def test_callbacks_write_meta_and_loggers_do_not(run, tmp_path):
    @registry.callbacks("name.v1")
    def make():
        def call(nlp):
            nlp.meta["name"] = "people"

        return call

    @registry.loggers("name.v1")
    def make_logger():
        def setup(nlp):
            with pytest.raises(weft.UsageError, match="being trained"):
                nlp.meta["name"] = "other"
            return (lambda info: None), None

        return setup

    blocks = '\n[training.before_to_disk]\n@callbacks = "name.v1"\n\n[training.logger]\n@loggers = "name.v1"\n'
    run(training=blocks, output=tmp_path / "out")
    assert json.loads((tmp_path / "out/model-last/meta.json").read_text(encoding="utf-8"))["name"] == "people"


def test_the_config_is_read_only():
    nlp = weft.blank("en", ["ner"])
    assert nlp.config["nlp"]["pipeline"] == ["ner"] and json.dumps(nlp.config)
    writes = [
        lambda: nlp.config.update(nlp={}),
        lambda: nlp.config["nlp"].__setitem__("lang", "de"),
        lambda: nlp.config["nlp"]["pipeline"].append("tagger"),
    ]
    for write in writes:
        with pytest.raises(TypeError, match="config file, by overrides"):
            write()
    for own in (copy.deepcopy(nlp.config), nlp.config.copy(), pickle.loads(pickle.dumps(nlp.config))):
        own["nlp"]["pipeline"].append("tagger")
        assert type(own) is dict and own["nlp"]["pipeline"] == ["ner", "tagger"]
