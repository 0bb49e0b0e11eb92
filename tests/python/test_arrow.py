"""Documents as columns of Arrow, and columns of texts as input of `pipe`."""

import gc

import pytest

import weft

pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture()
def docs(nlp):
    made = list(nlp.pipe(["Ada Lovelace met Zoë in London.", "", "𝕃ee saw New York.", "nothing"]))
    made[0].cats = {"A": 0.25, "B": 1.0}
    made[2].cats = {"A": 0.5}
    return made


def test_a_record_batch(docs):
    batch = pyarrow.record_batch(weft.to_arrow(docs))
    gc.collect()
    batch.validate(full=True)
    assert batch.column("text").to_pylist() == [doc.text for doc in docs]
    ents = [[{"start": e.start_char, "end": e.end_char, "label": e.label_} for e in doc.ents] for doc in docs]
    assert any(ents) and batch.column("ents").to_pylist() == ents
    tokens = [[{"start": t.idx, "end": t.idx + len(t)} for t in doc] for doc in docs]
    assert batch.column("tokens").to_pylist() == tokens
    cats = [[{"label": label, "score": score} for label, score in doc.cats.items()] for doc in docs]
    assert batch.column("cats").to_pylist() == cats
    assert pyarrow.types.is_dictionary(batch.schema.field("ents").type.value_type.field("label").type)


def test_it_outlives_and_is_released(docs):
    exported = weft.to_arrow(docs)
    batch = pyarrow.record_batch(exported)
    column = batch.column("ents")
    del batch, exported
    gc.collect()
    assert len(column.to_pylist()) == len(docs)
    weft.to_arrow(docs).__arrow_c_array__()  # nobody takes it
    empty = pyarrow.record_batch(weft.to_arrow([]))
    assert empty.num_rows == 0 and len(weft.to_arrow(docs)) == 4


@pytest.mark.parametrize("type", [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()])
def test_pipe_takes_a_column(nlp, docs, type):
    texts = [doc.text for doc in docs] * 5 + ["a text that is longer than twelve bytes"]
    column = pyarrow.chunked_array([pyarrow.array(texts[:3], type), pyarrow.array(texts[3:], type)])
    found = list(nlp.pipe(column, batch_size=4, n_threads=2))
    assert [doc.text for doc in found] == texts
    assert [len(doc.ents) for doc in found[:4]] == [len(doc.ents) for doc in docs]
    one = pyarrow.array(["skipped", *texts], type)[1:]  # with an offset
    assert [doc.text for doc in nlp.pipe(one)] == texts


def test_columns_that_are_no_texts(nlp):
    with pytest.raises(weft.DataError, match="type is 'l'"):
        nlp.pipe(pyarrow.array([1, 2]))
    with pytest.raises(weft.DataError, match="row 1 is null"):
        list(nlp.pipe(pyarrow.array(["a", None])))


class Gives:
    """Something whose Arrow interface gives what a function gives."""

    def __init__(self, stream):
        self.stream = stream

    def __arrow_c_stream__(self, requested_schema=None):
        return self.stream()


class GivesArray(Gives):
    __arrow_c_stream__ = None

    def __arrow_c_array__(self, requested_schema=None):
        return self.stream()

    def __getattribute__(self, name):
        if name == "__arrow_c_stream__":
            raise AttributeError(name)
        return super().__getattribute__(name)


def test_columns_that_were_taken_or_are_none(nlp):
    capsule = pyarrow.chunked_array([["a"]]).__arrow_c_stream__()
    pyarrow.chunked_array(Gives(lambda: capsule))
    with pytest.raises(weft.DataError, match="already"):
        nlp.pipe(Gives(lambda: capsule))
    pair = pyarrow.array(["a"]).__arrow_c_array__()
    pyarrow.array(GivesArray(lambda: pair))
    with pytest.raises(weft.DataError, match="already"):
        nlp.pipe(GivesArray(lambda: pair))
    with pytest.raises(weft.DataError, match="pair"):
        nlp.pipe(GivesArray(lambda: (1,)))
    with pytest.raises(ValueError):
        nlp.pipe(Gives(lambda: None))


def test_a_dictionary_is_refused_as_one():
    texts = pyarrow.array(["Ada", "Grace"]).dictionary_encode()
    with pytest.raises(weft.DataError, match="it has a dictionary; decode it first"):
        list(weft.blank("en").pipe(texts))
