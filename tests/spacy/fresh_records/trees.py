"""Records of the dependency parser: projective trees, classes, gold parses, costs."""
from spacy.pipeline._parser_internals import nonproj
from spacy.pipeline._parser_internals.arc_eager import ArcEager, _get_aligned_sent_starts
from spacy.tokens import Doc
from spacy.training import Example

from . import documents

LABELS = ["a", "b", "c", "weird", "subtok"]


def tree(draw, size, labels=LABELS):
    heads = documents.heads_of(draw, size)
    return heads, ["ROOT" if head == i and draw.random() < 0.9 else draw.choice(labels) for i, head in enumerate(heads)]


def projective_record(draw, vocab):
    size = draw.randint(1, 10)
    words = [draw.choice([" ", "\n"]) if draw.random() < 0.1 else f"w{i}" for i in range(size)]
    heads, deps = tree(draw, size, ["a", "b", "c"])
    made = {"words": words, "heads": heads, "deps": deps}
    lifted, labels = nonproj.projectivize(heads, deps)
    expect = made["expect"] = {"projective_heads": list(lifted), "projective_deps": list(labels)}
    if any(head == i and "||" in label for i, (head, label) in enumerate(zip(lifted, labels))):
        expect["cycle"] = True
        return made
    doc = Doc(vocab, words=words, heads=list(lifted), deps=list(labels))
    nonproj.deprojectivize(doc)
    expect.update(back_heads=[token.head.i for token in doc], back_deps=[token.dep_ for token in doc],
                  sent_starts=[1 if token.is_sent_start else -1 for token in doc])
    return made


def label_record(draw, vocab):
    made = {"min_action_freq": draw.randint(1, 4), "learn_tokens": draw.random() < 0.3, "docs": []}
    examples = []
    for _ in range(draw.randint(2, 6)):
        size = draw.randint(2, 12)
        heads, deps = tree(draw, size, ["det", "nsubj", "dobj"])
        made["docs"].append({"heads": heads, "deps": deps})
        doc = Doc(vocab, words=["w"] * size, heads=heads, deps=deps)
        examples.append(Example(Doc(vocab, words=["w"] * size), doc))
    counts = ArcEager.get_actions(examples=examples, min_freq=made["min_action_freq"], learn_tokens=made["learn_tokens"])
    moves = ArcEager(vocab.strings)
    moves.initialize_actions(counts)
    made["expect"] = {"counts": {str(move): dict(of_move) for move, of_move in counts.items()},
                      "classes": [moves.get_class_name(k) for k in range(moves.n_moves)]}
    return made


CLASSES = {"0": {"": 500}, "1": {"": 400}, "2": {"a": 90, "b": 80, "a||b": 9, "subtok": 3, "dep": 0},
           "3": {"b": 70, "c": 60, "b||a": 8, "c||ROOT": 5, "subtok": 2, "dep": 0}, "4": {"ROOT": 50}}


def moves_of(strings):
    moves = ArcEager(strings)
    moves.initialize_actions({int(move): dict(of_move) for move, of_move in CLASSES.items()})
    return moves


def first_oracle_line(strings):
    moves = moves_of(strings)
    return {"labels": CLASSES, "classes": [moves.get_class_name(k) for k in range(moves.n_moves)]}


def cut(draw, words):
    """The words with some split and some joined; no spaces between them."""
    made = []
    for word in words:
        kind = draw.random()
        if kind < 0.15 and len(word) > 1:
            made += [word[:1], word[1:]]
        elif kind < 0.3 and made:
            made[-1] += word
        else:
            made.append(word)
    return made


def features(state, eight):
    known = lambda i: i if i >= 0 else -1
    b0, b1, s0, s1, s2 = state.B(0), state.B(1), state.S(0), state.S(1), state.S(2)
    left = lambda token, nth: state.L(token, nth)
    right = lambda token, nth: state.R(token, nth)
    if eight:
        return [known(i) for i in (b0, b1, s0, s1, s2, left(b0, 1), left(s0, 1), right(s0, 1))]
    return [known(i) for i in (b0, b1, s0, s1, s2, left(s0, 1), right(s0, 1), left(b0, 1), right(s0, 2), left(s1, 1), left(s1, 2),
                               right(s1, 1), right(s1, 2))]


def walked(draw, moves, doc, gold, wrong):
    """A state after some moves; with `wrong` not only the best ones."""
    state = moves.init_batch([doc])[0]
    actions = []
    for _ in range(draw.randint(0, 2 * len(doc))):
        if state.is_final():
            break
        gold.update(state)
        costs = [moves.get_cost(state, gold, k) for k in range(moves.n_moves)]
        valid = [k for k, cost in enumerate(costs) if cost < 9000]
        best = [k for k in valid if costs[k] == min(costs)]
        actions.append(draw.choice(valid if draw.random() < wrong else best))
        moves.apply_transition(state, moves.get_class_name(actions[-1]))
    return state, actions


def bottom_first(state):
    tokens = []
    while (top := state.S(len(tokens))) >= 0:
        tokens.append(top)
    return tokens[::-1]


def state_of(moves, state, actions, gold):
    gold.update(state)
    costs = {moves.get_class_name(k): int(moves.get_cost(state, gold, k)) for k in range(moves.n_moves)}
    return {"actions": actions, "stack": bottom_first(state),
            "buffer": list(state.queue), "features8": features(state, True), "features13": features(state, False),
            "costs": {name: cost for name, cost in costs.items() if cost < 9000}}


def oracle_record(draw, vocab):
    size = draw.randint(1, 9)
    words = [draw.choice(["aa", "bb", "ccc", "d", "ee"]) for _ in range(size)]
    heads, deps = tree(draw, size)
    for i in range(size):
        if draw.random() < 0.08:
            heads[i], deps[i] = i, ""
    reference = Doc(vocab, words=words, spaces=[False] * size, heads=heads, deps=deps)
    other = cut(draw, words) if draw.random() < 0.4 else words
    marks = [1] + [draw.choice([0, 0, 0, 1, -1]) if draw.random() < 0.4 else 0 for _ in other[1:]]
    predicted = Doc(vocab, words=other, spaces=[False] * len(other))
    for token, mark in zip(predicted, marks):
        token.is_sent_start = {1: True, 0: None, -1: False}[mark]
    if not any(deps):
        return None
    example = Example(predicted, reference)
    moves = moves_of(vocab.strings)
    made = {"kind": "random", "words": other, "sent_start": marks, "reference": {"words": words, "spaces": [False] * size, "heads": heads, "deps": deps}}
    aligned = example.get_aligned_parse(projectivize=True)
    expect = made["expect"] = {"heads": list(aligned[0]), "deps": list(aligned[1]), "gold_starts": _get_aligned_sent_starts(example)}
    states, golds, _ = moves.init_gold_batch([example])
    if not states:
        return None
    expect["oracle"] = list(moves.get_oracle_sequence(example))
    expect["states"] = []
    for _ in range(2):
        gold = moves.init_gold(moves.init_batch([predicted])[0], example)
        state, actions = walked(draw, moves, predicted, gold, 0.35)
        if not state.is_final():
            expect["states"].append(state_of(moves, state, actions, gold))
    return made
