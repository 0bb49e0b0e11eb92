"""Documents, spans and tokens: spaCy's names, offsets in code points."""

import copy
import gc
import random

import pytest

import weft


@pytest.fixture()
def doc():
    vocab = weft.Vocab("en")
    words = ["Zoë", "läuft", "nach", "𝕃öndon", "!"]
    made = weft.Doc(vocab, words=words, spaces=[True, True, True, False, False])
    made.ents = [weft.Span(made, 0, 1, "PERSON"), weft.Span(made, 3, 4, label="GPE", kb_id="Q84")]
    return made


def test_offsets_count_code_points(doc):
    assert doc.text == "Zoë läuft nach 𝕃öndon!"
    for token in doc:
        assert doc.text[token.idx : token.idx + len(token)] == token.text
    for ent in doc.ents:
        assert doc.text[ent.start_char : ent.end_char] == ent.text
    assert doc.char_span(15, 21).text == "𝕃öndon"
    assert doc.char_span(15, 20) is None
    assert [token.whitespace_ for token in doc] == [" ", " ", " ", "", ""]


def test_places(doc):
    assert doc[-1].text == "!" and doc[0].i == 0
    assert doc[1:3].text == "läuft nach" and doc[1:3][-1].text == "nach"
    assert doc[3:1].text == "" and len(doc[2:99]) == 3
    for wrong in (5, -6):
        with pytest.raises(IndexError):
            doc[wrong]
    with pytest.raises(ValueError):
        doc[::2]
    with pytest.raises(IndexError):
        weft.Span(doc, 0, 6)
    with pytest.raises(ValueError):
        weft.Doc(doc.vocab, words=["a"], spaces=[True, False])


def test_entities(doc):
    found = [(ent.text, ent.label_, ent.kb_id_) for ent in doc.ents]
    assert found == [("Zoë", "PERSON", ""), ("𝕃öndon", "GPE", "Q84")]
    assert [token.ent_iob_ for token in doc] == ["B", "O", "O", "B", "O"]
    assert doc[3].ent_type_ == "GPE" and doc[3].ent_type == doc.vocab.strings["GPE"]
    assert doc.ents[0] == doc[:1] or doc.ents[0].label != doc[:1].label
    with pytest.raises(weft.DataError):
        doc.ents = [weft.Span(doc, 0, 2, "A"), weft.Span(doc, 1, 3, "B")]
    doc.ents = (weft.Span(doc, i, i + 1, "A") for i in range(2))
    assert [ent.label_ for ent in doc.ents] == ["A", "A"]
    with pytest.raises(TypeError, match="spans"):
        doc.ents = iter(["A"])
    assert len(doc.ents) == 2


def test_whole_document(doc):
    doc.cats = {"A": 0.5, "B": 1.0}
    doc.spans = {"sc": [doc[0:2], weft.Span(doc, 1, 4, "X")]}
    assert dict(doc.cats) == {"A": 0.5, "B": 1.0}
    assert [(span.start, span.end, span.label_) for span in doc.spans["sc"]] == [(0, 2, ""), (1, 4, "X")]
    with pytest.raises(ValueError, match="sentences"):
        list(doc.sents)
    twin = copy.copy(doc)
    twin.ents = []
    assert len(doc.ents) == 2 and twin.to_json()["ents"] == []


def test_bytes_and_back(doc):
    doc.cats = {"A": 0.25}
    (again,) = weft.docs_from_bytes(weft.docs_to_bytes([doc]), weft.Vocab("en"))
    assert again.to_json() == doc.to_json()
    with pytest.raises(weft.DataError, match="bytes of documents"):
        weft.docs_from_bytes(b"no documents", weft.Vocab())


def test_views_keep_the_document():
    token = weft.Doc(weft.Vocab(), words=["one", "two"])[1]
    gc.collect()
    assert token.text == "two" and token.doc[0].text == "one" and token.norm_ == "two"


def test_half_a_surrogate_pair_is_refused(nlp):
    with pytest.raises(UnicodeEncodeError):
        nlp("\ud800")


def test_files_of_documents(doc, tmp_path):
    from weft.tokens import DocBin

    doc.cats = {"A": 0.25}
    first = DocBin(docs=[doc])
    doc.ents = []  # was added as it was
    first.add(weft.Doc(doc.vocab, words=["one", "more"]))
    first.to_disk(tmp_path / "docs.spacy")
    again = DocBin().from_disk(tmp_path / "docs.spacy")
    assert len(again) == 2
    again.merge(DocBin(docs=[doc]))
    vocab = weft.Vocab("en")
    docs = list(again.get_docs(vocab))
    assert [len(found.ents) for found in docs] == [2, 0, 0] and docs[0].vocab is vocab
    assert docs[0].ents[1].kb_id_ == "Q84" and dict(docs[0].cats) == {"A": 0.25}
    assert [token.norm_ for token in docs[0]] == [token.norm_ for token in doc]
    with pytest.raises(weft.DataError):
        DocBin().from_bytes(b"no documents")
    with pytest.raises(FileNotFoundError):
        DocBin().from_disk(tmp_path / "none.spacy")


def test_helpers_of_spacy(doc):
    from weft.util import compounding, filter_spans, fix_random_seed, minibatch

    spans = [doc[1:2], doc[0:2], doc[3:5], doc[2:4], doc[4:5]]
    assert [(span.start, span.end) for span in filter_spans(spans)] == [(0, 2), (2, 4), (4, 5)]
    sizes = compounding(2, 5, 1.5)
    assert [next(sizes) for _ in range(4)] == [2, 3.0, 4.5, 5] and next(compounding(5, 2, 0.1)) == 5
    assert [len(batch) for batch in minibatch(range(12), size=compounding(2, 5, 1.5))] == [2, 3, 4, 3]
    assert list(minibatch([1, 2, 3, 4], [2, 2])) == [[1, 2], [3, 4]]
    assert list(minibatch([1, 2, 3], [2, 2, 2])) == [[1, 2], [3]]
    with pytest.raises(ValueError, match="sizes ended"):
        list(minibatch([1, 2, 3], [2]))
    fix_random_seed(7)
    first = random.random()
    fix_random_seed(7)
    assert random.random() == first


def test_words_in_lower_case_and_with_spaces(doc):
    assert [token.lower_ for token in doc] == ["zoë", "läuft", "nach", "𝕃öndon", "!"]
    assert doc[0].lower == doc.vocab.strings.add("zoë")
    assert [span.text_with_ws for span in (doc[0:2], doc[2:4], doc[1:1])] == ["Zoë läuft ", "nach 𝕃öndon", ""]


def test_spaces_that_cannot_be_told():
    class Unclear:
        def __bool__(self):
            raise RuntimeError("unclear")

    vocab = weft.Vocab("en")
    with pytest.raises(RuntimeError, match="unclear"):
        weft.Doc(vocab, ["a", "b"], [True, Unclear()])
    with pytest.raises(RuntimeError, match="unclear"):
        weft.Example.from_dict(weft.Doc(vocab, ["a", "b"]), {"words": ["a", "b"], "spaces": [True, Unclear()]})
    with pytest.raises(ValueError, match="different lengths"):
        weft.Example.from_dict(weft.Doc(vocab, ["a", "b"]), {"words": ["a", "b"], "spaces": [True]})


def test_entities_that_do_not_fall_on_tokens_are_told():
    doc = weft.blank("en").make_doc("Ada visited London")
    for place in [(0, 2), (0, 99)]:
        with pytest.warns(UserWarning, match=f"X at characters {place[0]} to {place[1]}"):
            assert not weft.Example.from_dict(doc, {"entities": [(*place, "X")]}).reference.ents


def test_edges_of_a_subtree():
    words = ["I", "saw", "the", "cat", "run"]
    made = weft.Doc(weft.Vocab("en"), words=words)
    told = {"heads": [1, 1, 3, 4, 1], "deps": ["nsubj", "ROOT", "det", "nsubj", "ccomp"]}
    tokens = weft.Example.from_dict(made, told).reference
    assert [(token.left_edge.i, token.right_edge.i) for token in tokens] == [(0, 0), (0, 4), (2, 2), (2, 3), (2, 4)]
