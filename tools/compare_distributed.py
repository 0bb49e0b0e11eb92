#!/usr/bin/env python3
"""Several ranks beside one rank and beside threads: compare_distributed.py --data FOLDER [options]

FOLDER holds train.conll and dev.conll. Every kind of run is made in turn, ROUNDS times, each time twice: with few steps
and with more. The difference is the cost of the steps between, without start, evaluation and save. Speeds count
processor time (user and system) of the rank that took most, which other programs of a busy machine disturb less; the
share of waiting is of wall-clock time. Ranks are processes of their own that find each other by RANK, WORLD_SIZE,
MASTER_ADDR and MASTER_PORT, so that time and memory of each are known; those over MPI are started by mpirun. As root, links of a given rate between two
network namespaces are measured too; without, they read "not run". Results go to --results as JSON, to be turned into
text by --table.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PORT = 29600
TRAFFIC = re.compile(r"rank 0 sent ([0-9.]+) MB to the others and waited ([0-9.]+) s")

# Batches: the words of each, as settings, and the steps of the longer run beyond those of the shorter.
BATCHES = {
    "4,000 words": (["--training.batcher.size", "4000"], 40),
    "1,000 words, the end of the default": (["--training.batcher.size", "1000"], 100),
    "default, from its beginning": ([], 200),
}
FIRST_STEPS = 5
# Ranks, threads of each, how gradients are added up, and whether the ranks talk over MPI.
KINDS = {
    "one rank, one thread": (1, 1, "exact", False),
    "two ranks, one thread each": (2, 1, "exact", False),
    "two ranks, one thread each, fast": (2, 1, "fast", False),
    "two ranks, one thread each, MPI": (2, 1, "exact", True),
    "one process, two threads": (1, 2, "exact", False),
}
LINKS = {"not shaped": None, "1 Gbit/s": "1gbit", "100 Mbit/s": "100mbit"}
LARGE_TABLES = ["--components.ner.model.tok2vec.embed.rows", "[60000,60000,60000,60000]"]


class Link:
    """Two network namespaces with a cable of that rate between them."""

    def __init__(self, rate):
        self._names = [f"weft-compare-{os.getpid()}-{side}" for side in (0, 1)]
        for name in self._names:
            run("ip", "netns", "add", name)
        run("ip", "link", "add", "name", "cable", "netns", self._names[0], "type", "veth", "peer", "name", "cable", "netns",
            self._names[1])
        for side, name in enumerate(self._names):
            run("ip", "-n", name, "addr", "add", f"{self.address(side)}/24", "dev", "cable")
            run("ip", "-n", name, "link", "set", "lo", "up")
            run("ip", "-n", name, "link", "set", "cable", "up")
            if rate:
                run("tc", "-n", name, "qdisc", "add", "dev", "cable", "root", "tbf", "rate", rate, "burst", "256kb",
                    "latency", "100ms")

    def close(self):
        for name in self._names:
            run("ip", "netns", "del", name)

    @staticmethod
    def address(side):
        return f"10.213.78.{side + 1}"

    def words(self, rank):
        return ["ip", "netns", "exec", self._names[rank]]


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


def words_of_run(options, batches, steps, threads, reduce, output, more):
    config = pathlib.Path(output) / "ranks.cfg"
    base = (ROOT / "configs/ner.cfg").read_text()
    config.write_text(f'{base}\n[training.distributed]\n@distributed = "sync.v1"\nreduce = "{reduce}"\n')
    data = pathlib.Path(options.data)
    words = [options.weft, "train", config, "--paths.train", data / "train.conll", "--paths.dev", data / "dev.conll",
             "--corpora.dev.limit", "20", "--threads", threads, "--training.max_steps", steps - 1,
             "--training.eval_frequency", 1_000_000, "--training.patience", 0, *batches, *more]
    return [str(word) for word in words]


def usage_of(usage):
    return {"seconds": usage.ru_utime + usage.ru_stime, "peak MB": usage.ru_maxrss * 1024 / 1e6}


def rank_of_mpirun(folder, words):
    """One rank, whose processor time mpirun would not tell."""
    process = subprocess.Popen(words)
    _, status, usage = os.wait4(process.pid, 0)
    if status == 0:
        path = pathlib.Path(folder) / f"{os.environ['OMPI_COMM_WORLD_RANK']}.json"
        path.write_text(json.dumps(usage_of(usage)))
    sys.exit(os.waitstatus_to_exitcode(status))


def measure_mpi(ranks, work, words):
    folder = pathlib.Path(work)
    with open(folder / "0.txt", "w") as told:
        subprocess.run(["mpirun", "--allow-run-as-root", "--bind-to", "none", "-n", str(ranks), sys.executable, __file__,
                        "--rank-of-mpirun", work, "--results", "", "--", *words], stdout=told, stderr=told)
    try:
        return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(ranks)]
    except FileNotFoundError:
        sys.exit(f"ranks failed: {(folder / '0.txt').read_text()}")


def measure_gloo(ranks, work, words, link):
    global PORT
    PORT += 1
    address = link.address(0) if link else "127.0.0.1"
    processes = {}
    for rank in range(ranks):
        variables = {"RANK": str(rank), "WORLD_SIZE": str(ranks), "MASTER_ADDR": address, "MASTER_PORT": str(PORT)}
        with open(pathlib.Path(work) / f"{rank}.txt", "w") as told:
            process = subprocess.Popen([*(link.words(rank) if link else []), *words], stdout=told, stderr=told,
                                       env={**os.environ, **variables})
        processes[process.pid] = rank
    found = {}
    while len(found) < ranks:
        pid, status, usage = os.wait4(-1, 0)
        rank = processes[pid]
        if status != 0:
            sys.exit(f"rank {rank} failed: {(pathlib.Path(work) / f'{rank}.txt').read_text()}")
        found[rank] = usage_of(usage)
    return [found[rank] for rank in range(ranks)]


def measure(options, batches, steps, kind, link=None, more=()):
    """Of one run: processor time and peak memory of each rank, and what rank 0 tells of its traffic."""
    ranks, threads, reduce, is_mpi = kind
    with tempfile.TemporaryDirectory() as work:
        words = words_of_run(options, batches, steps, threads, reduce, work, more)
        begin = time.monotonic()
        found = measure_mpi(ranks, work, words) if is_mpi else measure_gloo(ranks, work, words, link)
        wall = time.monotonic() - begin
        traffic = TRAFFIC.search((pathlib.Path(work) / "0.txt").read_text())
        return {"ranks": found, "wall": wall, "sent MB": float(traffic[1]) if traffic else 0.0,
                "waited": float(traffic[2]) if traffic else 0.0}


def difference(options, name, kind, link=None):
    settings, steps = BATCHES[name]
    short, long = (measure(options, settings, count, KINDS[kind], link)
                   for count in (FIRST_STEPS, FIRST_STEPS + steps))
    seconds = [after["seconds"] - before["seconds"] for before, after in zip(short["ranks"], long["ranks"])]
    wall = long["wall"] - short["wall"]
    return {"batches": name, "kind": kind, "steps": steps, "seconds": seconds, "wall": wall,
            "sent MB": long["sent MB"] - short["sent MB"], "waited": long["waited"] - short["waited"]}


def speeds(options, results):
    chosen = [name for name in BATCHES if options.batches in name]
    for number in range(options.rounds):
        for name in chosen:
            for kind in KINDS:
                results.append(difference(options, name, kind))
                print(f"round {number + 1}: {results[-1]}", file=sys.stderr, flush=True)


def links(options, results):
    for _ in range(options.rounds):
        for name, rate in LINKS.items():
            link = Link(rate)
            try:
                found = difference(options, "4,000 words", "two ranks, one thread each", link)
            finally:
                link.close()
            results.append({"link": name, **found})
            print(results[-1], file=sys.stderr, flush=True)


def memory(options, results):
    for tables, more in (("of the config", []), ("60,000 rows each", LARGE_TABLES)):
        for ranks in (1, 2, 4):
            found = measure(options, BATCHES["4,000 words"][0], FIRST_STEPS, (ranks, 1, "exact", False), more=more)
            results.append({"tables": tables, "ranks": ranks, "peak MB": [rank["peak MB"] for rank in found["ranks"]]})
            print(results[-1], file=sys.stderr, flush=True)


def median_of(rows, value):
    return statistics.median(value(row) for row in rows) if rows else None


def cell(number, digits=2):
    return "not run" if number is None else f"{number:.{digits}f}"


def speed_table(rows):
    text = ("| batches | run | busiest rank, ms of processor per step: median (least – most) | against one rank | "
            "sent by rank 0 per step, MB | waiting, share of wall-clock time |\n| --- | --- | --- | --- | --- | --- |\n")

    def cost(row):
        return max(row["seconds"]) / row["steps"] * 1e3

    for name in BATCHES:
        alone = median_of([r for r in rows if r["batches"] == name and r["kind"] == "one rank, one thread"], cost)
        for kind in KINDS:
            chosen = [r for r in rows if r["batches"] == name and r["kind"] == kind]
            if not chosen:
                continue
            costs = [cost(row) for row in chosen]
            # The threads of one process are counted together.
            threads = KINDS[kind][1]
            middle = statistics.median(costs) / threads
            share = median_of(chosen, lambda r: r["waited"] / r["wall"] if r["wall"] > 0 else 0.0)
            sent = median_of(chosen, lambda r: r["sent MB"] / r["steps"])
            text += (f"| {name} | {kind} | {middle:.1f} ({min(costs) / threads:.1f} – {max(costs) / threads:.1f}) | "
                     f"{alone / middle:.2f} | {cell(sent)} | {cell(share)} |\n")
    return text


def link_table(rows):
    text = ("| link | wall clock per step, ms: median (least – most) | waiting per step, ms | sent by rank 0 per step, MB "
            "|\n| --- | --- | --- | --- |\n")
    for name in LINKS:
        chosen = [row for row in rows if row["link"] == name]
        walls = [row["wall"] / row["steps"] * 1e3 for row in chosen]
        spread = f" ({min(walls):.0f} – {max(walls):.0f})" if walls else ""
        text += (f"| {name} | {cell(statistics.median(walls) if walls else None, 0)}{spread} | "
                 f"{cell(median_of(chosen, lambda r: r['waited'] / r['steps'] * 1e3), 0)} | "
                 f"{cell(median_of(chosen, lambda r: r['sent MB'] / r['steps']))} |\n")
    return text


def memory_table(rows):
    text = "| tables | ranks | peak memory of each rank, MB |\n| --- | --- | --- |\n"
    for row in rows:
        text += f"| {row['tables']} | {row['ranks']} | {', '.join(f'{mb:.0f}' for mb in row['peak MB'])} |\n"
    return text


# Bytes per second of a link, with what Ethernet, IP and TCP add taken off; seconds of a small message over Gloo.
NETWORKS = {"100 Mbit/s": 11.7e6, "1 Gbit/s": 117e6, "10 Gbit/s": 1.17e9}
LATENCY = 33e-6


def parts_of_model(rows):
    """Of steps of two ranks at 4,000 words: seconds of computing, imbalance, bytes of a whole exchange by all."""
    chosen = [row for row in rows if row["batches"] == "4,000 words" and row["kind"] == "two ranks, one thread each"]
    if not chosen:
        return None
    mean = median_of(chosen, lambda r: statistics.mean(r["seconds"]) / r["steps"])
    busiest = median_of(chosen, lambda r: max(r["seconds"]) / r["steps"])
    # Each of two ranks sends a half.
    return mean, busiest / mean, 2 * median_of(chosen, lambda r: r["sent MB"] / r["steps"]) * 1e6


def seconds_of_exchange(ranks, total, rate):
    """Gradients to owners, then weights to all: in P - 1 rounds each."""
    return 2 * (ranks - 1) * LATENCY + total * (ranks - 1) / ranks / rate


def projection_table(rows):
    parts = parts_of_model(rows)
    if parts is None:
        return "projection: not run\n"
    computing, imbalance, total = parts
    text = (f"computing {computing * 1e3:.1f} ms, busiest rank {imbalance:.3f} of the mean, {total / 1e6:.2f} MB in all, "
            f"latency {LATENCY * 1e6:.0f} µs\n\n| network | exchange of 2 ranks, ms | efficiency at 2 ranks | 8 | 32 | 128 "
            "|\n| --- | --- | --- | --- | --- | --- |\n")
    for name, rate in NETWORKS.items():
        found = [computing / (computing * imbalance + seconds_of_exchange(ranks, total, rate))
                 for ranks in (2, 8, 32, 128)]
        text += (f"| {name} | {seconds_of_exchange(2, total, rate) * 1e3:.0f} | "
                 f"{' | '.join(f'{value:.2f}' for value in found)} |\n")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder with train.conll and dev.conll")
    parser.add_argument("--weft", default="weft")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parts", default="speeds,links,memory")
    parser.add_argument("--batches", default="", help="part of the name of the batches whose speed is measured")
    parser.add_argument("--rank-of-mpirun", help=argparse.SUPPRESS)
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--results", required=True, help="JSON of all that was measured; parts are added")
    parser.add_argument("--table", action="store_true", help="only print the results as tables")
    options = parser.parse_args()
    if options.rank_of_mpirun:
        rank_of_mpirun(options.rank_of_mpirun, options.words)
    path = pathlib.Path(options.results)
    results = json.loads(path.read_text()) if path.exists() else {"speeds": [], "links": [], "memory": []}
    if options.table:
        print("\n".join((speed_table(results["speeds"]), link_table(results["links"]),
                         memory_table(results["memory"]), projection_table(results["speeds"]))))
        return
    measures = {"speeds": speeds, "links": links, "memory": memory}
    for part in options.parts.split(","):
        if part == "links" and os.geteuid() != 0:
            print("links are made by root: not run", file=sys.stderr)
            continue
        try:
            measures[part](options, results[part])
        finally:
            path.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
