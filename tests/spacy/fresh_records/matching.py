"""Records of the matchers: patterns drawn at random, and what spaCy finds with them."""
import json
import re

from spacy.errors import MatchPatternError
from spacy.matcher import DependencyMatcher, Matcher, PhraseMatcher

from . import documents

TEXTS = {"ORTH": documents.WORDS, "TEXT": documents.WORDS, "LOWER": [word.lower() for word in documents.WORDS],
         "NORM": [word.lower() for word in documents.WORDS], "SHAPE": ["x", "X", "Xx", "xxx", "Xxx", "dd", "d.dd", "xxxx"],
         "LEMMA": documents.LEMMAS, "TAG": documents.TAGS, "POS": documents.POS, "DEP": documents.DEPS + ["ROOT"],
         "MORPH": ["Number=Sing", "Number=Plur", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "VerbForm=Fin", "_", "",
                   "Tense=Past|VerbForm=Fin,Inf", "Tense=Past", "A=1", "B=2"],
         "ENT_TYPE": documents.ENTS + [""], "ENT_ID": ["x1", "y", ""]}
FLAGS = ["IS_ALPHA", "IS_ASCII", "IS_DIGIT", "IS_LOWER", "IS_UPPER", "IS_TITLE", "IS_PUNCT", "IS_SPACE", "IS_BRACKET",
         "IS_QUOTE", "IS_LEFT_PUNCT", "IS_RIGHT_PUNCT", "IS_CURRENCY", "IS_STOP", "LIKE_NUM", "LIKE_URL", "LIKE_EMAIL",
         "SPACY", "SENT_START", "IS_SENT_START"]
EXPRESSIONS = ["^a", "s$", r"\d", r"[A-Z]\w*", "(?i)CAT", r"^\w{2,3}$", "a|b", r"\bC", "[^a-z]", "(a+)+$", "(?<!x)a", "^(?=.*1)",
               ".", "", r"\s", r"(?P<x>.)(?P=x)", r"\Z", r"\A.", "^(?:ca|t)+s?$", r"\W", "[à-ÿ]", "Sing|NOUN", "^$", r"\.", "=",
               "ß|ü", r"^\D+$", "(.)\\1", "N+", "(?s)^.$", "[0-9]{2,}", r"\w+\.\w+$", "(?i)straSSE", "(?x) a # note", "i(?!s)"]
SETS = ["IN", "NOT_IN", "IS_SUBSET", "IS_SUPERSET", "INTERSECTS"]
FUZZIES = ["FUZZY"] + [f"FUZZY{k}" for k in range(1, 10)]
OPERATORS = ["!", "?", "*", "+", "{1}", "{2}", "{0,1}", "{1,2}", "{0,3}", "{1,}", "{2,}", "{0,}", "{,1}", "{,2}", "{0}"]
BROKEN = [{"LOWR": "a"}, {"LOWER": None}, {"LOWER": 1}, {"LOWER": ["a"]}, {"LENGTH": "a"}, {"IS_ALPHA": 1}, {"IS_ALPHA": "x"},
          {"OP": "x"}, {"OP": "{2,1}"}, {"OP": "{a}"}, {"OP": "{}"}, {"OP": "{,}"}, {"OP": "1"}, {"OP": "{1, 2}"}, {"OP": ""},
          {"LOWER": {"REGEX": 1}}, {"LOWER": {"IN": "a"}}, {"LOWER": {"IN": [1]}}, {"LOWER": {"==": "a"}}, {"LOWER": {"WHAT": "a"}},
          {"LENGTH": {"FUZZY": "a"}}, {"LENGTH": {"IN": ["a"]}}, {"LENGTH": {"==": "a"}}, {"ENT_IOB": "X"}, {"ENT_IOB": 4},
          {"LOWER": {"FUZZY10": "a"}}, {"LOWER": {"FUZZY0": "a"}}, {"PREFIX": "a"}, {"LENGTH": 1.5}, {"LENGTH": True},
          {"LOWER": {"REGEX": {"IN": [1]}}}, {"IS_ALPHA": {"IN": [True]}},
          {"LOWER": True}, {"OP": None}, {"OP": 1}, {"ENT_IOB": -1}, {"LOWER": {}}, {"LENGTH": {}}, {"LENGTH": -1},
          {"LENGTH": {">": 1.5}}, {"LENGTH": {">": True}}, {"POS": "NO_SUCH"}, {"lower": {"regex": "a"}},
          {"SENT_START": 1}, {"SENT_START": -1}, {"MORPH": {"IS_SUBSET": []}}, {"LOWER": {"REGEX": "("}}, {"ID": "a"}, {"HEAD": 1},
          {"LENGTH": {"IS_SUPERSET": []}}, {"TEXT": {"FUZZY": ""}}, {"LENGTH": {"NOT_IN": [1, 2]}}]


def nested(draw, some):
    """A value that may stand below REGEX and FUZZY instead of a text."""
    names = draw.choice([["IN"], ["NOT_IN"], ["IN"], ["NOT_IN"], ["IN", "NOT_IN"], ["REGEX"], ["REGEX", "IN"], []])
    return {name: [some() for _ in range(draw.randint(0, 3))] if "IN" in name else "a" for name in names}


def text_value(draw, attr):
    """A plain value, or an object of conditions."""
    some = lambda: draw.choice(TEXTS[attr])
    kind = draw.random()
    if kind < 0.45:
        return some()
    conditions = {}
    for _ in range(1 if draw.random() < 0.8 else 2):
        kind = draw.random()
        if kind < 0.5:
            conditions[draw.choice(SETS)] = [some() for _ in range(draw.randint(0, 4))]
        elif kind < 0.75:
            value = draw.choice(EXPRESSIONS)
            if draw.random() < 0.25 and attr != "MORPH":  # an accident of spaCy
                value = nested(draw, lambda: draw.choice(EXPRESSIONS))
            conditions["REGEX"] = value
        else:
            value = some()
            if draw.random() < 0.25:
                value = nested(draw, some)
            conditions[draw.choice(FUZZIES)] = value
    return conditions


def number_value(draw):
    if draw.random() < 0.4:
        return draw.randint(0, 5)
    if draw.random() < 0.5:
        return {draw.choice(["==", "!=", ">=", "<=", ">", "<"]): draw.choice([0, 1, 2, 3, 4, 2.5])}
    return {draw.choice(SETS): [draw.randint(0, 5) for _ in range(draw.randint(0, 3))]}


def token_spec(draw, attributes=None):
    spec = {}
    for _ in range(draw.choice([0, 1, 1, 1, 1, 2, 2, 3])):
        kind = draw.random()
        if attributes or kind < 0.65:
            attr = draw.choice(attributes or list(TEXTS))
            name = attr if draw.random() < 0.9 else attr.lower()
            if attr not in spec and attr.lower() not in spec:
                spec[name] = text_value(draw, attr)
        elif kind < 0.85:
            spec[draw.choice(FLAGS)] = draw.random() < 0.7
        elif kind < 0.95:
            spec["LENGTH"] = number_value(draw)
        else:
            spec["ENT_IOB"] = draw.choice(["", "I", "O", "B", 0, 1, 2, 3])
    return spec


def pattern(draw):
    """Tokens of a pattern: mostly wide ones, so that something is found."""
    specs = []
    for _ in range(draw.randint(1, 4)):
        spec = token_spec(draw) if draw.random() < 0.5 else token_spec(draw, ["LOWER", "ORTH"])
        if draw.random() < 0.6:
            spec["OP" if draw.random() < 0.95 else "op"] = draw.choice(OPERATORS)
        specs.append(spec)
    return specs


def is_empty(specs):
    """All of it is written out as nothing, where spaCy has no check."""
    return all(spec.get("OP", spec.get("op")) in ("{0}", "{,0}") for spec in specs)


def error_of(error):
    if isinstance(error, MatchPatternError):
        return {"error": "pattern"}
    code = re.match(r"\[(E\d+)\]", str(error))
    return {"error": code.group(1) if code else type(error).__name__}


def matcher_record(draw, vocab):
    made = documents.record(draw)
    rules = []
    for number in range(draw.choice([1, 1, 2, 3])):
        rule = {"key": draw.choice(["K0", "K1", "long key"]) if number else "K0",
                "patterns": [pattern(draw) for _ in range(draw.choice([1, 1, 2]))]}
        if draw.random() < 0.3:
            rule["greedy"] = draw.choice(["FIRST", "LONGEST"])
        rules.append(rule)
    if any(is_empty(specs) for rule in rules for specs in rule["patterns"]):
        return None
    made["patterns"] = rules
    options = {}
    if draw.random() < 0.15:
        draw.choice(draw.choice(rules)["patterns"]).insert(0, dict(draw.choice(BROKEN)))
    elif draw.random() < 0.15:
        made["validate"] = False
    if draw.random() < 0.6:
        made["allow_missing"] = options["allow_missing"] = True
    if draw.random() < 0.4:
        made["with_alignments"] = options["with_alignments"] = True
    doc = documents.doc_of(vocab, made)
    on = doc
    if len(doc) > 2 and draw.random() < 0.1:
        start = draw.randint(0, len(doc) - 1)
        made["span"] = [start, draw.randint(start, len(doc))]
        on = doc[slice(*made["span"])]
    try:
        matcher = Matcher(vocab, validate=made.get("validate", True))
        for rule in rules:
            matcher.add(rule["key"], json.loads(json.dumps(rule["patterns"])), greedy=rule.get("greedy"))
        found = matcher(on, **options)
        made["expect"] = {"matches": [[vocab.strings[one[0]], *one[1:]] for one in found]}
    except Exception as error:
        made["expect"] = error_of(error)
    return made


def phrase_record(draw, vocab):
    made = documents.record(draw, most=12, least=1)
    attributes = ["ORTH", "TEXT", "LOWER", "NORM", "SHAPE", "LENGTH", "IS_ALPHA", "IS_PUNCT", "LIKE_NUM", "SENT_START"]
    of_tokens = [name for name, column in (("TAG", "tags"), ("POS", "pos"), ("LEMMA", "lemmas"), ("MORPH", "morphs"),
                                           ("DEP", "deps"), ("ENT_TYPE", "ents")) if column in made]
    made["attr"] = draw.choice(attributes + of_tokens + [None])
    doc = documents.doc_of(vocab, made)
    matcher = PhraseMatcher(vocab, attr=made["attr"] or "ORTH")
    made["rules"] = []
    try:
        for _ in range(draw.randint(1, 4)):
            rule = {"key": draw.choice(["K", "place", "Z9", "long key"])}
            if draw.random() < 0.5 or made["attr"] in of_tokens:
                start = draw.randrange(len(doc))
                rule["from_tokens"] = [start, draw.randint(start + 1, min(len(doc), start + 4))]
                phrases = [doc[slice(*rule["from_tokens"])].as_doc()]
            else:
                rule["phrases"] = [[draw.choice(made["words"]) for _ in range(draw.randint(1, 3))]
                                   for _ in range(draw.randint(1, 3))]
                phrases = [documents.doc_of(vocab, {"words": words}) for words in rule["phrases"]]
            made["rules"].append(rule)
            matcher.add(rule["key"], phrases)
        on = doc
        if len(doc) > 2 and draw.random() < 0.15:
            start = draw.randint(0, len(doc) - 1)
            made["span"] = [start, draw.randint(start, len(doc))]
            on = doc[slice(*made["span"])]
        made["expect"] = {"matches": [[vocab.strings[key], start, end] for key, start, end in matcher(on)]}
    except Exception as error:
        made["expect"] = error_of(error)
    return made


RELATIONS = ["<", ">", "<<", ">>", ".", ".*", ";", ";*", "$+", "$-", "$++", "$--", ">+", ">-", ">++", ">--", "<+", "<-", "<++", "<--"]


def tree_pattern(draw):
    nodes = []
    for number in range(draw.choice([1, 2, 2, 2, 3, 3, 4])):
        kind = draw.random()
        attrs = {} if kind < 0.4 else token_spec(draw, ["DEP", "LOWER", "POS"]) if kind < 0.9 else {"LOWER": "a", "OP": "!"}
        node = {"RIGHT_ID": f"n{number}", "RIGHT_ATTRS": attrs}
        if number:
            node.update({"LEFT_ID": f"n{draw.randrange(number)}", "REL_OP": draw.choice(RELATIONS)})
        nodes.append(node)
    if draw.random() < 0.08:
        node = draw.choice(nodes)
        draw.choice([lambda: node.pop("RIGHT_ID", None), lambda: node.pop("RIGHT_ATTRS", None), lambda: node.pop("LEFT_ID", None),
                     lambda: node.update(REL_OP="<>"), lambda: node.update(LEFT_ID="nobody"), lambda: node.update(RIGHT_ID="n0"),
                     lambda: node.update(RIGHT_ATTRS={"OP": draw.choice("?*+")})])()
    return nodes


def dependency_record(draw, vocab):
    made = documents.record(draw, tree=1, columns=0.7, least=1)
    made["patterns"] = [{"key": draw.choice(["T", "U"]), "patterns": [tree_pattern(draw) for _ in range(draw.choice([1, 1, 2]))]}
                        for _ in range(draw.choice([1, 1, 2]))]
    try:
        matcher = DependencyMatcher(vocab)
        for rule in made["patterns"]:
            matcher.add(rule["key"], json.loads(json.dumps(rule["patterns"])))
        found = matcher(documents.doc_of(vocab, made))
        made["expect"] = {"matches": [[vocab.strings[key], tokens] for key, tokens in found]}
    except Exception as error:
        made["expect"] = error_of(error)
    return made
