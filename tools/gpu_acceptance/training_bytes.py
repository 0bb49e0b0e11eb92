"""Training beside the CPU, the bytes of two runs, and those of a run that was resumed."""
import array
import hashlib
import json
import math
import struct

SECONDS, LEAST = 70, 5

STEPS, PART = 8, 5
NEAR_LOSS = 2e-3      # of 1 + the loss, as in tests/components/devices
NEAR_MOMENTS = 0.03   # of the length of all first moments, which are mean gradients


def settings(session, steps, level):
    return {"training.max_steps": steps, "training.eval_frequency": 1, "training.batcher.size": session.size(1000, 60),
            "training.precision.level": level}


def bytes_of(session, output):
    """The hash of what a run left: the last pipeline's weights and the optimizer's arrays."""
    digest = hashlib.sha256()
    for file in ("model-last/ner/model", "checkpoint/optimizer.safetensors"):
        digest.update((session.work / output / file).read_bytes())
    return digest.hexdigest()


def first_moments(session, output):
    """All first moments as one array, from the checkpoint's safetensors file."""
    raw = (session.work / output / "checkpoint" / "optimizer.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + length])
    numbers = array.array("f")
    for name in sorted(header):
        if name.endswith("mom1") and header[name]["dtype"] == "F32":
            begin, end = header[name]["data_offsets"]
            numbers.frombytes(raw[8 + length + begin:8 + length + end])
    return numbers


def distance(left, right):
    """Of two arrays, in parts of the length of the second."""
    apart = math.sqrt(math.fsum((a - b) * (a - b) for a, b in zip(left, right)))
    return apart / math.sqrt(math.fsum(b * b for b in right))


def compare_with_cpu(session, level):
    gpu = session.train(f"gpu-{level}", settings(session, STEPS, level))
    cpu = session.train(f"cpu-{level}", settings(session, STEPS, level), on_gpu=False)
    pairs = [(a["losses"]["ner"], b["losses"]["ner"]) for a, b in zip(gpu, cpu)]
    worst = max(abs(a - b) / (1 + abs(b)) for a, b in pairs)
    session.check(f"losses beside the CPU, {level}", len(gpu) == len(cpu) and worst <= NEAR_LOSS,
                  f"largest difference {worst:.1e} of 1 + the loss in {len(pairs)} steps; {NEAR_LOSS:.0e} is allowed")
    left, right = first_moments(session, f"gpu-{level}"), first_moments(session, f"cpu-{level}")
    apart = distance(left, right) if len(left) == len(right) and len(right) > 0 else math.inf
    session.check(f"mean gradients beside the CPU, {level}", apart <= NEAR_MOMENTS,
                  f"{apart:.1e} of their length apart; {NEAR_MOMENTS} is allowed")


def compare_bytes(session, level):
    whole = bytes_of(session, f"gpu-{level}")
    session.train("again", settings(session, STEPS, level))
    session.check(f"two runs give the same bytes, {level}", bytes_of(session, "again") == whole)
    session.train("part", settings(session, PART, level))
    session.train("part", settings(session, STEPS, level), more=["--resume"])
    session.check(f"a resumed run gives the bytes of a whole one, {level}", bytes_of(session, "part") == whole)


def run(session):
    compare_with_cpu(session, "O0")
    for level in session.size(("O0", "O2", "bf16"), ("O0",)):
        if level != "O0":
            session.train(f"gpu-{level}", settings(session, STEPS, level))
        compare_bytes(session, level)
