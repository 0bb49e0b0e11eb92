"""`weft convert` makes of CoNLL-U what spaCy's converter makes of it.

same_conllu.py [TREEBANK.conllu ...]

Each made-up file below, and each treebank, is converted by both with several options, and all columns
of the documents are compared. Files that spaCy refuses have to be refused with their name and a line.
Converted files are written as CoNLL-U and read again: the documents have to be the same.
"""
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys

import spacy
from spacy.tokens import Doc, DocBin
from spacy.training.converters import conllu_to_docs

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
COLUMNS = ["ORTH", "SPACY", "LEMMA", "POS", "TAG", "MORPH", "DEP", "HEAD", "SENT_START", "ENT_IOB",
           "ENT_TYPE", "ENT_KB_ID", "ENT_ID"]
OPTIONS = [([], {}), (["-n", "3"], {"n_sents": 3}), (["--merge-subtokens"], {"merge_subtokens": True}),
           (["--morphology"], {"append_morphology": True}),
           (["-T", "-m", "-n", "2"], {"merge_subtokens": True, "append_morphology": True, "n_sents": 2})]


def row(number, form="w", lemma="w", upos="NOUN", xpos="NN", feats="_", head="0", deprel="root", deps="_",
        misc="_"):
    return "\t".join([str(number), form, lemma, upos, xpos, feats, str(head), deprel, deps, misc])


def sentence(*rows):
    return "\n".join(rows) + "\n\n"


PLAIN = sentence("# sent_id = 1", "# text = Dogs bark.",
                 row(1, "Dogs", "dog", "NOUN", "NNS", "Number=Plur", 2, "nsubj"),
                 row(2, "bark", "bark", "VERB", "VBP", "Tense=Pres|Mood=Ind", 0, "root", misc="SpaceAfter=No"),
                 row(3, ".", ".", "PUNCT", ".", "_", 2, "punct"))
CANT = sentence(row(1, "I", "I", "PRON", "PRP", "Case=Nom", 4, "nsubj"),
                row("2-3", "cannot", "_", "_", "_", "_", "_", "_", misc="SpaceAfter=No"),
                row(2, "can", "can", "AUX", "MD", "VerbForm=Fin", 4, "aux"),
                row(3, "not", "not", "PART", "RB", "Polarity=Neg|VerbForm=Inf,Fin", 4, "advmod"),
                row(4, "go", "go", "VERB", "VB", "VerbForm=Inf", 0, "root"))
ENTITIES = sentence(row(1, "Anna", misc="B-PERSON|SpaceAfter=No", head=2, deprel="x"),
                    row(2, "Lee", misc="name=L-PERSON"), row(3, "in", misc="O", head=2, deprel="case"),
                    row(4, "Rome", misc="NE=U-LOC", head=2, deprel="obl"),
                    row(5, "Lee", misc="I-PERSON", head=2, deprel="y"), row(6, "at", misc="X=1|I-PERSON", head=2),
                    row(7, "a", misc="L-ORG", head=2), row(8, "b", misc="I-ORG", head=2))
GOOD = {
    "plain": PLAIN, "cant": CANT, "both": PLAIN + CANT + PLAIN + PLAIN, "entities": ENTITIES + CANT,
    "empty_nodes": sentence(row("0.1", "null"), row(1, "Sue"), row("1.1", "likes", head="_", deprel="_"),
                            row(2, "tea", head=1, deprel="obj")),
    "no_final_newline": PLAIN.rstrip("\n"), "crlf": (PLAIN + CANT).replace("\n", "\r\n"),
    "many_blank_lines_at_the_ends": "\n\n\n" + PLAIN + "\n\n",
    "three_line_feeds": PLAIN + "\n" + PLAIN,
    "underscores": sentence(row(1, lemma="_", upos="_", xpos="_", head="_", deprel="_"),
                            row(2, upos="X", xpos="_", head="_", deprel="_")) + PLAIN,
    "no_heads": sentence(row(1, head="_", deprel="_"), row(2, head="_", deprel="_"), row(3, head="_", deprel="_")),
    "empty_columns": sentence(row(1, lemma="", upos="", xpos="", feats="", deprel="", head=2), row(2)),
    "no_relations": sentence(row(1, deprel="", head=2), row(2, deprel="")),
    "two_roots": sentence(row(1), row(2, head=1, deprel="x"), row(3), row(4, head=3, deprel="y")),
    "own_head": sentence(row(1, head=1, deprel="dep"), row(2, head=1, deprel="x")),
    "not_projective": sentence(row(1, head=3), row(2, head=4), row(3, head=0), row(4, head=1), row(5, head=2)),
    "circle": sentence(row(1, head=2, deprel="a"), row(2, head=3, deprel="b"), row(3, head=1, deprel="c")) + PLAIN,
    "spaces_in_words": sentence(row(1, "10 000", "10 000"), row(2, "\u00a0", head=1), row(3, "e\u0301", head=1)),
    "space_at_the_end_of_a_sentence": sentence(row(1, misc="SpaceAfter=No")) + sentence(row(1, misc="SpaceAfter=No")),
    "space_after_in_words": sentence(row("1-2", "dell", misc="_"), row(1, "de", misc="SpaceAfter=No"),
                                     row(2, "l", misc="SpaceAfter=No", head=1), row(3, misc="XSpaceAfter=Nope", head=1)),
    "ranges_side_by_side": sentence(row("1-2", "ab", misc="SpaceAfter=No"), row(1, "a", head=3, deprel="p"),
                                    row(2, "b", head=1, deprel="q"), row("3-5", "cde"), row(3, "c", head=5, deprel="r"),
                                    row(4, "d", head=1, deprel="s"), row(5, "e", head=0), row(6, "f", head=4, deprel="t")),
    "range_of_one": sentence(row("1-1", "xx"), row(1, "x", feats="A=b,a"), row(2, head=1, deprel="y")),
    "features": sentence(row(1, feats="B=2|A=1"), row(2, feats="A=z,a", head=1), row(3, feats="a=1|A=1", head=1),
                         row(4, feats="A=1|A=2", head=1), row(5, feats="Number[psor]=Sing", head=1)),
    "feature_values_together": sentence(row("1-3", "abc"), row(1, "a", feats="C=x|A=b,a", head=3),
                                        row(2, "b", feats="A=c", head=3), row(3, "c", feats="_")),
    "entities_in_ranges": sentence(row("1-2", "ab"), row(1, "a", misc="B-X", head=2, deprel="d"),
                                   row(2, "b", misc="I-X"), row(3, "c", misc="I-X", head=2, deprel="e"),
                                   row("4-5", "de"), row(4, "d", misc="O", head=2, deprel="f"),
                                   row(5, "e", misc="U-Y", head=4, deprel="g")),
    "entities_across_ranges": sentence(row(1, "q", misc="B-X", head=3, deprel="d"), row("2-3", "ab"),
                                       row(2, "a", misc="I-X", head=3, deprel="d"), row(3, "b", misc="I-X"),
                                       row("4-5", "cd"), row(4, "c", misc="I-X", head=5, deprel="d"),
                                       row(5, "d", misc="O", head=3, deprel="d"), row(6, "e", misc="I-X", head=3)),
    "entity_only_in_a_range_row": sentence(row("1-2", "ab", misc="B-X"), row(1, "a"), row(2, "b", head=1)),
    "lower_case_entity": sentence(row(1, misc="B-person"), row(2, misc="B-PER2", head=1), row(3, misc="NE=O", head=1)),
    "only_o": sentence(row(1, misc="O"), row(2, head=1)) + PLAIN,
    "entities_in_the_second_sentence": PLAIN + ENTITIES,
    "relation_names": sentence(row(1, deprel="root:x"), row(2, head=1, deprel="ROOT"), row(3, head=1, deprel="nmod:poss")),
    "tabs_in_comments": "# a\tb\n#\n" + PLAIN,
}
BAD = {
    "nine_columns": PLAIN + "1\ta\ta\tX\tX\t_\t0\troot\t_\n", "eleven_columns": PLAIN + row(1) + "\tx\n",
    "spaces_for_tabs": PLAIN + row(1).replace("\t", "    ") + "\n", "letter_id": PLAIN + row("x"),
    "letter_head": PLAIN + row(1, head="x"), "head_outside": PLAIN + row(1, head=7), "negative_head": row(1, head=-3),
    "unknown_part_of_speech": row(1, upos="NOUNS"), "features_without_value": row(1, feats="Number"),
    "features_with_two_equals": row(1, feats="A=b=c"), "comment_inside": sentence(row(1), "# x", row(2, head=1)),
    "no_tabs": "Dogs bark.\n", "range_of_letters": PLAIN + sentence(row("1-b", "ab"), row(1), row("x-2"), row("y")),
}


def ours(source, target, words):
    return subprocess.run([WEFT, "convert", str(source), str(target), *words], capture_output=True, text=True)


def read(path, vocab):
    return list(DocBin().from_disk(path).get_docs(vocab))


def values(doc):
    rows = {name: [int(value) for value in doc.to_array([name]).reshape(-1)] for name in COLUMNS}
    rows["text"] = doc.text
    rows["unknown spaces"] = doc.has_unknown_spaces
    rows["features"] = [str(token.morph) for token in doc]
    rows["words of columns"] = [(token.lemma_, token.tag_, token.dep_, token.ent_type_) for token in doc]
    rows["spans"] = {key: len(group) for key, group in doc.spans.items()}
    return rows


def compare(name, found, expected):
    if len(found) != len(expected):
        return [f"{name}: {len(found)} documents, spaCy has {len(expected)}"]
    faults = []
    for number, (one, other) in enumerate(zip(found, expected)):
        one, other = values(one), values(other)
        faults += [f"{name}, document {number}, {key}: {one[key]} and {other[key]}"
                   for key in one if one[key] != other[key]]
    return faults


def theirs(text, vocab, options, ner_map=None):
    docs = conllu_to_docs(text, **{"n_sents": 1, **options}, ner_map=ner_map, no_print=True)
    return list(DocBin(docs=docs, store_user_data=True).get_docs(vocab))


def check(name, text, faults, vocab):
    source = WORK / f"{name}.conllu"
    source.write_bytes(text.encode())
    maps = [None, {"PERSON": "PER", "LOC": "", "X": "Y"}] if "entit" in name else [None]
    for (words, options), ner_map in itertools.product(OPTIONS, maps):
        label = " ".join([name, *words])
        if ner_map:
            (WORK / "map.json").write_text(json.dumps(ner_map))
            words = [*words, "--ner-map", str(WORK / "map.json")]
        try:
            expected = theirs(source.open(encoding="utf-8").read(), vocab, options, ner_map)
        except Exception as error:  # any of many kinds
            expected = error
        target = WORK / f"{name}.spacy"
        made = ours(source, target, words)
        if isinstance(expected, Exception):
            if made.returncode == 0:
                faults.append(f"{label}: spaCy says {expected!r}")
            elif f"{source}:" not in made.stderr:
                faults.append(f"{label}: no place in '{made.stderr.strip()}'")
            continue
        if made.returncode != 0:
            faults.append(f"{label}: {made.stderr.strip()}")
            continue
        faults += compare(label, read(target, vocab), expected)
    return ours(source, WORK / f"{name}.spacy", [])


def check_written(name, faults, vocab):
    """From .spacy to .conllu and back; each sentence a document, as both are read."""
    first, written, again = (WORK / f"{name}{ending}" for ending in (".spacy", ".written.conllu", ".again.spacy"))
    for source, target in ((first, written), (written, again)):
        made = ours(source, target, [])
        if made.returncode != 0:
            faults.append(f"{name}: {source.name} to {target.name}: {made.stderr.strip()}")
            return
    faults += compare(f"{name}, written and read", read(again, vocab), read(first, vocab))


def random_text(draw):
    """Sentences with ranges, empty nodes, heads, features and entities by chance."""
    def one():
        size, rows, inside = draw.randint(1, 9), [], 0
        root = draw.randint(1, size)
        for i in range(1, size + 1):
            if inside == 0 and draw.random() < 0.3:
                inside = draw.randint(1, min(3, size - i + 1))
                rows.append(row(f"{i}-{i + inside - 1}", draw.choice(["ab", "c d", "é"]), misc=draw.choice(["_", "SpaceAfter=No"])))
            inside = max(0, inside - 1)
            head = 0 if i == root else draw.choice([j for j in range(1, size + 1) if j != i] or [0])
            rows.append(row(i, draw.choice(["a", "bc", "ß", "x y"]), draw.choice(["a", "b", "_"]),
                            draw.choice(["NOUN", "VERB", "X"]), draw.choice(["NN", "_", "VB"]),
                            draw.choice(["_", "A=b", "C=d|A=b,a", "Z=1"]), head,
                            "root" if head == 0 else draw.choice(["nsubj", "obj", "x:y"]),
                            misc=draw.choice(["_", "_", "SpaceAfter=No", "O", "B-X", "I-X", "L-X", "U-Y", "NE=I-Y|SpaceAfter=No"])))
            if draw.random() < 0.1:
                rows.append(row(f"{i}.1", "gone", head="_", deprel="_"))
        return sentence(*rows)
    return "".join(one() for _ in range(draw.randint(1, 5)))


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    vocab = spacy.blank("xx").vocab
    faults = []
    for name, text in GOOD.items():
        check(name, text, faults, vocab)
    # A document of one sentence is read back as it was; one whose heads make two sentences as two.
    for name in sorted(set(GOOD) - {"underscores", "no_heads", "two_roots", "empty_columns", "no_relations", "own_head", "circle", "not_projective"}):
        check_written(name, faults, vocab)
    for name, text in BAD.items():
        check("bad_" + name, text, faults, vocab)
    draw = random.Random(7)
    for number in range(40):
        check(f"random_entities_{number}", random_text(draw), faults, vocab)
    for path in map(pathlib.Path, sys.argv[1:]):
        check(path.stem, path.read_text(encoding="utf-8"), faults, vocab)
        check_written(path.stem, faults, vocab)
    print("\n".join(faults[:40]))
    print(f"{len(faults)} differences")
    sys.exit(1 if faults else 0)


main()
