"""F of pipelines that were trained on the GPU, beside those that the CPU trained."""
import json
import math
import statistics

SECONDS, LEAST = 70, 10

RULE = 0.5  # points of F, or twice the standard error of the difference: docs/precision.md


def f_of(session, output, on_gpu):
    found = session.run_weft(["evaluate", session.work / output / "model-last", session.data / "test.conll", "--json",
                              *session.gpu_words(on_gpu)])
    return 100 * (json.loads(found.out)["ents_f"] or 0.0)  # null where nothing was found


def trained(session, seed, on_gpu):
    steps = session.size(600, 4)
    output = f"scores-{'gpu' if on_gpu else 'cpu'}-{seed}"
    session.train(output, {"training.max_steps": steps, "training.eval_frequency": steps, "system.seed": seed,
                           "training.seed": seed, "training.batcher.size": session.size(1000, 100)}, on_gpu)
    return f_of(session, output, on_gpu)


def standard_error(values):
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def run(session):
    seeds = range(session.size(3, 1))
    gpu = [trained(session, seed, True) for seed in seeds]
    cpu = [trained(session, seed, False) for seed in seeds]
    difference = statistics.mean(gpu) - statistics.mean(cpu)
    allowed = max(RULE, 2 * math.hypot(standard_error(gpu), standard_error(cpu)))
    session.measure("F on the GPU", statistics.mean(gpu))
    session.measure("F on the CPU", statistics.mean(cpu))
    session.check("F of training beside the CPU", -difference <= allowed,
                  f"{statistics.mean(gpu):.2f} on the GPU, {statistics.mean(cpu):.2f} on the CPU, means of {len(gpu)} seeds; "
                  f"{allowed:.2f} below is allowed")
    there, here = f_of(session, "scores-gpu-0", True), f_of(session, "scores-gpu-0", False)
    session.check("F of one pipeline on both", abs(there - here) <= 0.1, f"{there:.2f} on the GPU, {here:.2f} on the CPU")
