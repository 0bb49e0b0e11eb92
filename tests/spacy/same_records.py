"""Single operations give what spaCy gives, for documents and settings that nobody chose.

    same_records.py MATCHER COMPONENTS [SEED [COUNT]]

Draws COUNT records of each kind by SEED, lets spaCy 3.8 say what comes out, and replays them with the programs
conformance_matcher and conformance_components. The formats are those of tests/conformance/data/README.md.
"""
import contextlib
import io
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import warnings

import spacy

from fresh_records import matching, rules, spans, tokens, trees

WORK = pathlib.Path(os.environ["WORK"])

MATCHER = {"matcher": (matching.matcher_record, 4), "phrase": (matching.phrase_record, 1), "dependency": (matching.dependency_record, 2),
           "rulers": (rules.ruler_record, 1)}
COMPONENTS = {
    "of_tokens": {"scores_tokens": (tokens.token_score_record, 1), "scores_cats": (tokens.category_score_record, 1),
                  "attribute_ruler": (rules.attribute_record, 1), "lemmatizer": (rules.lemmatizer_record, 1),
                  "sentencizer": (rules.sentencizer_record, 1), "labels": (tokens.label_record, 0.2), "ngrams": (tokens.ngram_record, 0.5)},
    "of_parses_and_spans": {"filters": (rules.filter_record, 1), "labels": (trees.label_record, 0.5), "oracle": (trees.oracle_record, 1),
                            "projective": (trees.projective_record, 1), "retokenize": (rules.retokenize_record, 1),
                            "scores": (spans.score_record, 1), "span_groups": (spans.span_group_record, 0.5),
                            "suggesters": (spans.suggester_record, 0.5)},
}


def write_records(folder, name, make, count, draw, vocab, first=()):
    folder.mkdir(parents=True, exist_ok=True)
    lines = list(first)
    for number in range(count):
        with contextlib.redirect_stdout(io.StringIO()):  # spaCy prints states that have no right move
            record = make(draw, vocab)
        if record is not None:
            lines.append({"id": f"{name}-{number}", **record})
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (folder / f"{name}.jsonl").write_text(text, encoding="utf8")
    return len(lines)


def replay(program, folder):
    """Whether everything is right; shows the first differences."""
    done = subprocess.run([program, str(folder)], capture_output=True, text=True)
    lines = done.stdout.splitlines() + done.stderr.splitlines()
    for line in lines[:-1][:20]:
        print(f"{folder.name}: {line[:2000]}")
    print(f"{folder.name}: {lines[-1] if lines else done.returncode}", flush=True)
    return done.returncode == 0


def main():
    matcher, components = sys.argv[1:3]
    seed, count = (int(word) for word in (sys.argv[3:] + ["1", "200"][len(sys.argv) - 3:]))
    warnings.simplefilter("ignore")
    shutil.rmtree(WORK, ignore_errors=True)
    draw, vocab = random.Random(seed), spacy.blank("en").vocab
    for name, (make, share) in MATCHER.items():
        write_records(WORK / "matcher", name, make, int(count * share), draw, vocab)
    good = replay(matcher, WORK / "matcher")
    for folder, files in COMPONENTS.items():
        counts = {}
        for name, (make, share) in files.items():
            first = [{"id": "oracle-first", **trees.first_oracle_line(vocab.strings)}] if name == "oracle" else []
            counts[f"{name}.jsonl"] = write_records(WORK / folder, name, make, int(count * share), draw, vocab, first)
        if folder == "of_tokens":
            (WORK / folder / "edit_trees.json").write_text(json.dumps(tokens.edit_trees(draw)), encoding="utf8")
            counts["edit_trees.json"] = 1
        (WORK / folder / "manifest.json").write_text(json.dumps({"kind": "records", "files": counts}), encoding="utf8")
        good = replay(components, WORK / folder) and good
    sys.exit(0 if good else 1)


main()
