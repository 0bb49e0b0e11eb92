#!/bin/sh
# run.sh FOLDER SCRIPT WORDS...
#
# Runs a test script with the interpreter that environment.sh prepared in FOLDER. Exit code 77 where there is none,
# with the reason in the output of that test.
folder=$1
shift
python=${WEFT_RAY_PYTHON:-$folder/bin/python}
if ! command -v "$python" >/dev/null; then
  echo "SKIPPED: no Python with Ray; the test ray_environment_heavy says why"
  exit 77
fi
exec "$python" "$@"
