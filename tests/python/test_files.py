"""Functions over files."""

import shutil

import pytest

import weft
from conftest import TINY


def test_convert(tmp_path):
    record = '{"text": "Ada met Bob.", "ents": [{"start": 0, "end": 3, "label": "P"}]}'
    (tmp_path / "in.jsonl").write_text(record, encoding="utf-8")
    counts = weft.convert(tmp_path / "in.jsonl", tmp_path / "out.spacy", lang="en")
    zeros = {"misaligned": 0, "rejected": 0, "ignored": 0}
    assert counts == {"documents": 1, "tokens": 4, "entities": 1, "lost": [], **zeros}
    (doc,) = weft.docs_from_bytes((tmp_path / "out.spacy").read_bytes(), weft.Vocab("en"))
    assert [ent.text for ent in doc.ents] == ["Ada"]


def test_convert_to_lines_of_tokens_keeps_documents_and_tells_what_is_lost(tmp_path):
    vocab = weft.Vocab("en")
    docs = []
    for _ in range(2):
        doc = weft.Doc(vocab, words=["Ada", "came", "He", "left"])
        annotation = {"sent_starts": [True, False, True, False], "cats": {"travel": 1.0}}
        docs.append(weft.Example.from_dict(doc, annotation).reference)
    (tmp_path / "in.spacy").write_bytes(weft.docs_to_bytes(docs))
    counts = weft.convert(tmp_path / "in.spacy", tmp_path / "out.conll")
    assert counts["documents"] == 2 and counts["lost"] == ["categories"]
    again = weft.convert(tmp_path / "out.conll", tmp_path / "again.spacy", n_sents=10)
    assert again["documents"] == 2 and again["lost"] == []
    read = weft.docs_from_bytes((tmp_path / "again.spacy").read_bytes(), vocab)
    assert [len(list(doc.sents)) for doc in read] == [2, 2]
    assert [token.tag_ for token in read[0]] == ["-"] * 4


def test_info():
    assert weft.info()["weft"] == weft.__version__ and weft.info()["devices"]
    assert weft.info(TINY)["lang"] == "en"


def test_assemble(tmp_path, trained):
    trained.to_disk(tmp_path / "model")
    config = tmp_path / "assemble.cfg"
    nlp_block = '[nlp]\nlang = "en"\npipeline = ["ner"]\n'
    config.write_text(f'{nlp_block}\n[components]\n\n[components.ner]\nsource = "{tmp_path}/model"\n', "utf-8")
    nlp = weft.assemble(config, tmp_path / "both")
    text = "Ada Lovelace was born in London."
    for assembled in (nlp, weft.load(tmp_path / "both")):
        assert [ent.label_ for ent in assembled(text).ents] == ["PERSON", "GPE"]


def test_assemble_names_the_line_of_a_component_without_weights(tmp_path):
    config = tmp_path / "assemble.cfg"
    config.write_text('[nlp]\nlang = "en"\npipeline = ["ner"]\n[components]\n[components.ner]\nfactory = "ner"\n', "utf-8")
    with pytest.raises(weft.ConfigError, match=r"assemble.cfg:5.*nothing to predict with"):
        weft.assemble(config)


def test_a_package_by_its_name(tmp_path, monkeypatch):
    package = tmp_path / "site" / "en_tiny_of_weft"
    version = weft.info(TINY).get("version", "0.0.0")
    shutil.copytree(TINY, package / f"en_tiny_of_weft-{version}")
    shutil.copy(TINY / "meta.json", package / "meta.json")
    (package / "__init__.py").write_text("raise RuntimeError('packages are not run')", "utf-8")
    monkeypatch.syspath_prepend(tmp_path / "site")
    nlp = weft.load("en_tiny_of_weft")
    assert nlp.lang == "en" and nlp.path.name.startswith("en_tiny_of_weft-")
    with pytest.raises(weft.NotFound, match="no installed package"):
        weft.load("en_nothing_of_weft")
    with pytest.raises(weft.NotFound, match="there is no folder 'a/b'"):
        weft.load("a/b")


def test_files_in_the_way_of_a_pipeline_are_kept(tmp_path, nlp):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "x.txt").write_text("mine", "utf-8")
    for path in (tmp_path / "notes", tmp_path / "notes" / "x.txt", "/dev/null"):
        with pytest.raises(weft.Error):
            nlp.to_disk(path)
    assert (tmp_path / "notes" / "x.txt").read_text("utf-8") == "mine"
    with pytest.raises((TypeError, RuntimeError)):
        weft._weft._annotate(nlp, [None], 1)
