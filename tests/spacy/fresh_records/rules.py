"""Records of components by rules: rulers, attribute rulers, lemmatizers, sentencizers, retokenizers."""
import warnings

import spacy
from spacy.lookups import Lookups
from spacy.tokens import Doc, Span
from spacy.util import registry

from . import documents, matching

WORDS = ["Ann", "ann", "the", "The", "bay", "co", "Co", "x1"]


def filled(draw, words, most):
    return [draw.choice(words) for _ in range(draw.randint(1, most))]


def ruler_patterns(draw):
    patterns = []
    for _ in range(draw.randint(0, 5)):
        if draw.random() < 0.4:
            one = " ".join(filled(draw, WORDS, 3))
        else:
            one = [{draw.choice(["LOWER", "ORTH"]): draw.choice(WORDS)} for _ in range(draw.randint(1, 3))]
            if draw.random() < 0.5:
                draw.choice(one)["OP"] = draw.choice(["?", "*", "+", "!", "{1,2}"])
            if draw.random() < 0.2:
                one.append({"ENT_TYPE": draw.choice(["OLD", ""])})
        pattern = {"label": draw.choice(["ORG", "PER", "LOC"]), "pattern": one}
        if draw.random() < 0.4:
            pattern["id"] = draw.choice(["x2", "y"])
        patterns.append(pattern)
    return patterns


def filter_of(draw):
    name = draw.choice(["first_longest_spans_filter", "prioritize_new_ents_filter", "prioritize_existing_ents_filter"])
    return {"@misc": f"spacy.{name}.v1"}


def ruler_config(draw, factory):
    config = {}
    chance = lambda key, value: config.update({key: value}) if draw.random() < 0.35 else None
    chance("phrase_matcher_attr", draw.choice(["LOWER", "SHAPE", "ORTH"]))
    if factory == "span_ruler":
        chance("spans_key", draw.choice([None, "group"]))
        chance("spans_filter", filter_of(draw))
        chance("annotate_ents", True)
        chance("ents_filter", filter_of(draw))
        chance("overwrite", draw.random() < 0.5)
    else:
        chance("overwrite_ents", True)
    return config


def at_spaces(nlp):
    nlp.tokenizer = lambda text: Doc(nlp.vocab, words=text.split(" "))


def shown(spans):
    return [[span.start, span.end, span.label_, span.id_] for span in spans]


def ruler_record(draw, _):
    factory = draw.choice(["entity_ruler", "span_ruler", "future_entity_ruler"])
    made = {"factory": factory, "config": ruler_config(draw, factory), "patterns": ruler_patterns(draw),
            "words": filled(draw, WORDS, 9)}
    size = len(made["words"])
    if draw.random() < 0.4:
        made["ents"] = [[*ent[:2], draw.choice(["OLD", "LOC"])] for ent in documents.ents_of(draw, size, ids=False)]
    key = made["config"].get("spans_key", "ruler") if factory == "span_ruler" else None
    if key and draw.random() < 0.4:
        made["spans"] = [[start, draw.randint(start + 1, size), "S"] for start in [draw.randrange(size) for _ in range(2)]]
    nlp = spacy.blank("en")
    at_spaces(nlp)
    ruler = nlp.add_pipe(factory, name="ruler", config=made["config"])
    try:
        if made["patterns"]:
            ruler.add_patterns([dict(one) for one in made["patterns"]])
        doc = Doc(nlp.vocab, words=made["words"])
        if "ents" in made:
            doc.ents = [Span(doc, *ent) for ent in made["ents"]]
        if "spans" in made:
            doc.spans[key] = [Span(doc, *span) for span in made["spans"]]
        groups = {}
        for key_id, start, end in ruler.match(doc) if factory == "entity_ruler" else []:
            label, _, own = nlp.vocab.strings[key_id].partition("||")
            groups.setdefault((start, end), set()).add((start, end, label, own))
        doc = ruler(doc)
    except Exception as error:
        made["expect"] = matching.error_of(error)
        return made
    made["ties"] = any(len(group) > 1 for group in groups.values())
    expect = made["expect"] = {"ents": shown(doc.ents), "iob": [token.ent_iob for token in doc]}
    if key:
        expect["spans"] = shown(doc.spans[key])
    if made["ties"]:
        expect["alternatives"] = [sorted(map(list, group)) for group in groups.values() if len(group) > 1]
    return made


ATTRIBUTE_WORDS = ["cat", "the", "US", "us", "x", "saws", "saw", "don't", "her", "who", "."]
ATTRIBUTE_TAGS = ["N", "V", "PRP", "DT", ".", ""]
FEATURES = ["A=y|B=x", "B=x|A=y", "", "_", "Number=Sing", "A=2,1"]


def attributes_of(draw):
    attrs = {}
    for name, values in (("TAG", ATTRIBUTE_TAGS), ("POS", ["NOUN", "DET", "X"]), ("MORPH", FEATURES), ("LEMMA", ["LEM", "l2"]),
                         ("NORM", ["n1"])):
        if draw.random() < 0.4:
            attrs[name if draw.random() < 0.9 else name.lower()] = draw.choice(values)
    return attrs or {"POS": "X"}


def mapped(draw):
    attrs = {key: value for key, value in attributes_of(draw).items() if key in ("POS", "LEMMA", "MORPH", "NORM")}
    for _ in range(draw.randint(0, 2)):
        attrs[draw.choice(["Number", "Case", "Person"])] = draw.choice(["Sing", "Nom", "1"])
    return attrs


def attribute_document(draw):
    made = {"words": [draw.choice(ATTRIBUTE_WORDS) for _ in range(draw.randint(0, 6))]}
    size = len(made["words"])
    made["spaces"] = [True] * size
    made["tags"] = [draw.choice(ATTRIBUTE_TAGS) for _ in range(size)]
    made["pos"] = [draw.choice(["NOUN", "VERB", "X", "DET", "PRON", ""]) for _ in range(size)]
    made["lemmas"] = [draw.choice(["old", ""]) for _ in range(size)]
    made["morphs"] = [draw.choice(["", "Old=1", None]) for _ in range(size)]
    return made


def token_columns(doc):
    return {"tags": [token.tag_ for token in doc], "pos": [token.pos_ for token in doc],
            "morphs": [str(token.morph) if token.has_morph() else None for token in doc],
            "lemmas": [token.lemma_ for token in doc], "norms": [token.norm_ for token in doc]}


def attribute_record(draw, vocab):
    made = {}
    if draw.random() < 0.8:
        made["patterns"] = []
        for _ in range(draw.randint(1, 4)):
            specs = [{draw.choice(["ORTH", "LOWER", "TEXT"]): draw.choice(ATTRIBUTE_WORDS)} if draw.random() < 0.6 else
                     {"TAG": draw.choice(ATTRIBUTE_TAGS)} for _ in range(draw.randint(1, 3))]
            if draw.random() < 0.4:
                draw.choice(specs)["OP"] = draw.choice("?*+!")
            rule = {"patterns": [specs], "attrs": attributes_of(draw)}
            if draw.random() < 0.3:
                rule["index"] = draw.choice([0, 1, -1, 2, -2])
            made["patterns"].append(rule)
    if draw.random() < 0.3:
        made["tag_map"] = {tag: mapped(draw) for tag in draw.sample(["N", "V", "DT"], 2)}
    if draw.random() < 0.3:
        made["morph_rules"] = {tag: {draw.choice(ATTRIBUTE_WORDS): mapped(draw)} for tag in draw.sample(["N", "PRP"], 1)}
    if not made:
        return None
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("attribute_ruler")
    try:
        ruler.initialize(lambda: [], nlp=nlp, **made)
    except Exception:
        return None
    made["stored_patterns"] = [{"patterns": one["patterns"], "attrs": one["attrs"], "index": one["index"]} for one in ruler.patterns]
    made["docs"] = []
    for _ in range(3):
        document = attribute_document(draw)
        doc = documents.doc_of(nlp.vocab, document)
        try:
            expect = token_columns(ruler(doc))
        except Exception:
            expect = {"error": "E1001"}
        made["docs"].append({"doc": document, "expect": expect})
    return made


FORMS = ["cats", "Cats", "mice", "saws", "saw", "walked", "carries", "went", "better", "bigger", "nicest", "axes", "us", "“", "s", "x",
         "Unknowns", "niemały", "najlepszy", "dell'", "l'", "un'", "gli", "alcun", "nienajlepszy", "STRASSEN", "men", "1s", "İs", "d'"]
LEMMAS = ["cat", "Cat", "mouse", "saw", "see", "walk", "carry", "go", "good", "big", "nice", "axe", "we", "mały", "dobry"]
PARTS = ["NOUN", "VERB", "ADJ", "ADV", "PROPN", "PUNCT", "AUX", "X", "", "DET", "PRON", "ADP", "NUM", "SPACE", "PART", "INTJ"]
RULES = [["s", ""], ["ses", "s"], ["ies", "y"], ["men", "man"], ["es", "e"], ["ed", ""], ["ed", "e"], ["er", ""], ["“", '"'], ["", "x"],
         ["est", "e"], ["cats", ""]]
MODES = {"en": ["rule", "lookup"], "nl": ["rule", "lookup"], "sv": ["rule"], "bn": ["rule"], "fa": ["rule"], "nb": ["rule"],
         "it": ["pos_lookup"], "pl": ["pos_lookup"], "de": ["lookup", "rule"], "xx": ["lookup"], "es": ["lookup"], "fr": ["lookup"]}
TABLES_OF_PARTS = {"it": ["noun", "verb", "adj", "adv", "adp", "det", "num", "pron", "punct", "sconj", "other", "aux"],
                   "pl": ["adj", "adp", "adv", "aux", "noun", "num", "part", "pron", "verb"]}


def tables_of(draw, lang, mode):
    lookup = lambda: {draw.choice(FORMS): draw.choice(LEMMAS) for _ in range(draw.randint(1, 6))}
    by_part = lambda one: {part.lower(): one() for part in PARTS if part and draw.random() < 0.5}
    if mode == "lookup":
        table = lookup()
        for form in table:
            if draw.random() < 0.2 and lang != "nl":
                table[form] = [table[form], "other"]
        return {"lemma_lookup": table}
    if mode == "pos_lookup":
        tables = {f"lemma_lookup_{part}": lookup() for part in TABLES_OF_PARTS[lang]}
        return {**tables, "lemma_lookup": lookup()} if lang == "it" else tables
    tables = {"lemma_rules": by_part(lambda: draw.sample(RULES, draw.randint(0, 6)))}
    if lang == "nl" or draw.random() < 0.7:
        tables["lemma_exc"] = by_part(lambda: {form.lower(): draw.sample(LEMMAS, draw.randint(1, 3)) for form in draw.sample(FORMS, 3)})
    if lang == "nl" or draw.random() < 0.7:
        tables["lemma_index"] = by_part(lambda: draw.sample(LEMMAS, 5))
    if lang == "nl":
        tables["lemma_lookup"] = lookup()
    return tables


def lemmatizer_record(draw, _):
    lang = draw.choice(list(MODES))
    made = {"lang": lang, "mode": draw.choice(MODES[lang]), "overwrite": draw.random() < 0.6}
    made["tables"] = tables_of(draw, lang, made["mode"])
    size = draw.randint(0, 14)
    made["doc"] = {"words": [draw.choice(FORMS) for _ in range(size)], "spaces": [True] * size,
                   "pos": [draw.choice(PARTS) for _ in range(size)],
                   "morphs": [draw.choice(["", "VerbForm=Inf", "Degree=Pos", "Number=Sing", "VerbForm=Fin|Tense=Pres",
                                           "Number=Plur", "Degree=Cmp", "VerbForm=Fin|Tense=Pres|Number=Sing"]) for _ in range(size)],
                   "lemmas": [draw.choice(["", "", "kept"]) for _ in range(size)]}
    nlp = spacy.blank(lang)
    lemmatizer = nlp.add_pipe("lemmatizer", config={"mode": made["mode"], "overwrite": made["overwrite"]})
    lookups = Lookups()
    for name, table in made["tables"].items():
        lookups.add_table(name, table)
    lemmatizer.initialize(lookups=lookups)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made["expect"] = [token.lemma_ for token in lemmatizer(documents.doc_of(nlp.vocab, made["doc"]))]
    return made


STOPS = ["!", ".", "?", "...", "!?", "。", "؟", "،", "-", "(", ")", "¿", "Hello", "no", "\n", "1", "Mr", '"', "।", "»", "٪"]


def sentencizer_record(draw, _):
    made = {"punct_chars": draw.choice([None, None, [], ["!"], ["...", "no"], ["。", "."]]), "overwrite": draw.random() < 0.7}
    words = [draw.choice(STOPS) for _ in range(draw.randint(0, 16))]
    made["doc"] = {"words": words, "spaces": [True] * len(words)}
    if words and draw.random() < 0.4:
        made["doc"]["sent_starts"] = [1] + [draw.choice([0, 1, -1, 0]) for _ in words[1:]]
    nlp = spacy.blank("xx")
    pipe = nlp.add_pipe("sentencizer", config={key: made[key] for key in ("punct_chars", "overwrite")})
    doc = pipe(documents.doc_of(nlp.vocab, made["doc"]))
    made["expect"] = [{True: 1, False: -1, None: 0}[token.is_sent_start] for token in doc]
    return made


def retokenize_record(draw, vocab):
    component = draw.choice(["merge_entities", "merge_noun_chunks", "merge_subtokens", "token_splitter"])
    made = documents.record(draw, most=12, words=["Ivo", "sold", "seven", "teachers", "near", "window", "extraordinarily", ".", "the"],
                            tree=1, columns=1, least=1)
    made.pop("sent_starts", None)
    made["component"], made["config"] = component, {}
    size = len(made["words"])
    if component == "token_splitter":
        made["config"] = {"min_length": draw.choice([0, 5, 7]), "split_length": draw.choice([0, 2, 3, 4])}
        for column in ("tags", "pos", "morphs", "deps", "ents"):
            made.pop(column, None)
        if draw.random() < 0.5:
            made.pop("heads")
        else:
            made["deps"] = ["ROOT" if head == i else "dep" for i, head in enumerate(made["heads"])]
    else:
        made["ents"] = documents.ents_of(draw, size, ids=False)
        made["morphs"] = [morph or "" for morph in made["morphs"]]
        names = {"merge_noun_chunks": ["nsubj", "dobj", "pobj", "det", "conj", "amod", "attr"], "merge_subtokens": ["subtok", "det", "subtok"]}
        made["deps"] = [dep if dep == "ROOT" else draw.choice(names.get(component, documents.DEPS)) for dep in made["deps"]]
    doc = documents.doc_of(vocab, made)
    nlp = spacy.blank("en", vocab=vocab)
    try:
        doc = nlp.add_pipe(component, config=made["config"])(doc)
    except Exception:
        return None
    expect = made["expect"] = {"words": [token.text for token in doc], "spaces": [bool(token.whitespace_) for token in doc]}
    if component == "token_splitter":
        expect["lemmas"] = [token.lemma_ for token in doc]
        if "heads" in made:
            expect["heads"] = [token.head.i for token in doc]
        return made
    columns = token_columns(doc)
    expect.update({key: columns[key] for key in ("tags", "pos", "lemmas", "norms")})
    expect.update(morphs=[str(token.morph) for token in doc], heads=[token.head.i for token in doc], deps=[token.dep_ for token in doc],
                  ent_iob=[token.ent_iob for token in doc], ent_types=[token.ent_type_ for token in doc],
                  sent_starts=[{True: 1, False: -1, None: 0}[token.is_sent_start] for token in doc])
    return made


def filter_record(draw, vocab):
    size = draw.randint(1, 9)
    doc = Doc(vocab, words=["w"] * size)
    spans = []
    for _ in range(draw.randint(0, 7)):
        start = draw.randrange(size)
        spans.append([start, draw.randint(start + 1, min(size, start + 5)), draw.choice("AB")])
    made = {"tokens": size, "spans": spans, "entities": [ent[:2] + ["E"] for ent in documents.ents_of(draw, size, ids=False)]}
    ents, rest = ([Span(doc, *one) for one in made[key]] for key in ("entities", "spans"))
    shown_plain = lambda found: [[span.start, span.end, span.label_] for span in found]
    made["expect"] = {"filter_spans": shown_plain(spacy.util.filter_spans(rest))}
    for name in ("first_longest_spans_filter", "prioritize_new_ents_filter", "prioritize_existing_ents_filter"):
        made["expect"][name] = shown_plain(registry.misc.get(f"spacy.{name}.v1")()(ents, rest))
    return made
