"""The stub says what the module has, and a program that uses the package passes mypy."""

import pathlib
import pydoc
import subprocess
import sys

import pytest

import weft

PACKAGE = pathlib.Path(weft.__file__).parent
PROGRAM = """
import weft

nlp: weft.Language = weft.load("model", exclude=["parser"])
doc: weft.Doc = nlp("text")
labels: list[str] = [ent.label_ for ent in doc.ents if ent.start_char > 0]
token: weft.Token = doc[0]
span: weft.Span = doc[0:1]
losses: dict[str, float] = nlp.update([weft.Example.from_dict(doc, {"entities": []})], drop=0.1)
score: float | None = weft.train("a.cfg", overrides={"training.max_steps": 1}).best_score
nlp("text").no_such_name
"""


def test_modules_of_spacys_names_need_no_import_of_their_own():
    program = "import weft; weft.util.minibatch; weft.tokens.Doc; weft.training.Example; hasattr(weft, 'utils') and 1/0"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.10", "--cache-dir", "cache"]
    done = subprocess.run([*words, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "has no attribute" in done.stdout and "Found 1 error" in done.stdout, done.stdout + done.stderr


def test_the_stub_is_that_of_the_module(tmp_path):
    pytest.importorskip("nanobind")
    stub = tmp_path / "_weft.pyi"
    # Names that raise, with a way out, are none that type checkers should know.
    patterns = pathlib.Path(__file__).with_name("stub_patterns.nb")
    words = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "weft._weft", "-P", "-p", patterns, "-o", str(stub)]
    subprocess.run(words, check=True)
    assert stub.read_text(encoding="utf-8") == (PACKAGE / "_weft.pyi").read_text(encoding="utf-8")


def test_help():
    text = pydoc.render_doc(weft)
    assert "weft.load" in text and "lazily" in text
    assert all(hasattr(weft, name) for name in weft.__all__)
