"""The snippets of Python that spaCy's guide to training shows, with the import changed and nothing else."""

import random
import subprocess
import sys
import textwrap

import numpy
import pytest

import weft


@pytest.fixture()
def page(tmp_path):
    """Runs a snippet in a process of its own, in a folder of its own."""

    def run(code, *words):
        (tmp_path / "functions.py").write_text(textwrap.dedent(code), encoding="utf-8")
        command = [sys.executable, *words] if words else [sys.executable, "functions.py"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)

    run.folder = tmp_path
    return run


def test_annotation_by_an_array():
    from weft.tokens import Doc
    from weft.training import Example
    from weft.vocab import Vocab

    vocab = Vocab()
    words = ["I", "like", "stuff"]
    predicted = Doc(vocab, words=words)
    # create the reference Doc with gold-standard TAG annotations
    tags = ["NOUN", "VERB", "NOUN"]
    tag_ids = [vocab.strings.add(tag) for tag in tags]
    reference = Doc(vocab, words=words).from_array("TAG", numpy.array(tag_ids, dtype="uint64"))
    example = Example(predicted, reference)
    assert [token.tag_ for token in example.reference] == tags
    assert [token.tag_ for token in example.predicted] == ["", "", ""]


def test_annotation_by_a_dict():
    from weft.tokens import Doc
    from weft.training import Example

    nlp = weft.blank("en")
    words = ["I", "like", "stuff"]
    tags = ["NOUN", "VERB", "NOUN"]
    predicted = Doc(nlp.vocab, words=words)
    example = Example.from_dict(predicted, {"tags": tags})
    assert [token.tag_ for token in example.reference] == tags

    with pytest.raises(TypeError):  # a leftover of spaCy 2 on the page; see docs/coming-from-spacy.md
        weft.Vocab(tag_map={"N": {"pos": "NOUN"}, "V": {"pos": "VERB"}})

    doc = Doc(nlp.vocab, words=["Facebook", "released", "React", "in", "2014"])
    example = Example.from_dict(doc, {"entities": ["U-ORG", "O", "U-TECHNOLOGY", "O", "U-DATE"]})
    found = [(ent.text, ent.label_) for ent in example.reference.ents]
    assert found == [("Facebook", "ORG"), ("React", "TECHNOLOGY"), ("2014", "DATE")]


def test_the_example_training_loop(tmp_path):
    from weft.training import Example

    nlp = weft.blank("en", ["ner"])
    train_data = [
        ("Facebook released React in 2014", [(0, 8, "ORG"), (18, 23, "TECHNOLOGY"), (27, 31, "DATE")]),
        ("Google released Angular in 2010", [(0, 6, "ORG"), (16, 23, "TECHNOLOGY"), (27, 31, "DATE")]),
    ]
    for label in ("ORG", "TECHNOLOGY", "DATE"):
        nlp.get_pipe("ner").add_label(label)
    ### Example training loop
    optimizer = nlp.initialize()
    for itn in range(100):
        random.shuffle(train_data)
        for raw_text, entity_offsets in train_data:
            doc = nlp.make_doc(raw_text)
            example = Example.from_dict(doc, {"entities": entity_offsets})
            nlp.update([example], sgd=optimizer)
    nlp.to_disk(tmp_path / "output")
    again = weft.load(tmp_path / "output")
    for text, entities in train_data:
        assert [(ent.start_char, ent.end_char, ent.label_) for ent in again(text).ents] == entities


def test_the_update_of_the_migration_guide():
    from weft.training import Example

    nlp = weft.blank("en", ["ner"])
    for label in ("ORG", "TECHNOLOGY", "DATE"):
        nlp.get_pipe("ner").add_label(label)
    nlp.initialize()
    text = "Facebook released React in 2014"
    annotations = {"entities": ["U-ORG", "O", "U-TECHNOLOGY", "O", "U-DATE"]}
    example = Example.from_dict(nlp.make_doc(text), annotations)
    losses = nlp.update([example])
    assert losses["ner"] > 0
    with pytest.raises(TypeError):
        nlp.update([text], [annotations])


FUNCTIONS = '''
from typing import Any, Callable, Dict, Iterable, Iterator, List, Tuple
import random
from pathlib import Path
import weft
from weft.training import Example
from weft.language import Language


def read_custom_data(source):
    for line in Path(source).read_text().splitlines():
        label, text = line.split(",", 1)
        yield text, {"MUSIC": label == "MUSIC", "TRAVEL": label == "TRAVEL"}


@weft.registry.loggers("my_custom_logger.v1")
def custom_logger(log_path):
    def setup_logger(nlp: "Language") -> Tuple[Callable, Callable]:
        with Path(log_path).open("w") as file_:
            file_.write("step\\t")
            file_.write("score\\t")
            for pipe in nlp.pipe_names:
                file_.write(f"loss_{pipe}\\t")
            file_.write("\\n")

        def log_step(info: Dict[str, Any]):
            with Path(log_path).open("a") as file_:
                file_.write(f"{info['step']}\\t")
                file_.write(f"{info['score']}\\t")
                for pipe in nlp.pipe_names:
                    file_.write(f"{info['losses'][pipe]}\\t")
                file_.write("\\n")

        def finalize():
            pass

        return log_step, finalize

    return setup_logger


@weft.registry.schedules("my_custom_schedule.v1")
def my_custom_schedule(start: int = 1, factor: float = 1.001):
   while True:
      yield start
      start = start * factor


@weft.registry.readers("corpus_variants.v1")
def stream_data(source: str) -> Callable[[Language], Iterator[Example]]:
    def generate_stream(nlp):
        for text, cats in read_custom_data(source):
            # Create a random variant of the example text
            i = random.randint(0, len(text) - 1)
            variant = text[:i] + text[i].upper() + text[i + 1:]
            doc = nlp.make_doc(variant)
            example = Example.from_dict(doc, {"cats": cats})
            yield example

    return generate_stream


@weft.registry.batchers("filtering_batch.v1")
def filter_batch(size: int) -> Callable[[Iterable[Example]], Iterator[List[Example]]]:
    def create_filtered_batches(examples):
        batch = []
        for eg in examples:
            # Remove duplicate examples with the same text from batch
            if eg.text not in [x.text for x in batch]:
                batch.append(eg)
            if len(batch) == size:
                yield batch
                batch = []

    return create_filtered_batches
'''

CONFIG = """
[nlp]
lang = "en"
pipeline = ["textcat"]

[components]

[components.textcat]
factory = "textcat"

[corpora]

[corpora.train]
@readers = "corpus_variants.v1"
source = "data.csv"

[corpora.dev]
@readers = "corpus_variants.v1"
source = "data.csv"

[training]
max_steps = 10
eval_frequency = 5

[training.logger]
@loggers = "my_custom_logger.v1"
log_path = "my_file.tab"

[training.batcher]
{batcher}
"""
ROWS = "MUSIC,play a song\nTRAVEL,book a flight\nMUSIC,turn the music up\nTRAVEL,rent a car\n"
BATCHERS = {
    "filtering": '@batchers = "filtering_batch.v1"\nsize = 2',
    "growing": '@batchers = "spacy.batch_by_sequence.v1"\n\n[training.batcher.size]\n'
    '@schedules = "my_custom_schedule.v1"\nstart = 2\nfactor = 1.005',
}


@pytest.mark.parametrize("batcher", BATCHERS)
def test_the_functions_of_the_page(page, batcher):
    (page.folder / "data.csv").write_text(ROWS, encoding="utf-8")
    (page.folder / "config.cfg").write_text(CONFIG.format(batcher=BATCHERS[batcher]), encoding="utf-8")
    words = ["-m", "weft", "train", "config.cfg", "--output", "./output", "--code", "./functions.py"]
    done = page(FUNCTIONS, *words)
    assert done.returncode == 0, done.stderr
    rows = (page.folder / "my_file.tab").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "step\tscore\tloss_textcat\t"
    assert [row.split("\t")[0] for row in rows[1:]] == ["0", "5", "10"]


CALLBACK = '''
import weft

@weft.registry.callbacks("customize_language_data")
def create_callback():
    def customize_language_data(lang_cls):
        lang_cls.Defaults.suffixes = lang_cls.Defaults.suffixes + (r"-+$",)
        return lang_cls

    return customize_language_data
'''
ARCHITECTURE = '''
import weft

@weft.registry.architectures("custom_neural_network.v1")
def MyModel(output_width: int):
    return create_model(output_width)
'''


def test_what_has_to_be_a_plugin_says_so(page):
    """Language data and networks: their snippets have counterparts in C++, which the messages name."""
    config = '[nlp]\nlang = "en"\npipeline = []\n\n[nlp.before_creation]\n@callbacks = "customize_language_data"\n'
    (page.folder / "config.cfg").write_text(config, encoding="utf-8")
    done = page(CALLBACK, "-m", "weft", "assemble", "config.cfg", "out", "--code", "functions.py")
    assert done.returncode != 0
    assert "Defaults" in done.stderr and "docs/examples/customize-language.md" in done.stderr, done.stderr
    done = page(ARCHITECTURE)
    assert done.returncode != 0
    assert "C++" in done.stderr and "docs/examples/custom-architecture.md" in done.stderr, done.stderr
