#!/bin/sh
# environment.sh FOLDER SOURCE
#
# Makes a Python environment with Ray and with the package in SOURCE in FOLDER, once. WEFT_RAY_PYTHON names an
# interpreter to be used instead. Exit code 77: it cannot be had here, and the last line says why.
folder=$1 source=$2

if [ -n "$WEFT_RAY_PYTHON" ]; then
  "$WEFT_RAY_PYTHON" -c 'import ray' && exit 0
  echo "WEFT_RAY_PYTHON is $WEFT_RAY_PYTHON, which lacks Ray"
  exit 1
fi

if ! "$folder/bin/python" -c 'import ray' 2>/dev/null; then
  rm -rf "$folder"
  if ! python3 -m venv "$folder"; then
    rm -rf "$folder"
    echo "SKIPPED: python3 -m venv does not work here (Debian: apt-get install python3-venv)"
    exit 77
  fi
fi
# The package is small and may have changed.
if ! "$folder/bin/python" -m pip install --quiet "$source"; then
  rm -rf "$folder"
  echo "SKIPPED: ray could not be installed from the package index (no network?)"
  exit 77
fi
"$folder/bin/python" -c 'import ray, weft_ray'
