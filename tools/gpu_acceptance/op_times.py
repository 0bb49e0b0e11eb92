"""Time of every op, of prediction and of updates, by the clock of the GPU."""
import json

SECONDS, LEAST = 40, 5

MOST = 20  # rows of a table


def profile(session, title, data, more):
    found = session.run_weft(["debug", "profile", session.work / "predict" / "model-last", data, "--json", *session.gpu_words(),
                              *more])
    facts = json.loads(found.out)
    session.check(f"{title}: ops are timed", len(facts["ops"]) > 0)
    rows = [("op", "calls", "ms", "share")]
    for op in facts["ops"][:MOST]:
        rows.append((op["op"], str(op["calls"]), f"{1e3 * op['seconds']:.2f}", f"{op['seconds'] / facts['seconds']:.1%}"))
    rest = facts["seconds"] - facts["seconds_in_ops"]
    rows.append(("outside of ops", "", f"{1e3 * rest:.2f}", f"{rest / facts['seconds']:.1%}"))
    session.tables.append((f"{title}: {facts['words']} words", rows))


def run(session):
    if not (session.work / "predict" / "model-last").exists():
        return session.note("time of ops", "skipped", "there is no pipeline of the section `prediction`")
    profile(session, "Time of ops in prediction, O0", session.size(session.data / "dev.conll", session.few), [])
    for size in session.size((1000, 16000), (100,)):
        profile(session, f"Time of ops in updates of {size} words, O0", session.size(session.data / "train.conll", session.few),
                ["--train", size])
