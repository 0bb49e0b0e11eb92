"""Functions registered from Python: checked by the config system, called by runs."""

import functools
import json
import random
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import weft
from conftest import CONFIG, SENTENCES, command

registry = weft.registry


def test_a_reader(run, corpus):
    result = run(reader='times = 3\nmarks = ["a"]')
    assert (["ner"], 3, ["a"]) in corpus and (["ner"], 2, []) in corpus
    assert result.steps == 11 and 0 <= result.best_score <= 1


def test_values_are_checked_with_their_place(run):
    with pytest.raises(weft.ConfigError) as caught:
        run(reader='times = "many"\ntmes = 3')
    found = {problem.path: problem for problem in caught.value.problems}
    assert set(found) == {"corpora.train.times", "corpora.train.tmes"}
    assert found["corpora.train.times"].line == 16 and "integer" in str(found["corpora.train.times"])
    assert found["corpora.train.tmes"].suggestion == "times"


def scores_with(factor: "float" = 1.0, file: Path = Path("none")):
    assert isinstance(file, Path)
    return lambda examples: {"ents_f": factor / 2, "ents_p": True, "ents_r": float("nan")}


class Scores:
    def __init__(self, factor: float = 1.0, file: Path = Path("none")):
        assert isinstance(file, Path)
        self.factor = factor

    def __call__(self, examples):
        return scores_with(self.factor)(examples)


class MakesScores:
    def __call__(self, factor: float = 1.0, file: Path = Path("none")):
        return scores_with(factor, file)


@pytest.mark.parametrize("made", [Scores, functools.partial(scores_with), MakesScores(), scores_with])
def test_all_that_can_be_called_has_its_annotations(run, tmp_path, made):
    registry.scorers("test_scores.v1", func=made)
    block = '\n[components.ner.scorer]\n@scorers = "test_scores.v1"\nfile = "a/b"\n'
    with pytest.raises(weft.ConfigError, match="factor: expected number"):
        run(component=block + 'factor = "x"')
    run(component=block + "factor = 0.5", output=tmp_path / "out")
    meta = json.loads((tmp_path / "out/model-last/meta.json").read_text(encoding="utf-8"))
    assert "test_functions.py sha256:" in json.dumps(meta["plugins"])


def test_scores_that_are_no_numbers_count_nothing(run, tmp_path, caplog):
    registry.scorers("test_scores.v1", func=scores_with)
    component = '\n[components.ner.scorer]\n@scorers = "test_scores.v1"'
    weights = "\n[training.score_weights]\nents_f = 0.5\nents_p = 0.25\nents_r = 0.25"
    result = run(component=component, training=weights, output=tmp_path / "out")
    assert result.best_score == 0.5 and (tmp_path / "out/model-best").is_dir()
    assert "ents_r is nan in step 0, which counts nothing" in caplog.text


def test_a_logger(run):
    told = []

    @registry.loggers("test_logger.v1")
    def make(name: str):
        def setup(nlp, stdout, stderr):
            told.append((name, nlp.pipe_names, stdout is sys.stdout))

            def log_step(info):
                told.append(info)

            return log_step, lambda: told.append("end")

        return setup

    run(training='\n[training.logger]\n@loggers = "test_logger.v1"\nname = "mine"')
    assert told[0] == ("mine", ["ner"], True) and told[-1] == "end"
    infos = [info for info in told[1:-1] if info is not None]
    # One call for each step, as spaCy's loop makes them.
    assert [info and info["step"] for info in told[1:-1]] == [0, *[None] * 4, 5, *[None] * 4, 10]
    assert set(infos[0]["losses"]) == {"ner"} and infos[-1]["checkpoints"][-1][1] == 10
    assert "ents_f" in infos[0]["other_scores"] and infos[-1]["score"] == infos[-1]["other_scores"]["ents_f"]


def test_the_logger_of_the_guide(run, tmp_path):
    """Its setup takes nlp alone, and its log_step no None, as its annotation says."""
    from pathlib import Path
    from typing import Any, Callable, Dict, Tuple

    @registry.loggers("my_custom_logger.v1")
    def custom_logger(log_path):
        def setup_logger(nlp: "Language") -> Tuple[Callable, Callable]:  # noqa: F821
            with Path(log_path).open("w") as file_:
                file_.write("step\tscore\t" + "".join(f"loss_{pipe}\t" for pipe in nlp.pipe_names) + "\n")

            def log_step(info: Dict[str, Any]):
                with Path(log_path).open("a") as file_:
                    losses = "".join(f"{info['losses'][pipe]}\t" for pipe in nlp.pipe_names)
                    file_.write(f"{info['step']}\t{info['score']}\t{losses}\n")

            def finalize():
                pass

            return log_step, finalize

        return setup_logger

    log = tmp_path / "my_file.tab"
    run(training=f'\n[training.logger]\n@loggers = "my_custom_logger.v1"\nlog_path = "{log}"')
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "step\tscore\tloss_ner\t" and [line.split("\t")[0] for line in lines[1:]] == ["0", "5", "10"]


def test_what_was_lent_is_taken_back(run):
    kept = []

    @registry.loggers("test_logger.v1")
    def make():
        def setup(nlp):
            kept.append(nlp)
            with pytest.raises(weft.UsageError, match="being trained"):
                nlp.update([])
            assert nlp("Ada Lovelace was born in London.").text  # it can be used meanwhile
            return (lambda info: None), None

        return setup

    run(training='\n[training.logger]\n@loggers = "test_logger.v1"')
    for call in (lambda: kept[0].pipe_names, lambda: kept[0]("text"), lambda: kept[0].vocab):
        with pytest.raises(weft.UsageError, match="over"):
            call()


@pytest.mark.parametrize("form", ["generator", "function", "list", "number"])
def test_schedules(run, form):
    asked = []

    @registry.schedules("test_schedule.v1")
    def make(start: float = 0.01, factor: float = 0.5):
        def values():
            value = start
            while True:
                asked.append(value)
                yield value
                value *= factor

        def at(step):
            asked.append(step)
            return start * factor**step

        return {"generator": values(), "function": at, "list": [start, start * factor], "number": start}[form]

    schedule = '\n[training.optimizer]\n@optimizers = "Adam.v1"\n\n[training.optimizer.learn_rate]\n'
    rates = []

    @registry.loggers("rates.v1")
    def make_logger():
        return lambda nlp: ((lambda info: info and rates.append(info["learn_rate"])), None)

    run(training=f'{schedule}@schedules = "test_schedule.v1"\n\n[training.logger]\n@loggers = "rates.v1"')
    wanted = {"number": 0.01, "list": 0.005}.get(form, 0.01 * 0.5**10)
    assert rates[-1] == pytest.approx(wanted) and bool(asked) == (form in ("generator", "function"))


def test_a_generator_that_ends(run):
    @registry.schedules("short.v1")
    def make():
        yield from (8.0, 8.0)

    batcher = '\n[training.batcher]\n@batchers = "spacy.batch_by_sequence.v1"\n\n[training.batcher.size]\n'
    with pytest.raises(ValueError, match="ended after 2 numbers") as caught:
        run(training=f'{batcher}@schedules = "short.v1"')
    if sys.version_info >= (3, 11):
        assert "the schedule short.v1" in caught.value.__notes__[0]


def test_a_batcher_and_a_schedule_for_it(run):
    sizes = []

    @registry.batchers("filtering_batch.v1")
    def filter_batch(size):
        def create_filtered_batches(examples):
            batch, wanted = [], iter(size)
            most = next(wanted)
            for eg in examples:
                if eg.text not in [x.text for x in batch]:
                    batch.append(eg)
                if len(batch) >= most:
                    sizes.append(len(batch))
                    yield batch
                    batch, most = [], next(wanted)

        return create_filtered_batches

    text = '\n[training.batcher]\n@batchers = "filtering_batch.v1"\n\n[training.batcher.size]\n'
    result = run(training=text + '@schedules = "compounding.v1"\nstart = 1\nstop = 2\ncompound = 1.5', steps=4)
    assert result.steps == 5 and set(sizes) <= {1, 2} and 2 in sizes


def test_a_scorer(run):
    seen = []

    @registry.scorers("count.v1")
    def make(weight: float = 1.0):
        def score(examples, **_):
            seen.extend(example.text for example in examples)
            return {"ents_f": 0.25 * weight, "ents_per_type": {"PERSON": {"p": 1.0}}}

        return score

    result = run(component='\n[components.ner.scorer]\n@scorers = "count.v1"\nweight = 2')
    assert result.best_score == 0.5 and result.scores["ents_per_type"] == {"PERSON": {"p": 1.0}}
    assert seen[:4] == [text for text, _ in SENTENCES * 2]


def test_callbacks(run, tmp_path):
    told = []

    @registry.callbacks("tell.v1")
    def make(name: str):
        def call(nlp, info=None):
            told.append((name, nlp.component_names, info and info["step"]))
            return nlp

        return call

    blocks = "\n[training.before_to_disk]\n@callbacks = \"tell.v1\"\nname = \"save\"\n"
    blocks += "\n[training.before_update]\n@callbacks = \"tell.v1\"\nname = \"update\"\n"
    blocks += "\n[nlp.after_creation]\n@callbacks = \"tell.v1\"\nname = \"made\"\n"
    blocks += "\n[initialize]\n\n[initialize.before_init]\n@callbacks = \"tell.v1\"\nname = \"init\"\n"
    run(training=blocks, output=tmp_path / "out")
    assert told[0] == ("made", [], None) and ("init", ["ner"], None) in told and ("save", ["ner"], None) in told
    assert [step for name, _, step in told if name == "update"] == list(range(11))
    meta = json.loads((tmp_path / "out/model-last/meta.json").read_text(encoding="utf-8"))
    (plugin,) = [name for name in meta["plugins"] if name.startswith("test_functions.py sha256:")]
    assert "tell.v1" in meta["plugins"][plugin]
    for name in list(registry.callbacks):
        registry.callbacks.remove(name)
    with pytest.raises(weft.ConfigError, match="tell.v1.*test_functions.py"):
        weft.load(tmp_path / "out/model-last")


def test_an_augmenter(tmp_path, run, corpus):
    seen = []

    @registry.augmenters("twice.v1")
    def make(suffix: str):
        def augment(nlp, example):
            yield example
            text = example.text + suffix
            seen.append(text)
            yield weft.Example.from_dict(nlp.make_doc(text), {"entities": [(0, text.index(" "), "PERSON")]})

        return augment

    nlp = weft.blank("en")
    examples = [weft.Example.from_dict(nlp.make_doc(text), {"entities": ents}).reference for text, ents in SENTENCES]
    (tmp_path / "train.spacy").write_bytes(weft.docs_to_bytes(examples))
    config = CONFIG.replace('@readers = "test_corpus.v1"\n{reader}', f"""@readers = "spacy.Corpus.v1"
path = "{tmp_path}/train.spacy"

[corpora.train.augmenter]
@augmenters = "twice.v1"
suffix = " Indeed."
{{reader}}""")
    (tmp_path / "aug.cfg").write_text(config.format(training="", reader="", component="", steps=3), encoding="utf-8")
    weft.train(tmp_path / "aug.cfg")
    assert SENTENCES[0][0] + " Indeed." in seen


def test_misc_and_types(run):
    from pathlib import Path
    from typing import Dict, List, Literal, Optional, Tuple

    got = []

    @registry.misc("table.v1")
    def make_table(rows: Dict[str, int]):
        return {"rows": rows, "object": object()}

    @registry.callbacks("take.v1")
    def take(path: Path, pair: Tuple[int, str], mode: Literal["a", "b"], many: List[float], table, maybe: Optional[int] = None):
        got.append((path, pair, mode, many, table["rows"], maybe))
        return lambda nlp: None

    block = '\n[nlp.after_creation]\n@callbacks = "take.v1"\npath = "x/y"\npair = [1, "z"]\nmany = [1, 2.5]\n'
    table = '\n[nlp.after_creation.table]\n@misc = "table.v1"\n\n[nlp.after_creation.table.rows]\none = 1\n'
    run(training=block + 'mode = "b"\n' + table, steps=1)
    assert got[0] == (Path("x/y"), (1, "z"), "b", [1.0, 2.5], {"one": 1}, None)
    with pytest.raises(weft.ConfigError, match="nlp.after_creation.*mode"):
        run(training=block + 'mode = "c"\n' + table, steps=1)


def test_exceptions_keep_their_type(run, tmp_path):
    class OwnError(Exception):
        pass

    @registry.loggers("broken.v1")
    def make():
        def log_step(info):
            if info and info["step"] == 5:
                raise OwnError("no disk for my log")

        return lambda nlp: (log_step, None)

    with pytest.raises(OwnError, match="no disk") as caught:
        run(training='\n[training.logger]\n@loggers = "broken.v1"', output=tmp_path / "out")
    if sys.version_info >= (3, 11):
        assert caught.value.__notes__ == ["in the logger broken.v1, which is registered from Python"]
    assert (tmp_path / "out/model-last").is_dir()  # what there was is saved, as for any error


def test_products_of_another_kind(run):
    @registry.loggers("three.v1")
    def make():
        return 3

    with pytest.raises(TypeError, match="the logger three.v1 made 3, not a function"):
        run(training='\n[training.logger]\n@loggers = "three.v1"')

    @registry.readers("test_corpus.v1")
    def texts(times: int = 1):
        return lambda nlp: ["no example"]

    with pytest.raises(TypeError, match="not a weft.Example"):
        run()


def test_what_cannot_be_registered():
    with pytest.raises(weft.UsageError, match="weft's own"):
        registry.loggers("spacy.ConsoleLogger.v3")
    with pytest.raises(weft.UsageError, match="architectures|network.*C\\+\\+|C\\+\\+"):
        registry.architectures("mine.v1")
    with pytest.raises(AttributeError, match="no kind 'logers'"):
        registry.logers
    with pytest.raises(weft.UsageError, match="name comes first"):
        registry.misc(lambda: 1)
    with pytest.raises(weft.UsageError, match="default of x"):
        registry.misc("odd.v1", func=lambda x=object(): x)
    registry.misc("known.v1", func=lambda: 1)
    assert registry.has("misc", "known.v1") and registry.get("misc", "known.v1")() == 1


def test_random_numbers_follow_the_seed(run, corpus):
    drawn = []

    @registry.readers("test_corpus.v1")
    def make(times: int = 2, marks: list = []):
        def read(nlp):
            drawn.append(random.random())
            for text, ents in SENTENCES:
                yield weft.Example.from_dict(nlp.make_doc(text), {"entities": ents})

        return read

    run(steps=1)
    first = list(drawn)
    drawn.clear()
    random.seed(99)
    run(steps=1)
    assert drawn == first


FUNCTIONS = """
import weft

@weft.registry.schedules("halving.v1")
def halving(start: float = 0.1):
    while True:
        yield start
        start /= 2

@weft.registry.loggers("plain.v1")
def plain():
    def setup(nlp):
        print("training", *nlp.pipe_names)
        return (lambda info: print("step", info["step"]) if info else None), (lambda: print("end"))
    return setup
"""


@pytest.fixture()
def files(tmp_path):
    (tmp_path / "functions.py").write_text(FUNCTIONS, encoding="utf-8")
    (tmp_path / "train.conll").write_text("Ada B-P\nmet O\nBob B-P\n. O\n\n" * 4, encoding="utf-8")
    reader = '@readers = "weft.ConllCorpus.v1"\npath = "train.conll"'
    config = CONFIG.replace('@readers = "test_corpus.v1"', reader)
    logger = '\n[training.logger]\n@loggers = "plain.v1"'
    rate = '\n[training.optimizer]\n@optimizers = "Adam.v1"\n\n[training.optimizer.learn_rate]\n@schedules = "halving.v1"\n'
    text = config.format(training=logger + rate, reader="", component="", steps=5)
    (tmp_path / "train.cfg").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_command_with_code(files):
    done = command(files, "train", "train.cfg", "--code", "functions.py", "--output", "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["training ner", "step 0", "step 5", "end"]
    assert weft.load(files / "out/model-best").pipe_names == ["ner"]
    done = command(files, "debug", "config", "train.cfg", "--code", "functions.py")
    assert done.returncode == 0, done.stderr
    done = command(files, "registry", "schedules", "halving.v1", "--code", "functions.py")
    assert done.returncode == 0 and "start" in done.stdout and "0.1" in done.stdout
    done = command(files, "debug", "config", "train.cfg")
    assert done.returncode == 2 and "halving.v1" in done.stderr
    done = command(files, "--version")
    assert done.stdout == f"weft {weft.__version__}\n"


def test_mistakes_in_code_of_the_command(files):
    text = (files / "train.cfg").read_text(encoding="utf-8") + 'start = "fast"\n'
    (files / "wrong.cfg").write_text(text, encoding="utf-8")
    done = command(files, "debug", "config", "wrong.cfg", "--code", "functions.py")
    assert done.returncode == 2 and f"wrong.cfg:{len(text.splitlines())}:9" in done.stderr, done.stderr
    (files / "functions.py").write_text("import weft\n\n1 / 0\n", encoding="utf-8")
    done = command(files, "debug", "config", "train.cfg", "--code", "functions.py")
    assert done.returncode == 2 and "ZeroDivisionError" in done.stderr and 'functions.py", line 3' in done.stderr
    done = command(files, "debug", "config", "train.cfg", "--code", "missing.py")
    assert done.returncode == 2 and done.stderr == "weft: there is no file 'missing.py'\n"


def test_code_of_calls(files):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent("""
            import weft
            result = weft.train("train.cfg", code="functions.py")
            assert result.steps == 6, result.steps
        """)], cwd=files, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with pytest.raises(weft.NotFound):
        weft.train(files / "train.cfg", code=["missing.py"])


def test_an_exception_whose_text_is_no_unicode_keeps_its_type(run):
    @registry.loggers("broken.v1")
    def make():
        def log_step(info):
            raise ZeroDivisionError("half: \ud800")

        return lambda nlp, stdout, stderr: (log_step, None)

    with pytest.raises(ZeroDivisionError):
        run(training='[training.logger]\n@loggers = "broken.v1"')


def test_a_logger_may_have_parameters_that_no_config_holds(corpus, tmp_path):
    told = []

    @registry.loggers("test_open.v1")
    def make():
        def log_step(info, out=sys.stdout, *, mark=object()):
            told.append(info)

        return lambda nlp, stdout, stderr: (log_step, None)

    config = tmp_path / "config.cfg"
    text = CONFIG.format(component="", reader="", steps=5, training='[training.logger]\n@loggers = "test_open.v1"')
    config.write_text(text, encoding="utf-8")
    weft.train(config, None)
    assert told[0]["step"] == 0 and told[1] is None and told[-1]["step"] == 5


def test_a_function_may_come_back_to_its_pipeline(tmp_path):
    nlp = None

    @registry.scorers("test_asking.v1")
    def make(changes: bool = False):
        def score(examples):
            found = len(nlp("Ada Lovelace was here.").ents)
            if changes:
                nlp.update(list(examples))
            return {"found": float(found)}

        return score

    for changes in ("false", "true"):
        config = tmp_path / "config.cfg"
        scorer = f'[components.ner.scorer]\n@scorers = "test_asking.v1"\nchanges = {changes}'
        config.write_text(f'[nlp]\nlang = "en"\npipeline = ["ner"]\n[components]\n[components.ner]\n'
                          f'factory = "ner"\n{scorer}\n', encoding="utf-8")
        nlp = weft.from_config(config)
        examples = [weft.Example.from_dict(nlp.make_doc(t), {"entities": e}) for t, e in SENTENCES]
        nlp.initialize(examples)
        if changes == "false":
            assert "found" in nlp.evaluate(examples)
        else:
            with pytest.raises(weft.UsageError, match="it can be used, not changed"):
                nlp.evaluate(examples)


def test_types_within_lists_and_of_pydantic(tmp_path):
    from pathlib import Path
    from typing import Dict, List, Tuple, Union

    from pydantic.v1 import PositiveInt, StrictBool, StrictInt

    got = {}

    @registry.misc("test_types.v1")
    def make(files: List[Path], named: Dict[str, Path], either: Union[Path, int], pair: Tuple[int, Path],
             count: StrictInt, positive: PositiveInt, flag: StrictBool = True):
        got.update(locals())
        return None

    def problems(count, flag="true"):
        config = tmp_path / "config.cfg"
        config.write_text(f"""
            [nlp]
            lang = "en"
            [initialize]
            [initialize.before_init]
            @callbacks = "test_holder.v1"
            [initialize.before_init.value]
            @misc = "test_types.v1"
            files = ["a", "b"]
            named = {{"x": "c"}}
            either = "d"
            pair = [1, "e"]
            count = {count}
            positive = 3
            flag = {flag}
            """.replace("            ", ""), encoding="utf-8")
        try:
            weft.from_config(config).initialize()
        except weft.ConfigError as error:
            return str(error)
        return ""

    @registry.callbacks("test_holder.v1")
    def holder(value: object = None):
        return lambda nlp: nlp

    assert problems(2) == ""
    assert got["files"] == [Path("a"), Path("b")] and got["named"] == {"x": Path("c")}
    assert got["either"] == Path("d") and got["pair"] == (1, Path("e"))
    assert "count" in problems('"abc"') and "count" in problems("2.0") and "flag" in problems(2, "1")


def test_variadic_parameters_take_values_of_any_kind(tmp_path):
    from pathlib import Path

    got = []

    @registry.callbacks("test_many.v1")
    def many(*values):
        got.append(values)
        return lambda nlp: nlp

    @registry.callbacks("test_paths.v1")
    def paths(*values: Path):
        got.append(values)
        return lambda nlp: nlp

    def run(name, value):
        config = tmp_path / "config.cfg"
        config.write_text(f'[nlp]\nlang = "en"\n[initialize]\n[initialize.before_init]\n'
                          f'@callbacks = "{name}"\n* = {value}\n', encoding="utf-8")
        weft.from_config(config).initialize()
        return got[-1]

    assert run("test_many.v1", '[1, "b", [2]]') == (1, "b", [2]) and run("test_many.v1", "[]") == ()
    assert run("test_paths.v1", '["a", "b"]') == (Path("a"), Path("b")) and run("test_paths.v1", "[]") == ()
    with pytest.raises(weft.ConfigError, match="expected"):
        run("test_paths.v1", "[1]")
