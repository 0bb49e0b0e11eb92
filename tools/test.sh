#!/usr/bin/env bash
# Installs missing packages, builds everything, and runs the tests. The flags are those of
# tools/quickstart.sh, whose objects are taken over; -DWEFT_WERROR=ON stays where it was configured.
# The last lines say what was skipped and why, then ctest's closing line stands once more.
# Further words go to ctest, for example `tools/test.sh -R config`.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh --tests
tools/build.sh -DWEFT_TESTS=ON -DWEFT_BENCH=ON
log=$PWD/build/tests/ctest.log
results=$PWD/build/tests/ctest.xml
rm -f "$results"
status=0
# Two tests more than there are processors: some wait, for deadlines and for the disk.
at_once=$(($(nproc) + 2))
ctest --test-dir build --output-on-failure --parallel "$at_once" --output-junit "$results" \
  --test-output-size-passed 65536 "$@" | tee "$log" || status=$?
if [ -f "$results" ]; then tools/skipped_tests.py "$results"; fi
grep ' tests passed, ' "$log" || true
exit "$status"
