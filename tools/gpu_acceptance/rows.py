"""The annotation of a document does not depend on the documents beside it."""
import corpora
from kernel_tests import run_tests
from training_speed import LEVELS

SECONDS, LEAST = 60, 5

TESTS = "Devices/*.Rows*/cuda"


def annotated(session, level, batch):
    file = session.work / f"rows-{batch}.jsonl"
    words = ["apply", session.work / "rows" / "model-last", session.work / "rows.txt", "--output", file, "--force",
             "--batch-size", batch, *session.gpu_words()]
    session.run_weft(words + (["--precision", level] if level != "O0" else []))
    return file.read_bytes()


def run(session):
    documents = session.size(600, 20)
    corpora.write_texts(session.work / "rows.txt", corpora.sentences(session.data / "test.conll", documents))
    steps = session.size(150, 2)
    session.train("rows", {"training.max_steps": steps, "training.eval_frequency": steps,
                           "training.batcher.size": session.size(1000, 100)})
    for level in session.size(LEVELS, ("O0",)):
        alone, together = annotated(session, level, 1), annotated(session, level, 1024)
        session.check(f"documents alone and together, {level}", alone == together,
                      f"{together.count(b'label')} entities in {documents} documents")
    if not session.options.short:
        run_tests(session, "framework_tests", TESTS)
