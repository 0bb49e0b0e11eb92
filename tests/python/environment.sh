#!/bin/sh
# environment.sh FOLDER
#
# Makes a Python environment in FOLDER, once, with all that the package is built and tested with. Exit
# code 77: it cannot be had here, and the last line says why.
folder=$1
has_all='import ipykernel, mypy, nanobind, nbclient, nbformat, numpy, pyarrow, pydantic, pytest'

"$folder/bin/python" -c "$has_all" 2>/dev/null && exit 0
rm -rf "$folder"
if ! python3 -m venv "$folder"; then
  rm -rf "$folder"
  echo "SKIPPED: python3 -m venv does not work here (Debian: apt-get install python3-venv)"
  exit 77
fi
if ! "$folder/bin/python" -m pip install --quiet 'nanobind==3.1.*' mypy numpy pytest pyarrow pydantic nbclient nbformat ipykernel; then
  rm -rf "$folder"
  echo "SKIPPED: nanobind could not be installed from the package index (no network?)"
  exit 77
fi
headers='import os, sysconfig, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
if ! "$folder/bin/python" -c "$headers"; then
  rm -rf "$folder"
  echo "SKIPPED: there are no headers of Python here (Debian: apt-get install python3-dev)"
  exit 77
fi
"$folder/bin/python" -c "$has_all"
