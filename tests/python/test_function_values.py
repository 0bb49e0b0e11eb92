"""Arguments and results of registered functions: settings of components, other functions, schedules, objects."""

import re
import subprocess
import sys
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Set, Union

import pytest

import weft
from conftest import CONFIG, command

registry = weft.registry

COMPONENT = """
[nlp]
lang = "en"
pipeline = ["it"]

[components]

[components.it]
factory = "{factory}"
{settings}

[components.it.scorer]
@scorers = "told.v1"
"""


@pytest.fixture()
def settings_told(tmp_path):
    """The settings that a scorer with any names is given for a component."""
    told = {}

    @registry.scorers("told.v1")
    def make():
        def score(examples, **settings):
            told.clear()
            told.update(settings)
            return {}

        return score

    def settings_of(factory, settings=""):
        file = tmp_path / "run.cfg"
        file.write_text(COMPONENT.format(factory=factory, settings=settings), encoding="utf-8")
        nlp = weft.from_config(file)
        annotation = {
            "entities": [(0, 3, "P")], "cats": {"A": 1.0, "B": 0.0}, "tags": ["N", "V", "N", "N", "."],
            "pos": ["NOUN"] * 5, "spans": {"sc": [(0, 3, "P")]}, "heads": [1, 1, 1, 2, 1],
            "deps": ["a", "ROOT", "b", "c", "d"], "lemmas": ["ada", "live", "in", "oslo", "."],
        }
        examples = [weft.Example.from_dict(nlp.make_doc("Ada lives in Oslo."), annotation)]
        nlp.initialize(examples)
        nlp.evaluate(examples)
        return dict(told)

    return settings_of


# As spaCy 3.8 gives them.
PARSER = {
    "moves": None, "update_with_oracle_cut_size": 100, "multitasks": [], "learn_tokens": False, "beam_width": 1,
    "beam_density": 0.0, "beam_update_prob": 0.0, "incorrect_spans_key": None,
}
SPANS = {"labels": ("P",), "spans_key": "sc", "allow_overlap": True}
SETTINGS = {
    "textcat": {"labels": ("A", "B"), "threshold": 0.0, "positive_label": None},
    "textcat_multilabel": {"labels": ("A", "B"), "threshold": 0.5},
    "ner": {**PARSER, "min_action_freq": 1, "labels": ("P",)},
    "tagger": {"label_smoothing": 0.0, "labels": (".", "N", "V"), "neg_prefix": "!", "overwrite": False},
    "senter": {"overwrite": False, "labels": ("I", "S")},
    "spancat": {**SPANS, "threshold": 0.5, "max_positive": None, "negative_weight": None},
    "spancat_singlelabel": {**SPANS, "threshold": None, "max_positive": 1, "negative_weight": 1.0},
    "span_finder": {"labels": (), "spans_key": "sc", "threshold": 0.5, "min_length": None, "max_length": 25},
    "sentencizer": {"labels": ()},
}


@pytest.mark.parametrize("factory", SETTINGS)
def test_scorers_get_the_settings_of_their_component(settings_told, factory):
    assert settings_told(factory) == SETTINGS[factory]


def test_scorers_get_the_settings_that_they_take(settings_told):
    assert settings_told("textcat_multilabel", "threshold = 0.9")["threshold"] == 0.9
    got = []
    registry.scorers("told.v1", func=lambda: lambda examples, threshold, *, other=3: got.append((threshold, other)) or {})
    settings_told("textcat_multilabel", "threshold = 0.25")
    registry.scorers("told.v1", func=lambda: lambda examples: got.append(len(examples)) or {})
    settings_told("textcat_multilabel")
    assert got == [(0.25, 3), 1]


@pytest.mark.parametrize("value", ["nlp", 5])
def test_a_callback_returns_the_pipeline_or_nothing(run, value):
    registry.callbacks("odd.v1", func=lambda: lambda nlp: value)
    block = '\n[nlp.after_creation]\n@callbacks = "odd.v1"\n'
    with pytest.raises(TypeError, match=re.escape(f"the callback odd.v1 returned {value!r}; a callback returns nlp")):
        run(training=block)


def test_another_pipeline_is_saved_and_nothing_else(run):
    registry.callbacks("other.v1", func=lambda: lambda nlp: weft.blank("en"))
    with pytest.raises(weft.ConfigError, match="nlp.* after_creation.*before_to_disk alone"):
        run(training='\n[nlp.after_creation]\n@callbacks = "other.v1"\n')


BATCHER = '\n[training.batcher]\n@batchers = "sized.v1"\n\n[training.batcher.size]\n'


@pytest.mark.parametrize("annotation", [Iterable[int], Iterator[int], Union[Iterable[int], int], Optional[Iterable[int]]])
def test_parameters_that_are_iterated_take_schedules(run, annotation):
    got = []

    def make(size):
        got.append(type(size))

        def batch(examples):
            sizes = iter(size)
            for example in examples:
                assert next(sizes) >= 1
                yield [example]

        return batch

    make.__annotations__["size"] = annotation
    registry.batchers("sized.v1", func=make)
    run(training=BATCHER + '@schedules = "compounding.v1"\nstart = 1\nstop = 2\ncompound = 1.5', steps=2)
    run(training=BATCHER.replace("\n[training.batcher.size]\n", "size = [1, 1]"), steps=1)
    assert set(got) == {weft.Schedule, list}
    with pytest.raises(weft.ConfigError, match="training.batcher.* size: expected"):
        run(training=BATCHER.replace("\n[training.batcher.size]\n", 'size = "many"'))


def test_a_sequence_is_no_schedule(run):
    @registry.batchers("sized.v1")
    def make(size: List[int]):
        return lambda examples: ([example] for example in examples)

    with pytest.raises(weft.ConfigError, match="size: expected list of integers.*compounding.v1 gives a schedule"):
        run(training=BATCHER + '@schedules = "compounding.v1"\nstart = 1\nstop = 2\ncompound = 1.5')


def test_objects_of_misc_pass_through(run):
    made, got = [{"a", "b"}, {"x": object()}, [len]], []
    def giving(value):
        return lambda: value

    for i, value in enumerate(made):
        registry.misc(f"made{i}.v1", func=giving(value))

    @registry.callbacks("take.v1")
    def take(names: Set[str], table: Dict[str, Any], functions: List[Callable]):
        got.extend([names, table, functions])
        return lambda nlp: nlp

    block = '\n[nlp.after_creation]\n@callbacks = "take.v1"\n'
    for i, name in enumerate(("names", "table", "functions")):
        block += f'\n[nlp.after_creation.{name}]\n@misc = "made{i}.v1"\n'
    run(training=block, steps=1)
    assert all(one is other for one, other in zip(got, made))
    with pytest.raises(weft.ConfigError, match="get_length: expected a value that a file can hold, found a result"):
        run(training='\n[training.batcher]\n@batchers = "spacy.batch_by_padded.v1"\nsize = 9\nbuffer = 9\n'
            'discard_oversize = false\n\n[training.batcher.get_length]\n@misc = "made2.v1"\n')


def test_functions_of_python_are_handed_to_others(run, corpus):
    made = {}

    def keep(kind):
        def function():
            return made.setdefault(kind, lambda *values: iter(values))

        return function

    for kind in ("augmenters", "scorers", "loggers", "batchers", "readers", "callbacks"):
        getattr(registry, kind)("kept.v1", func=keep(kind))
    got = {}

    @registry.callbacks("take.v1")
    def take_all(augmenters, scorers, loggers, batchers, readers, callbacks: Optional[Callable] = None):
        got.update(locals())
        return lambda nlp: nlp

    block = '\n[nlp.after_creation]\n@callbacks = "take.v1"\n'
    for kind in ("augmenters", "scorers", "loggers", "batchers", "readers", "callbacks"):
        block += f'\n[nlp.after_creation.{kind}]\n@{kind} = "kept.v1"\n'
    run(training=block, steps=1)
    assert all(got[kind] is made[kind] for kind in made) and len(made) == 6


@pytest.mark.parametrize("kind, name, noun", [
    ("augmenters", "spacy.lower_case.v1", "an augmenter"), ("scorers", "spacy.ner_scorer.v1", "a scorer"),
])
def test_functions_of_cpp_are_refused_with_their_place(run, kind, name, noun):
    registry.callbacks("take.v1", func=lambda value: lambda nlp: nlp)
    block = f'\n[nlp.after_creation]\n@callbacks = "take.v1"\n\n[nlp.after_creation.value]\n@{kind} = "{name}"\n'
    with pytest.raises(weft.ConfigError) as caught:
        run(training=block + ("level = 0.5" if kind == "augmenters" else ""))
    (problem,) = caught.value.problems
    assert f"gives {noun} of C++" in problem.message and f"@weft.registry.{kind}" in problem.message
    assert problem.path == "nlp.after_creation.value" and problem.line


@pytest.mark.parametrize("owner, name", [
    (weft.Language, "component"), (weft.Language, "factory"), (weft.Doc, "set_extension"),
    (weft.blank("en"), "add_pipe"), (weft.blank("en"), "select_pipes"), (weft.blank("en"), "pipeline"),
    (weft.blank("en"), "tokenizer"), (weft.blank("en"), "Defaults"),
    (weft.blank("en")("a"), "_"), (weft.blank("en")("a"), "user_data"),
])
def test_names_that_are_not_there_say_the_way_out(owner, name):
    assert not hasattr(owner, name)
    with pytest.raises(AttributeError, match=f"{name}: .*(nlp|weft|docs)"):
        getattr(owner, name)
    if not isinstance(owner, type):
        with pytest.raises(AttributeError, match=f"{name}: "):
            setattr(owner, name, 1)


STREAM = """
import itertools
import weft

@weft.registry.readers("test_corpus.v1")
def make(endless: bool = False):
    def read(nlp):
        for i in itertools.count() if endless else range(3):
            label = "LATE" if i >= 200 else "EARLY"
            yield weft.Example.from_dict(nlp.make_doc("Ada was here."), {"entities": [(0, 3, label)]})
    return read
"""


@pytest.mark.parametrize("words", [("train", "run.cfg"), ("init", "labels", "run.cfg", "out")])
def test_a_stream_without_an_end_gives_its_first_labels(tmp_path, words):
    (tmp_path / "reader.py").write_text(STREAM, encoding="utf-8")
    config = CONFIG.format(reader="endless = true", component="", training="max_epochs = -1", steps=2)
    (tmp_path / "run.cfg").write_text(config, encoding="utf-8")
    done = command(tmp_path, *words, "--code", "reader.py")
    assert done.returncode == 0 and "first 100 examples of corpora.train" in done.stderr, done.stderr
    labels = '\n[initialize.components.ner]\nlabels = ["EARLY", "LATE"]\n'
    (tmp_path / "run.cfg").write_text(config + "\n[initialize]\n\n[initialize.components]\n" + labels, encoding="utf-8")
    done = command(tmp_path, *words, "--code", "reader.py")
    assert done.returncode == 0 and "first 100" not in done.stderr, done.stderr


@pytest.mark.parametrize("endless", ["false", "true"])
def test_data_of_a_reader_are_checked(tmp_path, endless):
    (tmp_path / "reader.py").write_text(STREAM, encoding="utf-8")
    config = CONFIG.format(reader=f"endless = {endless}", component="", training="max_epochs = -1", steps=2)
    (tmp_path / "run.cfg").write_text(config, encoding="utf-8")
    done = command(tmp_path, "debug", "data", "run.cfg", "--code", "reader.py")
    assert done.returncode == 0, done.stderr
    assert "the same text as document 1 of [corpora.train]" in done.stdout
    if endless == "false":
        assert 'train 3 documents, 12 tokens, 4 different words, 3 entities: "EARLY" 3' in done.stdout
    else:
        assert 'train 100000 documents' in done.stdout and '"EARLY" 200 "LATE" 99800' in done.stdout
        assert "nobody knows whether the reader's examples end" in done.stdout


SPACYS = """
import types, sys
spacy = types.ModuleType("spacy")  # what weft needs of it
class Functions(dict):
    def __call__(self, name):
        return lambda function: self.setdefault(name, function)
    def get_all(self):
        return dict(self)
spacy.registry = types.SimpleNamespace(callbacks=Functions())
sys.modules["spacy"] = spacy

@spacy.registry.callbacks("mine.v1")
def make():
    return lambda nlp: nlp
"""


def test_functions_in_spacys_registry_are_found_out(tmp_path):
    (tmp_path / "code.py").write_text(SPACYS, encoding="utf-8")
    callback = '\n[nlp.after_creation]\n@callbacks = "{}.v1"\n'
    (tmp_path / "run.cfg").write_text('[nlp]\nlang = "en"\n' + callback.format("mine"), encoding="utf-8")
    done = command(tmp_path, "debug", "config", "run.cfg", "--code", "code.py")
    assert "mine.v1 is registered with spacy.registry" in done.stderr and "plugin" not in done.stderr, done.stderr
    program = "import weft, code_of_spacy; weft.from_config('run.cfg')"
    (tmp_path / "code_of_spacy.py").write_text(SPACYS, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "end the file with weft.spacy_registry()" in done.stderr, done.stderr
    (tmp_path / "code.py").write_text(SPACYS + "import weft\nweft.spacy_registry()\n", encoding="utf-8")
    assert command(tmp_path, "debug", "config", "run.cfg", "--code", "code.py").returncode == 0
    (tmp_path / "run.cfg").write_text('[nlp]\nlang = "en"\n' + callback.format("others"), encoding="utf-8")
    done = command(tmp_path, "debug", "config", "run.cfg", "--code", "code.py")
    assert "spacy.registry" not in done.stderr and "a plugin's functions need it loaded" in done.stderr


def test_a_mistake_in_a_file_names_the_file(tmp_path):
    (tmp_path / "code.py").write_text("1 / 0\n", encoding="utf-8")
    (tmp_path / "run.cfg").write_text('[nlp]\nlang = "en"\n', encoding="utf-8")
    done = command(tmp_path, "debug", "config", "run.cfg", "--code", "code.py")
    assert "the file code.py failed: ZeroDivisionError" in done.stderr and "registered from Python" not in done.stderr
    if sys.version_info >= (3, 11):
        assert "in the file code.py, which --code names" in done.stderr


def test_an_ended_schedule_says_how_it_goes_on(run):
    @registry.schedules("short.v1")
    def make():
        yield from (8.0, 8.0)

    batcher = '\n[training.batcher]\n@batchers = "spacy.batch_by_sequence.v1"\n\n[training.batcher.size]\n'
    with pytest.raises(ValueError, match="yield its last number for ever"):
        run(training=f'{batcher}@schedules = "short.v1"')
