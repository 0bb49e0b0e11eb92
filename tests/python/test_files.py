"""Functions over files."""

import weft
from conftest import TINY


def test_convert(tmp_path):
    record = '{"text": "Ada met Bob.", "ents": [{"start": 0, "end": 3, "label": "P"}]}'
    (tmp_path / "in.jsonl").write_text(record, encoding="utf-8")
    counts = weft.convert(tmp_path / "in.jsonl", tmp_path / "out.spacy", lang="en")
    assert counts == {"documents": 1, "tokens": 4, "entities": 1, "misaligned": 0}
    (doc,) = weft.docs_from_bytes((tmp_path / "out.spacy").read_bytes(), weft.Vocab("en"))
    assert [ent.text for ent in doc.ents] == ["Ada"]


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
