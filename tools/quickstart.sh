#!/usr/bin/env bash
# From nothing to a trained pipeline: installs what is missing, builds, and trains named entity
# recognition on the corpus that comes with the project (WNUT-17). Then scores it on the test part.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh
tools/build.sh -DWEFT_TESTS=OFF -DWEFT_BENCH=OFF
output="${1:-out/wnut17}"
data=configs/data/wnut17
build/bin/train configs/ner.cfg --paths.train $data/train.conll --paths.dev $data/dev.conll \
  --output "$output" --overwrite
build/bin/evaluate "$output/model-best" $data/test.conll
