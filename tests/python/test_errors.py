"""Exceptions: classes, places, suggestions, all problems at once."""

import pytest

import weft

CONFIG = """[nlp]
lang = "en"
pipeline = ["ner"]

[components]

[components.ner]
factory = "ner"

[training]
dropuot = 0.1
max_steps = "many"
"""


def test_a_config_with_two_mistakes(tmp_path):
    file = tmp_path / "wrong.cfg"
    file.write_text(CONFIG, encoding="utf-8")
    with pytest.raises(weft.ConfigError) as caught:
        weft.from_config(file)
    error = caught.value
    assert isinstance(error, (weft.Error, ValueError)) and error.kind == "config"
    found = {problem.path: problem for problem in error.problems}
    assert set(found) == {"training.dropuot", "training.max_steps"}
    dropout = found["training.dropuot"]
    assert (dropout.file, dropout.line, dropout.column, dropout.suggestion) == (str(file), 11, 1, "dropout")
    assert f"{file}:11:1" in str(dropout) and all(str(problem) in str(error) for problem in error.problems)
    assert (error.file, error.line) == (error.problems[0].file, error.problems[0].line)


def test_missing_files(tmp_path):
    missing = tmp_path / "missing"
    calls = [weft.load, weft.from_config, weft.train, weft.assemble, weft.info]
    for call in (*calls, lambda path: weft.convert(path, "x.spacy")):
        with pytest.raises(FileNotFoundError, match="missing") as caught:
            call(missing)
        assert isinstance(caught.value, weft.NotFound)


def test_damaged_and_untrained_pipelines(tmp_path, trained):
    with pytest.raises(weft.UsageError):
        weft.blank("en", ["ner"])("text")
    with pytest.raises(weft.ConfigError, match="factory|factories|no_such"):
        weft.blank("en", ["no_such"])
    trained.to_disk(tmp_path / "model")
    (tmp_path / "model/ner/model").write_bytes(b"damaged")
    with pytest.raises(weft.DataError, match="model"):
        weft.load(tmp_path / "model")


def test_a_link_to_itself(tmp_path, trained):
    damaged = tmp_path / "damaged"
    trained.to_disk(damaged)
    (damaged / "tokenizer").unlink()
    (damaged / "tokenizer").symlink_to("tokenizer")
    with pytest.raises(weft.errors.SystemFailure) as caught:
        weft.load(damaged)
    assert caught.value.file == str(damaged / "tokenizer")


def test_overrides_that_hold_themselves(tmp_path):
    file = tmp_path / "a.cfg"
    file.write_text("[nlp]\nlang = \"en\"\npipeline = []\n", encoding="utf-8")
    holds_itself = {}
    holds_itself["a"] = holds_itself
    deep = []
    for _ in range(100000):
        deep = [deep]
    for value in (holds_itself, deep):
        with pytest.raises(RecursionError):
            weft.from_config(file, {"nlp.lang": value})


def test_messages_hold_no_control_characters(tmp_path):
    file = tmp_path / "a.cfg"
    file.write_text('[nlp]\nlang = "en"\npipeline = []\n', encoding="utf-8")
    with pytest.raises(weft.ConfigError) as caught:
        weft.from_config(file, {"nlp.\x1b[31m\u202e": 1})
    with pytest.raises(weft.NotFound) as not_found:
        weft.load("a\x1b[31m\x07b")
    for error in (caught.value, not_found.value, caught.value.problems[0]):
        assert "1b[31m" in str(error).lower().replace("}", "")
        assert all(character.isprintable() or character == "\n" for character in str(error))
