"""Attributes as arrays."""

import gc
import sys

import pytest

import weft

numpy = pytest.importorskip("numpy")


def test_a_stored_column_is_a_read_only_view():
    words = ["one", "two", "three"]
    orths = weft.Doc(weft.Vocab(), words=words).to_array("ORTH")  # the document itself is gone
    gc.collect()
    assert orths.dtype == numpy.uint64 and not orths.flags.writeable
    strings = weft.Vocab().strings
    assert orths.tolist() == [strings.add(word) for word in words]


def test_without_numpy_the_error_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    doc = weft.Doc(weft.Vocab(), words=["one"])
    for make in (lambda: doc.to_array("ORTH"), lambda: doc.to_array(["TAG", "DEP"]), lambda: doc.vocab.vectors):
        with pytest.raises(ImportError, match="numpy"):
            make()


def test_from_array_is_the_inverse():
    vocab = weft.Vocab()
    words = ["I", "like", "stuff"]
    doc = weft.Doc(vocab, words=words)
    tags = numpy.array([vocab.strings.add(tag) for tag in ("PRP", "VB", "NN")], dtype="uint64")
    heads = numpy.array([1, 0, -1], dtype="int32").astype("uint64")
    deps = numpy.array([vocab.strings.add(dep) for dep in ("nsubj", "ROOT", "dobj")], dtype="uint64")
    assert doc.from_array(["TAG", "HEAD", "DEP"], numpy.stack([tags, heads, deps], axis=1)) is doc
    assert [token.tag_ for token in doc] == ["PRP", "VB", "NN"]
    assert [token.head.i for token in doc] == [1, 1, 1]
    assert [sent.text for sent in doc.sents] == [doc.text.strip()]
    again = weft.Doc(vocab, words=words).from_array(["TAG", "HEAD", "DEP"], doc.to_array(["TAG", "HEAD", "DEP"]))
    assert again.to_json() == doc.to_json()


def test_sentences_follow_from_heads_that_come_with_labels():
    doc = weft.Doc(weft.Vocab(), words=["a", "b", "c"])
    doc.from_array(["SENT_START"], numpy.array([1, -1, 1]).astype("uint64"))
    for attrs in (["HEAD"], ["HEAD", "DEP"]):  # without a head and without a label: nothing is said about them
        doc.from_array(attrs, doc.to_array(attrs).reshape(3, len(attrs)))
        assert [(sent.start, sent.end) for sent in doc.sents] == [(0, 2), (2, 3)]
    labels = numpy.array([[0, doc.vocab.strings.add("dep")]] * 3, dtype="uint64")
    doc.from_array(["HEAD", "DEP"], labels)
    doc.from_array(["HEAD"], numpy.array([1, 0, 0], dtype="uint64"))
    assert [(sent.start, sent.end) for sent in doc.sents] == [(0, 1), (1, 2), (2, 3)]


def test_attributes_of_words_are_set_to_what_they_are():
    names = ["LOWER", "POS", "ENT_TYPE", "IS_ALPHA"]
    doc = weft.Doc(weft.Vocab("en"), words=["Two", "words"])
    array = doc.to_array(names).copy()
    array[:, 1] = doc.vocab.strings.add("NOUN")
    assert [token.pos_ for token in doc.from_array(names, array)] == ["NOUN", "NOUN"]
    array[0, 3] = 0
    with pytest.raises(ValueError, match="IS_ALPHA follows from the words"):
        doc.from_array(names, array)


def test_the_root_of_a_span_is_not_a_mark_that_nothing_hangs_on():
    vocab = weft.Vocab()
    doc = weft.Doc(vocab, words=["x", '"', "A", "B"])
    heads = numpy.array([0, -1, 1, -3], dtype="int32").astype("uint64")
    deps = numpy.array([vocab.strings.add(dep) for dep in ("ROOT", "punct", "dep", "dep")], dtype="uint64")
    doc.from_array(["HEAD", "DEP"], numpy.stack([heads, deps], axis=1))
    assert [doc[1:3].root.i, doc[1:4].root.i, doc[1:2].root.i] == [2, 3, 1]


def test_copies_can_be_changed_and_numbers_of_numpy_name_attributes():
    doc = weft.Doc(weft.Vocab(), words=["one", "two"])
    tags = doc.to_array(["TAG", "LEMMA"])
    tags[:, 0] = doc.vocab.strings.add("NUM")
    assert doc.from_array(["TAG", "LEMMA"], tags)[1].tag_ == "NUM"
    assert doc.to_array("TAG").flags.writeable and not doc.to_array("ORTH").flags.writeable
    orth = numpy.int64(65)
    assert (doc.to_array(orth) == doc.to_array("ORTH")).all()


def test_a_head_without_a_label_does_not_count():
    vocab = weft.Vocab()
    doc = weft.Doc(vocab, words=["I", "like", "stuff"])
    heads = numpy.array([1, 0, -1], dtype="int32").astype("uint64")
    deps = numpy.array([vocab.strings.add("nsubj"), vocab.strings.add("ROOT"), 0], dtype="uint64")
    doc.from_array(["HEAD", "DEP"], numpy.stack([heads, deps], axis=1))
    assert [token.head.i for token in doc] == [1, 1, 2]


def test_arrays_that_do_not_fit():
    doc = weft.Doc(weft.Vocab(), words=["one", "two"])
    for attrs, array in (
        ("TAG", numpy.zeros(3, "uint64")),
        (["TAG", "POS"], numpy.zeros((2, 1), "uint64")),
        ("ORTH", numpy.zeros(2, "uint64")),
        ("ENT_IOB", numpy.full(2, 4, "uint64")),
    ):
        with pytest.raises(ValueError):
            doc.from_array(attrs, array)
    with pytest.raises(weft.DataError, match="head"):
        doc.from_array("HEAD", numpy.array([5, 0], "uint64"))
    with pytest.raises(KeyError):
        doc.to_array("NO_SUCH")


def test_vectors_of_a_pipeline_without_any(nlp):
    assert nlp.vocab.vectors.shape == (0, 0)
