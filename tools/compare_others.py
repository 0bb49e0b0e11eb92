#!/usr/bin/env python3
"""Compares components with programs other than spaCy, trained on the same files, on one thread.

    compare_others.py fasttext DATA WORK [--ngrams 1] [--epochs 5]
    compare_others.py udpipe DATA WORK [--iterations 5] [--steps 3000]

DATA holds snips and ud-en-ewt. Needs spaCy 3.8, fasttext-wheel (fasttext) and ufal.udpipe (udpipe) in the environment; files
lie in WORK. Times are processor seconds (user and system); loading is left out.

fasttext: the linear classifier of words, textcat with TextCatBOW.v3, beside fastText's: training, prediction, accuracy.
weft trains twice, with Adam as spaCy's config has it and with plain steps, which fastText takes too.
udpipe: tagger, morphologizer, trainable_lemmatizer and parser beside UDPipe 1: accuracy on the words of the test part,
words a second of prediction.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

import compare_components as components
import component_tasks


def rows_of(file):
    import csv

    with open(file, encoding="utf8") as rows:
        return list(csv.reader(rows, delimiter="\t", quoting=csv.QUOTE_NONE))


def tokenized(data, part):
    """(label, words) of each row, cut as both sides see them."""
    import spacy

    nlp = spacy.blank("en")
    return [(label, [token.text for token in nlp.make_doc(text) if not token.is_space]) for label, text in rows_of(data / "snips" / f"{part}.tsv")]


def fasttext_side(options):
    import fasttext

    file = options.work / "fasttext.txt"
    train, test = tokenized(options.data, "train"), tokenized(options.data, "test")
    file.write_text("".join(f"__label__{label} {' '.join(words)}\n" for label, words in train), encoding="utf8")
    start = time.process_time()
    model = fasttext.train_supervised(str(file), epoch=options.epochs, wordNgrams=options.ngrams, thread=1, minn=0, maxn=0,
                                      bucket=262144, dim=options.dim, lr=options.rate, verbose=0)
    trained = time.process_time() - start
    texts = [" ".join(words) for _, words in test] * options.repeats
    start = time.process_time()
    found = [labels[0] for labels in model.predict(texts)[0]]
    predicted = time.process_time() - start
    right = sum(one == f"__label__{label}" for one, (label, _) in zip(found, test))
    words = sum(len(words) for _, words in train)
    return {"train": trained, "words": words * options.epochs, "predict": predicted, "texts": len(texts), "accuracy": right / len(test)}


PLAIN_STEPS = """[training.optimizer]
@optimizers = "SGD.v1"
learn_rate = 0.001
L2 = 0.0
grad_clip = 0.0
use_averages = false
"""


def with_plain_steps(config):
    """The config with another optimizer, beside the one that is there."""
    before, after = config.read_text(encoding="utf8").split("[training.optimizer]\n")
    plain = config.with_name("plain.cfg")
    plain.write_text(before + PLAIN_STEPS + "\n[" + after.split("\n[", 1)[1], encoding="utf8")
    return plain


def weft_side(options, rate, plain):
    side = components.Side("weft", "textcat_bow", options)
    if plain:
        side.config = with_plain_steps(side.config)
    lines = len(tokenized(options.data, "train"))
    more = [f"--components.textcat.model.ngram_size={options.ngrams}", f"--training.optimizer.learn_rate={rate}",
            "--training.max_epochs", options.epochs]
    seconds = lambda steps: side.train(side.folder / "weft-others", steps, "few", 0, more)[0]
    few, whole = seconds(2), seconds(100000)
    scores = side.evaluate(side.folder / "weft-others" / "model-last", side.folder / "others.json")
    texts = options.work / "test.txt"
    test = rows_of(options.data / "snips" / "test.tsv")
    texts.write_text("".join(text + "\n" for _, text in test), encoding="utf8")
    benchmark = [options.weft, "benchmark", "speed", side.folder / "weft-others" / "model-last", texts, "--warmup", 0, "--threads", 1,
                 "--json", "--repeats"]
    log = side.folder / "others.log"
    first, more_seconds = (components.run(benchmark + [count], log)[0] for count in (1, 1 + options.repeats))
    return {"train": whole - few, "predict": more_seconds - first, "texts": len(test) * options.repeats, "documents": lines,
            "accuracy": scores["cats_micro_f"]}


def fasttext(options):
    theirs = fasttext_side(options)
    ours = {"weft, Adam": weft_side(options, options.weft_rate, False), "weft, plain steps": weft_side(options, options.rate, True)}
    print("| | training, s | prediction, texts/s | accuracy | training | prediction |\n| --- | --- | --- | --- | --- | --- |")
    for name, one in {"fastText": theirs, **ours}.items():
        ratios = [theirs["train"] / one["train"], one["texts"] / one["predict"] * theirs["predict"] / theirs["texts"]]
        print(f"| {name} | {one['train']:.2f} | {one['texts'] / one['predict']:,.0f} | {100 * one['accuracy']:.2f} | "
              f"{ratios[0]:.2f} x | {ratios[1]:.2f} x |")


def sentences_of(path):
    from ufal.udpipe import InputFormat, ProcessingError, Sentence

    reader, error, found = InputFormat.newConlluInputFormat(), ProcessingError(), []
    reader.setText(path.read_text(encoding="utf8"))
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        found.append(sentence)
        sentence = Sentence()
    return found


def trained_udpipe(options):
    from ufal.udpipe import Model, ProcessingError, Sentences, Trainer

    file = options.work / f"udpipe-{options.iterations}.model"
    if not file.exists():
        train = Sentences()
        for sentence in sentences_of(options.data / "ud-en-ewt" / "train.conllu"):
            train.push_back(sentence)
        error = ProcessingError()
        start = time.process_time()
        bytes_of = Trainer.train("morphodita_parsito", train, Sentences(), "none", f"iterations={options.iterations}",
                                 f"iterations={options.iterations};transition_system=swap;transition_oracle=static_lazy", error)
        if error.occurred():
            sys.exit(error.message)
        file.write_bytes(bytes_of)
        (options.work / "udpipe-seconds.txt").write_text(f"{time.process_time() - start:.0f}\n")
    return Model.load(str(file))


def udpipe_side(options):
    from ufal.udpipe import ProcessingError

    model = trained_udpipe(options)
    test = sentences_of(options.data / "ud-en-ewt" / "test.conllu")
    gold = [[(w.upostag, w.xpostag, w.feats, w.lemma, w.head, w.deprel.split(":")[0]) for w in s.words][1:] for s in test]
    seconds, counts, total, error = {}, [0] * 6, 0, ProcessingError()
    start = time.process_time()
    for sentence in test:
        model.tag(sentence, "", error)
    seconds["tag"] = time.process_time() - start
    start = time.process_time()
    for sentence in test:
        model.parse(sentence, "", error)
    seconds["parse"] = time.process_time() - start
    for sentence, wanted in zip(test, gold):
        for word, (upos, xpos, feats, lemma, head, label) in zip(list(sentence.words)[1:], wanted):
            total += 1
            good = [word.upostag == upos, word.xpostag == xpos, word.feats == feats, word.lemma == lemma, word.head == head,
                    word.head == head and word.deprel.split(":")[0] == label]
            counts = [count + one for count, one in zip(counts, good)]
    return {"accuracy": [100 * count / total for count in counts], "words": total, "seconds": seconds}


def udpipe(options):
    theirs = udpipe_side(options)
    print("| | UPOS | XPOS | features | lemmas | UAS | LAS | words/s: tags | parses |\n|" + " --- |" * 9)
    accuracy = " | ".join(f"{value:.2f}" for value in theirs["accuracy"])
    speeds = " | ".join(f"{theirs['words'] / theirs['seconds'][key]:,.0f}" for key in ("tag", "parse"))
    print(f"| UDPipe 1, {options.iterations} iterations | {accuracy} | {speeds} |", flush=True)
    values, speeds = [], []
    test = options.data / "ud-en-ewt" / "test.conllu"
    for name in ("tagging", "parser"):
        side = components.Side("weft", name, options)
        out = side.folder / f"weft-udpipe-{options.steps}"
        if not (out / "model-last").exists():
            side.train(out, options.steps, "few")
        done = subprocess.run([options.weft, "evaluate", out / "model-last", test, "--gold-preproc", "--json"], capture_output=True,
                              text=True, check=True)
        scores = json.loads(done.stdout)
        values += [100 * scores[key] for key in (("pos_acc", "tag_acc", "morph_acc", "lemma_acc") if name == "tagging" else ("dep_uas", "dep_las"))]
        benchmark = [options.weft, "benchmark", "speed", out / "model-last", test, "--warmup", 0, "--threads", 1, "--json", "--repeats"]
        few, more = (components.run(benchmark + [count], side.folder / "others.log")[0] for count in (1, 6))
        speeds.append(5 * theirs["words"] / (more - few))
    print(f"| weft, {options.steps} steps | " + " | ".join(f"{value:.2f}" for value in values) + " | " +
          " | ".join(f"{value:,.0f}" for value in speeds) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["fasttext", "udpipe"])
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--ngrams", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--dim", type=int, default=10)
    parser.add_argument("--rate", type=float, default=0.5)
    parser.add_argument("--weft-rate", type=float, default=0.005)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--weft", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "build/bin/weft")
    parser.set_defaults(threads=1)
    options = parser.parse_args()
    component_tasks.write_corpora(options.data, options.work)
    return {"fasttext": fasttext, "udpipe": udpipe}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
