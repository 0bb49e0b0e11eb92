#!/usr/bin/env bash
# From nothing to a trained pipeline: installs what is missing, builds, and trains named entity
# recognition with the default config on the corpus that comes with the project (WNUT-17). Then
# scores it on the test part and shows the entities of a few sentences.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh
tools/build.sh -DWEFT_TESTS=OFF -DWEFT_BENCH=OFF
work="${1:-out/wnut17}"
for part in train dev test; do
  build/bin/convert configs/data/wnut17/$part.conll "$work/$part.spacy"
done
build/bin/weft init config "$work/ner.cfg" --lang en --pipeline ner --force
build/bin/train "$work/ner.cfg" --paths.train "$work/train.spacy" --paths.dev "$work/dev.spacy" \
  --training.max_steps 2400 --output "$work/trained" --overwrite
build/bin/evaluate "$work/trained/model-best" "$work/test.spacy"
cat >"$work/sentences.txt" <<'END'
Heading to Chicago tomorrow to see Taylor Swift with Anna!
My new iPhone from Apple broke on the flight to London.
Watching Game of Thrones on Netflix instead of going to work.
END
build/bin/apply "$work/trained/model-best" "$work/sentences.txt" --entities
