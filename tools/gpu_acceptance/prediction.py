"""Words per second of prediction: from ids, from words and from text."""
import json

import corpora
from session import OutOfTime, Unusable, counts_of
from training_speed import LEVELS, operations

SECONDS, LEAST = 110, 10

WORDS = 5_000_000
FEWER = 1_000_000  # at levels other than O0


def write_corpora(session):
    """whole.conll, whole.txt and fewer.conll: the training corpus, as often as it takes."""
    parts = corpora.sentences(session.data / "train.conll", session.size(None, 40))
    for name, wanted in (("whole", WORDS), ("fewer", FEWER)):
        copies = session.size(max(1, round(wanted / corpora.words_in(parts))), 1)
        corpora.write_conll(session.work / f"{name}.conll", parts, copies)
        corpora.write_texts(session.work / f"{name}.txt", parts, copies)
    corpora.write_conll(session.work / "group.conll", parts[:40])


def pipeline(session):
    steps = session.size(100, 2)
    session.train("predict", {"training.max_steps": steps, "training.eval_frequency": steps,
                              "training.batcher.size": session.size(1000, 100)})
    return session.work / "predict" / "model-last"


def speed(session, folder, file, start, level="O0", env=None, repeats=2):
    words = ["benchmark", "speed", folder, session.work / file, "--json", "--from", start, "--repeats", repeats, "--warmup", 1,
             *session.gpu_words()]
    found = session.run_weft(words + (["--precision", level] if level != "O0" else []), env)
    return json.loads(found.out)


def count_a_group(session, folder):
    """The work that a group of documents queues: so few words are one, and two runs differ by two passes."""
    found = []
    for repeats in (1, 3):
        env, file = session.counted(f"group-{repeats}")
        speed(session, folder, "group.conll", "ids", env=env, repeats=repeats)
        found.append(counts_of(file))
    each = {name: (found[1][name] - found[0][name]) / 2 for name in found[0] if name != "peak_bytes"}
    for name, value in each.items():
        session.measure(f"group {name}", value)
    session.measure("group operations", operations(each))


def run(session):
    write_corpora(session)
    folder = pipeline(session)
    count_a_group(session, folder)
    for what, file, start in (("ids", "whole.conll", "ids"), ("words", "whole.conll", "text"), ("text", "whole.txt", "text")):
        found = speed(session, folder, file, start)
        session.measure(f"prediction O0 {what} words/s", found["words_per_second"]["median"])
        session.measure(f"prediction {what} words", found["words"])
    for level in session.size(LEVELS[1:], ()):
        for what, file, start in (("ids", "fewer.conll", "ids"), ("text", "fewer.txt", "text")):
            try:
                found = speed(session, folder, file, start, level, repeats=3)
            except Unusable as error:
                session.check(f"prediction from {what} at {level}", False, str(error))
                continue
            except OutOfTime as error:
                return session.note(f"prediction from {what} at {level}, and all after it", "skipped", str(error))
            session.measure(f"prediction {level} {what} words/s", found["words_per_second"]["median"])
