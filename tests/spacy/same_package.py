"""A package that weft writes is installed by pip and opened by spaCy under its name.

    same_package.py DATA CONFIG

Trains a small pipeline, packs it as a wheel and as a source archive, installs each into a folder of its
own, without a package index, and compares what spaCy predicts with what it predicts from the folder.
"""
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import zipfile

import spacy

WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
TEXTS = ["Ada Lovelace lived in London.", "I saw @someone at Starbucks in New York", "nothing here"]
USE = """
import json, sys, spacy, spacy.util
nlp = spacy.load("en_shop")
texts = json.loads(sys.argv[1])
print(json.dumps({"ents": [[(e.text, e.label_) for e in doc.ents] for doc in nlp.pipe(texts)],
                  "name": nlp.meta["name"], "version": nlp.meta["version"],
                  "installed": "en_shop" in spacy.util.get_installed_models()}))
"""


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in words)}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def used(archive, folder, *options):
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--upgrade", "--target", folder,
        *options, archive)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return json.loads(run(sys.executable, "-c", USE, json.dumps(TEXTS), env=environment))


def main(data, config):
    WORK.mkdir(parents=True, exist_ok=True)
    run(WEFT, "train", config, "--output", WORK / "out", "--overwrite", "--paths.train", data, "--paths.dev", data,
        "--training.max_steps", 30, "--training.eval_frequency", 30)
    pipeline = WORK / "out" / "model-best"
    nlp = spacy.load(pipeline)
    expected = [[[e.text, e.label_] for e in doc.ents] for doc in nlp.pipe(TEXTS)]
    run(WEFT, "package", pipeline, WORK / "packages", "--name", "shop", "--version", "1.2.3", "--build", "sdist,wheel",
        "--force")
    dist = WORK / "packages" / "en_shop-1.2.3" / "dist"
    wheel, sdist = dist / "en_shop-1.2.3-py3-none-any.whl", dist / "en_shop-1.2.3.tar.gz"
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
    with tarfile.open(sdist) as archive:
        assert "en_shop-1.2.3/PKG-INFO" in archive.getnames()
    results = {"wheel": used(wheel, WORK / "from_wheel")}
    try:
        import setuptools, wheel as _  # noqa: F401  what pip builds a source archive with
        results["sdist"] = used(sdist, WORK / "from_sdist", "--no-build-isolation")
    except ImportError:
        print("the source archive is not installed: there is no setuptools or no wheel")
    wrong = 0
    for name, got in results.items():
        wanted = {"ents": expected, "name": "shop", "version": "1.2.3", "installed": True}
        if got != wanted:
            wrong += 1
            print(f"{name}: {got} is not {wanted}")
    print(f"{len(results) - wrong} of {len(results)} packages work")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
