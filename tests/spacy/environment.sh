#!/bin/sh
# environment.sh FOLDER
#
# Makes a Python environment with spaCy 3.8 in FOLDER, once; the tests that compare with spaCy share
# it. WEFT_SPACY_PYTHON names an interpreter to be used instead. Exit code 77: it cannot be had
# here, and the last line says why.
folder=$1
requirement='spacy==3.8.*'
has_spacy='import spacy, sys; sys.exit(not spacy.__version__.startswith("3.8."))'

if [ -n "$WEFT_SPACY_PYTHON" ]; then
  "$WEFT_SPACY_PYTHON" -c "$has_spacy" && exit 0
  echo "WEFT_SPACY_PYTHON is $WEFT_SPACY_PYTHON, which has no spaCy 3.8"
  exit 1
fi

"$folder/bin/python" -c "$has_spacy" 2>/dev/null && exit 0
rm -rf "$folder"
if ! python3 -m venv "$folder"; then
  rm -rf "$folder"
  echo "SKIPPED: python3 -m venv does not work here (Debian: apt-get install python3-venv)"
  exit 77
fi
if ! "$folder/bin/python" -m pip install --quiet --only-binary=:all: "$requirement"; then
  rm -rf "$folder"
  echo "SKIPPED: $requirement could not be installed from the package index (no network?)"
  exit 77
fi
"$folder/bin/python" -c "$has_spacy"
