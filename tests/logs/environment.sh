#!/bin/sh
# environment.sh FOLDER
#
# Makes a Python environment with the packages that open logs in FOLDER, once. WEFT_LOGS_PYTHON names
# an interpreter to be used instead. Exit code 77: it cannot be had here, and the last line says why.
folder=$1
requirements='tensorboard==2.* wandb==0.* mlflow-skinny==3.* sqlalchemy==2.* alembic==1.*'
has_all='import tensorboard, wandb, mlflow, sqlalchemy, alembic'

if [ -n "$WEFT_LOGS_PYTHON" ]; then
  "$WEFT_LOGS_PYTHON" -c "$has_all" && exit 0
  echo "WEFT_LOGS_PYTHON is $WEFT_LOGS_PYTHON, which lacks a package"
  exit 1
fi

"$folder/bin/python" -c "$has_all" 2>/dev/null && exit 0
rm -rf "$folder"
if ! python3 -m venv "$folder"; then
  rm -rf "$folder"
  echo "SKIPPED: python3 -m venv does not work here (Debian: apt-get install python3-venv)"
  exit 77
fi
# shellcheck disable=SC2086
if ! "$folder/bin/python" -m pip install --quiet --only-binary=:all: $requirements; then
  rm -rf "$folder"
  echo "SKIPPED: $requirements could not be installed from the package index (no network?)"
  exit 77
fi
"$folder/bin/python" -c "$has_all"
