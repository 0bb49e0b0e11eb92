#!/bin/sh
# run.sh FOLDER SITE WORDS...
#
# Runs the interpreter in FOLDER with the package in SITE at hand. Exit code 77 where there is none.
folder=$1 site=$2
shift 2
if [ ! -e "$site/weft" ]; then
  echo "SKIPPED: the Python module was not built; the test python_module says why"
  exit 77
fi
export PYTHONPATH=$site PYTHONDONTWRITEBYTECODE=1
exec "$folder/bin/python" -X dev "$@"
