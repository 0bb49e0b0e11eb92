#!/usr/bin/env python3
"""How good the confidences of a pipeline's entities are.

    measure_confidence.py WEFT PIPELINE CORPUS.conll [OTHER.conll ...]

Cuts CORPUS, which the pipeline was not trained on, into two halves (every other document), fits the
confidences to one with `calibrate` and judges them on the other, both ways; then fits to the whole
corpus and judges on the other files. A line for each: entities, share of right ones, the calibration
error with 10 bins of equal width and 15 of equal size, Brier score and negative log-likelihood beside
those of the best constant (the share of right ones in the half that was fitted to), and the area under
the ROC curve beside that of the raw product of probabilities. Exit code 1 where a half misses a bound
(docs/confidence.md).
"""
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

MOST_ERROR = 0.05       # of the calibration, with 10 and with 15 bins
MOST_AUC_LOSS = 0.01    # against the raw product
RAW = {"version": 1, "temperature": 1.0, "slope": 1.0, "offset": 0.0}


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nfailed with {done.returncode}:\n{done.stderr}")
    return done.stdout


def sentences(corpus):
    return [part for part in corpus.read_text(encoding="utf8").split("\n\n")
            if part.strip() and not part.startswith("-DOCSTART-")]


def gold_entities(sentence):
    """(start, end, label) of the BIO tags in the last column."""
    found, start, label = set(), None, None
    tags = [line.split()[-1] for line in sentence.strip().splitlines()] + ["O"]
    for i, tag in enumerate(tags):
        if start is not None and tag != "I-" + label:
            found.add((start, i, label))
            start = None
        if tag.startswith("B-") or (tag.startswith("I-") and start is None):
            start, label = i, tag[2:]
    return found


def judged(weft, pipeline, parts, work):
    """(confidence, right) of each entity that the pipeline finds in the sentences."""
    data = work / "data.conll"
    data.write_text("".join(part + "\n\n" for part in parts), encoding="utf8")
    lines = [json.loads(line) for line in run(weft, "apply", pipeline, data).splitlines()]
    pairs = []
    if len(lines) != len(parts):
        sys.exit(f"{len(lines)} documents of {len(parts)} sentences")
    for part, doc in zip(parts, lines):
        words = [line.split()[0] for line in part.strip().splitlines()]
        if words != doc["tokens"]:
            sys.exit(f"other tokens: {doc['tokens']}")
        gold = gold_entities(part)
        pairs += [(ent["score"], (ent["start"], ent["end"], ent["label"]) in gold) for ent in doc["ents"]]
    return pairs


def error_of(bins, count):
    """ECE: the mean difference of confidence and share of right ones, bins by their size."""
    gaps = (abs(sum(p for p, _ in one) - sum(right for _, right in one)) for one in bins if one)
    return sum(gaps) / count


def by_width(pairs, count):
    bins = [[] for _ in range(count)]
    for p, right in pairs:
        bins[min(int(p * count), count - 1)].append((p, right))
    return bins


def by_size(pairs, count):
    ordered = sorted(pairs)
    edges = [len(ordered) * i // count for i in range(count + 1)]
    return [ordered[a:b] for a, b in zip(edges, edges[1:])]


def auc(pairs):
    """The probability that a right entity has more confidence than a wrong one; ties count half."""
    ordered, ranks, i = sorted(pairs), 0.0, 0
    rights = sum(right for _, right in pairs)
    wrongs = len(pairs) - rights
    while i < len(ordered):
        j = i
        while j < len(ordered) and ordered[j][0] == ordered[i][0]:
            j += 1
        ranks += sum(right for _, right in ordered[i:j]) * (i + 1 + j) / 2
        i = j
    return (ranks - rights * (rights + 1) / 2) / (rights * wrongs) if rights and wrongs else 0.5


def figures(pairs):
    clipped = [(min(max(p, 1e-7), 1 - 1e-7), right) for p, right in pairs]
    return {
        "ece10": error_of(by_width(pairs, 10), len(pairs)),
        "ece15": error_of(by_size(pairs, 15), len(pairs)),
        "brier": sum((p - right) ** 2 for p, right in pairs) / len(pairs),
        "nll": -sum(math.log(p if right else 1 - p) for p, right in clipped) / len(pairs),
        "auc": auc(pairs),
    }


def show(name, pairs, raw, share):
    mine, base = figures(pairs), figures([(share, right) for _, right in pairs])
    raw_auc = auc(raw)
    rights = sum(right for _, right in pairs) / len(pairs)
    print(f"{name}: {len(pairs)} entities, {rights:.3f} right; ECE10 {mine['ece10']:.4f}, ECE15 {mine['ece15']:.4f}, "
          f"Brier {mine['brier']:.4f} (constant {base['brier']:.4f}), NLL {mine['nll']:.4f} (constant {base['nll']:.4f}), "
          f"AUC {mine['auc']:.4f} (raw product {raw_auc:.4f})")
    return (mine["ece10"] <= MOST_ERROR and mine["ece15"] <= MOST_ERROR and mine["brier"] < base["brier"]
            and mine["nll"] < base["nll"] and mine["auc"] >= raw_auc - MOST_AUC_LOSS)


def fitted(weft, pipeline, parts, work):
    """A copy of the pipeline that is calibrated on the sentences; the share of right ones among them."""
    copy, data = work / "fitted", work / "fit.conll"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(pipeline, copy)
    data.write_text("".join(part + "\n\n" for part in parts), encoding="utf8")
    found = json.loads(run(weft, "calibrate", copy, data, "--json"))
    print(f"  temperature {found['temperature']:.3f}, slope {found['slope']:.3f}, offset {found['offset']:.3f}")
    return copy, found["right"] / found["entities"]


def raw_copy(pipeline, component, work):
    copy = work / "raw"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(pipeline, copy)
    (copy / component / "confidence.json").write_text(json.dumps(RAW), encoding="utf8")
    return copy


def main():
    weft, pipeline, corpus, *others = [pathlib.Path(word) for word in sys.argv[1:]]
    everything = sentences(corpus)
    halves = everything[::2], everything[1::2]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        raw = raw_copy(pipeline, "ner", work)
        for fit, judge, name in ((0, 1, "second half"), (1, 0, "first half")):
            copy, share = fitted(weft, pipeline, halves[fit], work)
            good &= show(name, judged(weft, copy, halves[judge], work), judged(weft, raw, halves[judge], work), share)
        copy, share = fitted(weft, pipeline, everything, work)
        for other in others:
            parts = sentences(other)
            show(other.name, judged(weft, copy, parts, work), judged(weft, raw, parts, work), share)
    sys.exit(not good)


if __name__ == "__main__":
    main()
