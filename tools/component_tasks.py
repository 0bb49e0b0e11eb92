"""The tasks of compare_components.py: what is trained on which files, and which scores count."""
import csv
import pathlib
import random

TREEBANK, INTENTS, ENTITIES = "ud-en-ewt", "snips", "bc5cdr"
NESTED_KEY = "sc"

TOK2VEC = """
[components.NAME.model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 96
depth = 4
embed_size = 2000
window_size = 1
maxout_pieces = 3
subword_features = true
"""
BOW = '@architectures = "spacy.TextCatBOW.v3"\nexclusive_classes = EXCLUSIVE\nngram_size = 1\nno_output_layer = false\nlength = 262144\n'
ENSEMBLE = ('@architectures = "spacy.TextCatEnsemble.v2"\n\n[components.NAME.model.linear_model]\n' + BOW + """
[components.NAME.model.tok2vec]
@architectures = "spacy.Tok2Vec.v2"

[components.NAME.model.tok2vec.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = 64
rows = [2000, 2000, 500, 1000, 500]
attrs = ["NORM", "LOWER", "PREFIX", "SUFFIX", "SHAPE"]
include_static_vectors = false

[components.NAME.model.tok2vec.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 64
window_size = 1
maxout_pieces = 3
depth = 2
""")
NETWORKS = {  # settings of [components.NAME.model]
    "ensemble": ENSEMBLE,
    "bow": BOW,
    "bow2": '@architectures = "spacy.TextCatBOW.v2"\nexclusive_classes = EXCLUSIVE\nngram_size = 1\nno_output_layer = false\n',
    "reduce": '@architectures = "spacy.TextCatReduce.v1"\nexclusive_classes = EXCLUSIVE\nuse_reduce_first = true\n'
              'use_reduce_last = true\nuse_reduce_max = true\nuse_reduce_mean = true\n' + TOK2VEC,
    "cnn": '@architectures = "spacy.TextCatCNN.v2"\nexclusive_classes = EXCLUSIVE\n' + TOK2VEC,
    "attention": '@architectures = "spacy.TextCatParametricAttention.v1"\nexclusive_classes = EXCLUSIVE\n' + TOK2VEC,
}


class Task:
    def __init__(self, data, pipeline, scores, network=None, settings=None):
        self.data, self.pipeline, self.scores = data, pipeline, scores
        self.network, self.settings = network, settings or {}

    def config(self, text):
        """The config that `spacy init config` wrote, with the network of the task."""
        name = self.pipeline[-1]
        if self.network:
            settings = self.network.replace("NAME", name).replace("EXCLUSIVE", str("multilabel" not in name).lower())
            before, _, rest = text.partition(f"[components.{name}.model]\n")
            sections = rest.split("\n[")
            kept = [part for part in sections[1:] if not part.startswith(f"components.{name}.model")]
            text = before + f"[components.{name}.model]\n{settings}\n[" + "\n[".join(kept)
        return text


TASKS = {
    "tagging": Task(TREEBANK, ["tagger", "morphologizer", "trainable_lemmatizer", "senter"],
                    ["tag_acc", "pos_acc", "morph_acc", "lemma_acc", "sents_f"]),
    "parser": Task(TREEBANK, ["parser"], ["dep_uas", "dep_las", "sents_f"]),
    "spancat": Task(ENTITIES, ["spancat"], ["spans_sc_f"]),
    "spancat_nested": Task("nested", ["spancat"], ["spans_sc_f"]),
    "beam_parser": Task(TREEBANK, ["beam_parser"], ["dep_uas", "dep_las"]),
    "beam_ner": Task(ENTITIES, ["beam_ner"], ["ents_f"]),
}
for network, settings in NETWORKS.items():
    for factory in ("textcat", "textcat_multilabel"):
        TASKS[f"{factory}_{network}"] = Task(INTENTS, [factory], ["cats_score", "cats_macro_f"], settings)


def intent_docs(nlp, file):
    labels = ["AddToPlaylist", "BookRestaurant", "GetWeather", "PlayMusic", "RateBook", "SearchCreativeWork",
              "SearchScreeningEvent"]
    with open(file, encoding="utf8") as rows:
        for label, text in csv.reader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
            doc = nlp.make_doc(text)
            doc.cats = {one: float(one == label) for one in labels}
            yield doc


def span_docs(nlp, file, nested):
    """Sentences with their entities as spans; nested: each pair of neighbours, and what is between, is a span too."""
    from spacy.tokens import Doc, Span

    for part in pathlib.Path(file).read_text(encoding="utf8").split("\n\n"):
        lines = [line.split("\t") for line in part.splitlines() if line and not line.startswith("-DOCSTART-")]
        if not lines:
            continue
        doc = Doc(nlp.vocab, words=[line[0] for line in lines])
        spans, start = [], None
        for i, tag in enumerate([line[-1] for line in lines] + ["O"]):
            if start is not None and tag[:2] != "I-":
                spans.append((start, i, lines[start][-1][2:]))
                start = None
            if tag[:2] == "B-" or (tag[:2] == "I-" and start is None):
                start = i
        if nested:
            spans += [(a[0], b[1], "Pair") for a, b in zip(spans, spans[1:]) if b[1] - a[0] <= 8]
        doc.spans[NESTED_KEY] = [Span(doc, *span) for span in spans]
        doc.set_ents([Span(doc, *span) for span in spans if span[2] != "Pair"])
        yield doc


def write_corpora(data, folder):
    """train, dev and test of each corpus as .spacy, and the texts of train."""
    import spacy
    from spacy.tokens import DocBin
    from spacy.training.converters import conllu_to_docs

    nlp = spacy.blank("en")
    for name in (TREEBANK, INTENTS, ENTITIES, "nested"):
        for part in ("train", "dev", "test"):
            file, few = folder / name / f"{part}.spacy", folder / name / "few.spacy"
            if file.exists() and (part != "dev" or few.exists()):
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            if name == TREEBANK:
                text = (data / name / f"{part}.conllu").read_text(encoding="utf8")
                docs = list(conllu_to_docs(text, n_sents=10, no_print=True))
            elif name == INTENTS:
                docs = list(intent_docs(nlp, data / name / f"{part}.tsv"))
                random.Random(0).shuffle(docs)
            else:
                docs = list(span_docs(nlp, data / ENTITIES / f"{part}.conll", name == "nested"))
            DocBin(docs=docs, store_user_data=True).to_disk(file)
            if part == "train":
                texts = [" ".join(doc.text.split()) for doc in docs]
                (file.parent / "train.txt").write_text("\n".join(texts) + "\n", encoding="utf8")
            if part == "dev":
                DocBin(docs=docs[:20], store_user_data=True).to_disk(few)
