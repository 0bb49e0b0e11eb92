"""Pipelines in use: results, streams, threads, pickling, memory."""

import copy
import gc
import itertools
import pickle
import subprocess
import sys
import threading
import time
import weakref

import pytest

import weft
from conftest import TINY


def entities(doc):
    return [(ent.start, ent.end, ent.label_) for ent in doc.ents]


def test_the_entities_that_spacy_found(nlp, records):
    docs = [weft.Doc(nlp.vocab, words=record["words"]) for record in records]
    expected = [[tuple(ent) for ent in record["ents"]] for record in records]
    assert [entities(nlp(doc)) for doc in docs] == expected
    again = [weft.Doc(nlp.vocab, words=record["words"]) for record in records]
    assert [entities(doc) for doc in nlp.pipe(again, batch_size=3, n_threads=2)] == expected


def test_a_document_is_annotated_in_place(nlp):
    doc = nlp.make_doc("Ada lives in London.")
    assert not doc.ents and nlp(doc) is doc and doc.ents


def test_pipe_annotates_documents_in_place(nlp):
    docs = [nlp.make_doc("Ada lives in London."), nlp.make_doc("")]
    assert all(found is doc for found, doc in zip(nlp.pipe(docs), docs)) and docs[0].ents
    pairs = list(nlp.pipe([(docs[0], 7)], as_tuples=True))
    assert pairs[0][0] is docs[0] and pairs[0][1] == 7


def test_documents_of_another_vocabulary_get_the_names(nlp):
    docs = [weft.Doc(weft.Vocab("en"), words=["Ada", "in", "London"]) for _ in range(2)]
    labels = [ent.label_ for ent in nlp(weft.Doc(nlp.vocab, words=["Ada", "in", "London"])).ents]
    assert labels and [ent.label_ for ent in nlp(docs[0]).ents] == labels
    assert [ent.label_ for ent in next(nlp.pipe(docs[1:])).ents] == labels
    assert docs[0].to_json()["ents"]


def test_pipe_refuses_a_second_reader(nlp):
    refused = []

    def texts():
        yield "one"
        try:
            next(stream)
        except ValueError as error:
            refused.append(error)
        yield "two"

    stream = nlp.pipe(texts())
    assert [doc.text for doc in stream] == ["one", "two"] and "already" in str(refused[0])


def test_several_threads_share_a_stream(nlp):
    stream = nlp.pipe((f"text {number}" for number in range(400)), batch_size=3, n_threads=2)
    found = []

    def take():
        while True:
            try:
                found.append(next(stream).text)
            except StopIteration:
                return
            except ValueError:  # another one reads ahead
                continue

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(f"text {number}" for number in range(400))


def test_sizes_of_pipe(nlp):
    assert [doc.text for doc in nlp.pipe(["a", "b"], batch_size=2**62, n_threads=4)] == ["a", "b"]
    for threads in (-1, 1025):
        with pytest.raises(ValueError, match="n_threads"):
            nlp.pipe(["a"], n_threads=threads)
        with pytest.raises(ValueError, match="n_threads"):
            nlp.evaluate([], n_threads=threads)
    with pytest.raises(ValueError, match="gpu"):
        weft.load(TINY, gpu=-2)


def test_nothing_comes_behind_an_error(nlp):
    stream = nlp.pipe(["one", 2, "three"], batch_size=1)
    assert next(stream).text == "one"
    with pytest.raises(TypeError, match="a text .str. is needed"):
        next(stream)
    assert list(stream) == []


def test_a_pickled_document_knows_its_language():
    doc = weft.blank("en")("the ten")
    again = pickle.loads(pickle.dumps(doc))
    assert [(token.is_stop, token.like_num) for token in again] == [(token.is_stop, token.like_num) for token in doc]
    assert again[0].is_stop and pickle.loads(pickle.dumps(doc)).vocab is again.vocab


def test_one_name_without_a_list(records):
    assert weft.load(TINY, disable="ner").pipe_names == weft.load(TINY, exclude="ner").pipe_names == ["tok2vec"]
    assert weft.blank("en", "ner").component_names == weft.blank("en", ["ner"]).component_names


def test_pipe_is_lazy_and_in_order(nlp):
    read = []

    def texts():
        for number in itertools.count():
            read.append(number)
            yield f"text {number}", number

    stream = nlp.pipe(texts(), as_tuples=True, batch_size=4, n_threads=2)
    assert read == []
    for number, (doc, context) in zip(range(10), stream):
        assert doc.text == f"text {number}" and context == number
    assert len(read) == 16


def test_pipe_hands_on_errors_of_its_texts(nlp):
    def texts():
        yield "fine"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(nlp.pipe(texts()))
    with pytest.raises(TypeError):
        list(nlp.pipe([1]))
    with pytest.raises(TypeError, match="pairs"):
        list(nlp.pipe(["text"], as_tuples=True))
    assert list(nlp.pipe([])) == []


def test_other_threads_run_meanwhile(nlp):
    count, done = 0, threading.Event()

    def counting():
        nonlocal count
        while not done.is_set():
            count += 1

    counter = threading.Thread(target=counting)
    counter.start()
    try:
        began = count
        nlp("Ada Lovelace lived in London. " * 3000)
        assert count - began > 1
    finally:
        done.set()
        counter.join()


def test_one_pipeline_serves_many_threads(nlp):
    texts = [f"Ada Lovelace met Grace Hopper in New York, {n} times." for n in range(50)]
    alone = [entities(doc) for doc in nlp.pipe(texts)]
    results = {}

    def work(number):
        results[number] = [entities(nlp(text)) for text in texts]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results[number] == alone for number in range(4))


def test_a_stream_that_nobody_reads_is_collected(nlp):
    class Reader:
        def __init__(self):
            self.docs = nlp.pipe(self.texts())

        def texts(self):
            yield "Ada Lovelace was born in London."
            yield "Grace Hopper."

    class Context:
        pass

    reader, context = Reader(), Context()
    stream = nlp.pipe([("Ada", context), ("Grace", context)], as_tuples=True)
    context.stream = stream
    assert next(reader.docs).text and next(stream)[0].text
    gone = [weakref.ref(reader), weakref.ref(context)]
    del reader, context, stream
    gc.collect()
    assert [each() for each in gone] == [None, None]


DAEMON = """
import sys, threading, time, weft
nlp = weft.load(sys.argv[1])
def work():
    while True:
        nlp("Ada Lovelace was born in London. " * 50)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
"""


def test_a_program_ends_while_daemon_threads_annotate(nlp):
    for _ in range(3):
        ended = subprocess.run([sys.executable, "-c", DAEMON, nlp.path], timeout=60, capture_output=True)
        assert ended.returncode == 0, ended.stderr.decode()


def test_pickled_as_its_folder(nlp):
    text = "Ada Lovelace was born in London."
    for twin in (pickle.loads(pickle.dumps(nlp)), copy.deepcopy(nlp)):
        assert twin.path == nlp.path and entities(twin(text)) == entities(nlp(text))
    with pytest.raises(TypeError, match="to_disk"):
        pickle.dumps(weft.blank("en"))


def test_components_can_be_left_out(nlp):
    assert nlp.pipe_names == ["tok2vec", "ner"] and "person" in nlp.pipe_labels["ner"]
    without = weft.load(nlp.path, exclude=["ner"])
    assert without.component_names == ["tok2vec"]
    assert pickle.loads(pickle.dumps(without)).component_names == ["tok2vec"]
    assert weft.load(nlp.path, disable=["ner"]).pipe_names == ["tok2vec"]


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def test_calls_do_not_grow_the_process(nlp):
    texts = [f"Ada met {n} people in London." for n in range(500)]

    def calls():
        for text in texts:
            doc = nlp(text)
            [(ent.label_, ent[0].text) for ent in doc.ents], doc.to_array("ORTH"), doc.to_array(["TAG", "ORTH"])
        list(nlp.pipe(texts))

    calls()
    before = resident()
    for _ in range(20):  # 10,000 calls
        calls()
    assert resident() - before < 4 << 20
