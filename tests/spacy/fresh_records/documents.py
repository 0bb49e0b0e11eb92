"""Documents drawn at random, as records write them down and as spaCy has them."""
from spacy.tokens import Doc, Span

WORDS = ["a", "b", "A", "B", "Ab", "cat", "cats", "Cat", "CATS", "1", "12", "3.50", "ten", "$", "€4", "(", ")", '"', "'", ".",
         ",", "...", "https://example.com", "me@site.org", "isn't", "the", "München", "straße", "日本", "Ⅳ", "x-y", "\n", "to",
         "naïve", "I", "co-op", "10th", "1/2", "%", "é", "ﬁn", "İx"]
TAGS = ["NN", "NNS", "VB", "", "."]
POS = ["NOUN", "VERB", "ADJ", "", "PUNCT", "PROPN"]
LEMMAS = ["cat", "be", "", "a", "to"]
MORPHS = [None, "", "Number=Sing", "Number=Plur", "Tense=Past|VerbForm=Fin,Inf", "Case=Nom|Number=Sing", "A=1|B=2,3"]
DEPS = ["nsubj", "dobj", "det", "punct", "amod"]
ENTS = ["ORG", "PER", "LOC"]


def heads_of(draw, size):
    """A tree or several; arcs may cross."""
    order = list(range(size))
    draw.shuffle(order)
    heads = list(range(size))
    for place, token in enumerate(order):
        if place and draw.random() < 0.85:
            near = sorted(order[:place], key=lambda other: abs(other - token))
            heads[token] = draw.choice(near[:2] if draw.random() < 0.7 else near)
    return heads


def ents_of(draw, size, ids=True):
    ents, at = [], 0
    while at < size:
        end = min(size, at + draw.randint(1, 3))
        if draw.random() < 0.35:
            ent = [at, end, draw.choice(ENTS)]
            ents.append(ent + [draw.choice(["x1", "y"])] if ids and draw.random() < 0.3 else ent)
        at = end
    return ents


def record(draw, most=9, words=WORDS, tree=0.3, columns=0.5, least=0):
    size = draw.randint(least, most)
    few = draw.sample(words, min(len(words), draw.randint(2, 7)))
    made = {"words": [draw.choice(few) for _ in range(size)]}
    if draw.random() < 0.4:
        made["spaces"] = [draw.random() < 0.7 for _ in range(size)]
    for name, values in (("tags", TAGS), ("pos", POS), ("lemmas", LEMMAS), ("morphs", MORPHS)):
        if draw.random() < columns:
            made[name] = [draw.choice(values) for _ in range(size)]
    if draw.random() < tree and size:
        made["heads"] = heads_of(draw, size)
        made["deps"] = ["ROOT" if head == i else draw.choice(DEPS) for i, head in enumerate(made["heads"])]
    elif draw.random() < 0.3 and size:
        made["sent_starts"] = [1] + [draw.choice([1, 0, -1, -1]) for _ in range(size - 1)]
    if draw.random() < 0.4 and size:
        made["ents"] = ents_of(draw, size)
    return made


def doc_of(vocab, made):
    doc = Doc(vocab, words=made["words"], spaces=made.get("spaces"), tags=made.get("tags"), pos=made.get("pos"),
              lemmas=made.get("lemmas"), heads=made.get("heads"), deps=made.get("deps"))
    for token, morph in zip(doc, made.get("morphs", [])):
        if morph is not None:
            token.set_morph(morph)
    for token, start in zip(doc, made.get("sent_starts", [])):
        token.is_sent_start = {1: True, 0: None, -1: False}[start]
    if "ents" in made:
        doc.ents = [Span(doc, *ent[:3], span_id=ent[3] if len(ent) > 3 else "") for ent in made["ents"]]
    for key, spans in made.get("spans", {}).items() if isinstance(made.get("spans"), dict) else []:
        doc.spans[key] = [Span(doc, *span) for span in spans]
    return doc
