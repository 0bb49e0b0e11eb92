#!/usr/bin/env python3
"""Compares the annotations of weft and of spaCy, of the same pipeline on the same texts.

    compare_annotations.py PIPELINE TEXTS [COUNT]

TEXTS has a text on each line; the first COUNT (1,000) are taken. Needs spaCy 3.8 and the package weft in the
environment. Prints in how many texts an annotation differs, the first differences of each kind, and the largest
difference of a category's score. Ends with 1 where a text differs or a score does by more than 1e-5.
"""
import collections
import pathlib
import sys

import spacy
import weft
from thinc.api import NumpyOps, set_current_ops

SCORE_TOLERANCE = 1e-5
SHOWN = 2


def annotations(doc):
    tokens = {name: [str(getattr(token, name)) for token in doc]
              for name in ("text", "tag_", "pos_", "morph", "lemma_", "dep_", "is_sent_start")}
    return {**tokens, "head": [token.head.i for token in doc],
            "ents": [(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents],
            "spans": [(key, span.start, span.end, span.label_) for key in doc.spans for span in doc.spans[key]],
            "cats": sorted(doc.cats)}


def main(pipeline, texts, count=1000):
    set_current_ops(NumpyOps())
    lines = [line for line in pathlib.Path(texts).read_text(encoding="utf8").split("\n") if line][:int(count)]
    different, worst, compared = collections.Counter(), 0.0, 0
    for theirs, ours in zip(spacy.load(pipeline).pipe(lines), weft.load(pipeline).pipe(lines), strict=True):
        compared += 1
        wanted, found = annotations(theirs), annotations(ours)
        for kind in wanted:
            if wanted[kind] == found[kind]:
                continue
            different[kind] += 1
            if different[kind] <= SHOWN:
                pairs = [pair for pair in zip(wanted[kind], found[kind]) if pair[0] != pair[1]]
                print(f"{kind} of {theirs.text[:80]!r}: {pairs[:3]}")
        if wanted["cats"] == found["cats"]:
            worst = max([worst, *(abs(theirs.cats[label] - ours.cats[label]) for label in theirs.cats)])
    print(f"{pipeline}: {compared} texts, different in {dict(different) or 'nothing'}, scores by at most {worst:.1e}")
    return 1 if different or worst > SCORE_TOLERANCE else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
