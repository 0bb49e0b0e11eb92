"""Places in a document: tokens and spans that are checked against it, their order, spans by characters."""

import gc

import numpy
import pytest

import weft


def doc_of(words=("w0", "w1", "w2", "w3"), vocab=None):
    return weft.Doc(vocab or weft.Vocab("en"), words=list(words), spaces=[True] * len(words))


def tree_of(heads, deps):
    doc = doc_of([f"w{i}" for i in range(len(heads))])
    steps = numpy.array([head - i for i, head in enumerate(heads)], dtype="int64").astype("uint64")
    ids = numpy.array([doc.vocab.strings.add(dep) for dep in deps], dtype="uint64")
    return doc.from_array(["HEAD", "DEP"], numpy.stack([steps, ids], axis=1))


def test_places_of_a_document_that_lost_tokens():
    nlp = weft.blank("en", ["merge_entities"])
    doc = doc_of(["New", "York", "City", "!"], nlp.vocab)
    doc.ents = [weft.Span(doc, 0, 3, "GPE")]
    token, span = doc[3], doc[1:4]
    assert nlp(doc) is doc and [each.text for each in doc] == ["New York City", "!"]
    for look in (
        lambda: token.text, lambda: token.tag_, lambda: token.idx, lambda: token.head, lambda: list(token.lefts),
        lambda: list(token.subtree), lambda: token.norm_, lambda: token.is_sent_start, lambda: token.nbor(-1),
        lambda: span.text, lambda: span.start_char, lambda: span.root, lambda: span[0], lambda: span.lemma_,
    ):
        with pytest.raises(IndexError, match="do not lie in a document of 2"):
            look()


def test_spans_of_another_document():
    doc, other = doc_of(), doc_of(["a"] * 9)
    doc.ents = [weft.Span(other, 1, 3, "STRANGE", kb_id="Q1")]
    doc.spans = {"sc": [weft.Span(other, 0, 1, "OTHER")]}
    other = None
    gc.collect()
    assert [(ent.text, ent.label_, ent.kb_id_) for ent in doc.ents] == [("w1 w2", "STRANGE", "Q1")]
    assert [span.label_ for span in doc.spans["sc"]] == ["OTHER"]
    beyond = weft.Span(doc_of(["a"] * 9), 7, 9, "X")
    with pytest.raises(IndexError):
        doc.ents = [beyond]
    with pytest.raises(IndexError):
        doc.spans = {"sc": [beyond]}


def test_bytes_are_read_into_an_empty_document():
    doc = doc_of()
    with pytest.raises(ValueError, match="without tokens"):
        doc.from_bytes(doc_of(["one"]).to_bytes())
    assert weft.Doc(doc.vocab).from_bytes(doc.to_bytes()).text == doc.text


def test_arguments_of_other_types():
    doc = doc_of()
    for wrong in (1.5, "a", None):
        for sequence in (doc, doc[0:2]):
            with pytest.raises(TypeError):
                sequence[wrong]
    with pytest.raises(IndexError):
        doc[2**70]
    assert doc[numpy.int64(2)].text == "w2"
    for wrong, error in ((-1, OverflowError), (2**64, OverflowError), (1.5, TypeError), (123456789, ValueError)):
        with pytest.raises(error):
            weft.Span(doc, 0, 1, wrong)
    with pytest.raises(TypeError, match="a text .str. is needed here, not int"):
        weft.Doc(doc.vocab, words=["a", 1])
    with pytest.raises(UnicodeEncodeError):
        weft.Doc(doc.vocab, words=["\ud800"])
    assert weft.Doc(doc.vocab, words=["a", "b"], spaces=[0, 1]).text == "ab "
    with pytest.raises(TypeError):
        doc.cats = {"A": "x"}
    with pytest.raises(TypeError):
        weft.to_arrow([5])
    for wrong in (2**62, -(2**63)):
        with pytest.raises(IndexError):
            doc[1].nbor(wrong)


def test_strings():
    strings = weft.Vocab().strings
    strings.add("b")
    strings.add("a")
    assert list(strings) == ["a", "b"] and 5 in strings and -0 in strings
    for wrong, error in ((-1, OverflowError), (1.5, TypeError), (b"a", TypeError), (2**63, KeyError)):
        with pytest.raises(error):
            strings[wrong]


def test_an_id_that_nobody_knows():
    doc = doc_of()
    doc.from_array("TAG", numpy.full(4, 987654321, "uint64"))
    with pytest.raises(KeyError, match="987654321"):
        doc[0].tag_


def test_order():
    doc = doc_of()
    assert doc[0] < doc[1] <= doc[1] and doc[2] > doc[1] >= doc[1]
    assert sorted([doc[2:3], doc[0:2], doc[0:1]]) == [doc[0:1], doc[0:2], doc[2:3]]
    assert weft.Span(doc, 0, 1, "A") != doc[0:1] and doc[0] != doc.copy()[0]
    for thing in (doc[0], doc[0:1]):
        assert thing != None and not thing == None and not thing < 5  # noqa: E711


def test_spans_by_characters():
    doc = weft.Doc(weft.Vocab("en"), words=["ab", "𝕃d", "ef"], spaces=[True, False, True])

    def found(start, end, mode):
        span = doc.char_span(start, end, label="A", alignment_mode=mode, span_id="7")
        return span and (span.text, span.label_, span.id_)

    # The values are those of spaCy 3.8.
    assert found(0, 5, "strict") == ("ab 𝕃d", "A", "7") and found(1, 5, "strict") is None
    close = weft.Doc(doc.vocab, words=["a", "b"], spaces=[False, False])
    between = close.char_span(1, 1)
    assert (between.start, between.end) == (1, 1) and close.char_span(1, 1, alignment_mode="contract") is None
    assert found(1, 5, "contract") == ("𝕃d", "A", "7") and found(1, 2, "contract") is None
    assert found(1, 4, "expand") == ("ab 𝕃d", "A", "7") and found(2, 4, "expand") == ("𝕃d", "A", "7")
    assert found(0, 99, "expand") is None and found(-1, 2, "expand") is None
    with pytest.raises(ValueError, match="alignment_mode"):
        found(0, 2, "loose")


def test_subtrees():
    # As spaCy goes through crossing branches: left children, the token, right children.
    doc = tree_of([1, 1, 1, 0, 2], ["a", "ROOT", "b", "c", "d"])
    assert [token.i for token in doc[1].subtree] == [0, 3, 1, 2, 4]
    circle = tree_of([1, 0, 2], ["a", "b", "c"])
    assert [token.i for token in circle[0].subtree] == [0, 1]
    chain = tree_of([max(i - 1, 0) for i in range(30000)], ["ROOT"] + ["a"] * 29999)
    assert len(list(chain[1].subtree)) == 29999


def test_has_annotation():
    doc = doc_of()
    assert not doc.has_annotation("TAG") and doc.has_annotation("ORTH") and not doc.has_annotation("SENT_START")
    assert doc_of(["one"]).has_annotation("IS_SENT_START") and weft.Doc(doc.vocab).has_annotation("TAG")
    doc.ents = [weft.Span(doc, 0, 1, "A")]
    assert doc.has_annotation("ENT_IOB", require_complete=True)
    assert doc.has_annotation("ENT_TYPE") and not doc.has_annotation("ENT_TYPE", require_complete=True)
    assert not tree_of([0, 0], ["", ""]).has_annotation("HEAD")
    with pytest.raises(ValueError, match="NO_SUCH"):
        doc.has_annotation("NO_SUCH")
    # A number beyond 32 bits is no attribute; cut off, it would be ORTH's.
    assert doc.has_annotation(65) and not doc.has_annotation(2**32 + 65)


def test_noun_chunks_have_a_label():
    doc = tree_of([1, 1], ["nsubj", "ROOT"])
    ids = [doc.vocab.strings.add(pos) for pos in ("NOUN", "VERB")]
    doc.from_array("POS", numpy.array(ids, "uint64"))
    assert [(chunk.text, chunk.label_) for chunk in doc.noun_chunks] == [("w0", "NP")]
    with pytest.raises(ValueError, match="parse"):
        doc_of().noun_chunks


def test_columns_of_entities_alone():
    doc = doc_of()
    label = doc.vocab.strings.add("A")
    doc.from_array("ENT_TYPE", numpy.array([label, label, 0, 0], "uint64"))
    assert [token.ent_type_ for token in doc] == ["A", "A", "", ""] and doc.ents == ()
    doc.from_array("ENT_IOB", numpy.array([3, 1, 2, 2], "uint64"))
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("w0 w1", "A")]
    doc.from_array("SENT_START", numpy.array([1, 200, 0, 2**64 - 1], "uint64"))
    assert [token.is_sent_start for token in doc] == [True, True, None, False]
    with pytest.raises(ValueError, match="head"):
        doc.from_array("HEAD", numpy.array([2**40, 0, 0, 0], "uint64"))


def test_the_lemmas_of_a_span_have_no_blank_edges():
    doc = doc_of()
    doc.from_array("LEMMA", numpy.array([0, doc.vocab.strings.add("l"), 0, 0], "uint64"))
    assert doc[0:3].lemma_ == "l"


def test_the_sentence_of_an_empty_span_at_the_end():
    doc = doc_of()
    doc.from_array("SENT_START", numpy.array([1, -1, 1, -1]).astype("uint64"))
    sent = doc[4:4].sent
    assert (sent.start, sent.end) == (2, 4)
