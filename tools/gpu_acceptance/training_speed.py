"""Words per second, memory and queued work of updates, at every level and two sizes of batches."""
from session import OutOfTime, Unusable, counts_of

SECONDS, LEAST = 120, 10

LEVELS = ("O0", "tf32", "O1", "O2", "O3", "bf16")
DIVERGED = 4  # the exit code of `weft train`
SIZES = {1000: 400, 16000: 60}  # words of a batch: updates of a run


def settings(session, level, size, steps):
    return {"training.max_steps": steps, "training.eval_frequency": max(1, steps // 2), "training.batcher.size": size,
            "training.precision.level": level}


def operations(counts):
    """All that is queued on the stream."""
    return sum(counts[name] for name in ("kernels", "library_gemms", "sorts", "memsets", "copies", "allocations"))


def measure(session, level, size, steps):
    env, file = session.counted(f"speed-{level}-{size}")
    log = session.train("speed", settings(session, level, size, steps), env=env)
    counts = counts_of(file)
    name = f"training {level} {size}"
    session.measure(f"{name} words/s", log[-1]["time"]["words_per_second"])
    session.measure(f"{name} bytes", counts["peak_bytes"])
    session.measure(f"{name} tile GEMMs", counts["tile_gemms"])


def count_an_update(session, level, size):
    """The work that an update queues: the difference of two runs that evaluate as often."""
    found = []
    for steps in (4, 10):
        env, file = session.counted(f"count-{steps}")
        values = {**settings(session, level, size, steps), "training.eval_frequency": 1000}
        session.train("count", values, env=env)
        found.append(counts_of(file))
    each = {name: (found[1][name] - found[0][name]) / 6 for name in found[0] if name != "peak_bytes"}
    for name, value in each.items():
        session.measure(f"update {level} {size} {name}", value)
    session.measure(f"update {level} {size} operations", operations(each))


def run(session):
    count_an_update(session, "O0", session.size(1000, 100))
    for size, steps in session.size(SIZES, {100: 4}).items():
        for level in session.size(LEVELS, ("O0", "O1")):
            try:
                measure(session, level, size, steps)
            except Unusable as error:
                name = f"training at {level}, batches of {size} words"
                if error.code == DIVERGED:  # sums over many words may be too large for fp16, on a CPU too
                    session.note(name, "absent", "the level does not train with such batches: " + str(error).splitlines()[-1])
                else:
                    session.check(name, False, str(error))
            except OutOfTime as error:
                return session.note(f"training at {level}, batches of {size} words, and all after it", "skipped", str(error))
