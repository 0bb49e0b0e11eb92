#!/bin/sh
# Trains one config at several levels of the precision policy with several seeds, and compares the
# test scores of `model-last` after a fixed number of steps: mean F, standard error, the difference
# from O0, and whether it is within max(0.5, twice the standard error of the difference).
#
#   tools/compare_levels.sh ner.cfg train.conll dev.conll test.conll OUT
#
# In the environment: WEFT (the program), LEVELS, SEEDS, STEPS (the last step), THREADS.
set -eu

if [ $# -ne 5 ]; then
  echo "usage: $0 CONFIG TRAIN DEV TEST OUT" >&2
  exit 2
fi
config=$1 train=$2 dev=$3 test=$4 out=$5
weft=${WEFT:-weft}
levels=${LEVELS:-"O0 O1 O2 O3 bf16"}
seeds=${SEEDS:-"0 1 2 3 4"}
steps=${STEPS:-2300}
threads=${THREADS:-1}

mkdir -p "$out"
for level in $levels; do
  for seed in $seeds; do
    run=$out/$level-$seed
    if [ ! -f "$run.json" ]; then
      "$weft" train "$config" --paths.train "$train" --paths.dev "$dev" --output "$run" --overwrite \
        --threads "$threads" --system.seed "$seed" --training.seed "$seed" \
        --training.max_steps "$steps" --training.eval_frequency "$steps" --training.patience 0 \
        --training.precision.level "$level" >"$run.txt" 2>&1
      "$weft" evaluate "$run/model-last" "$test" --json >"$run.part"
      mv "$run.part" "$run.json"
    fi
    # "ents_f": 0.4321
    f=$(sed -n 's/.*"ents_f": *\([0-9.e-]*\).*/\1/p' "$run.json")
    skipped=$(tail -n 1 "$run/log.jsonl" | sed -n 's/.*"skipped": \([0-9]*\).*/\1/p')
    echo "$level $seed $f ${skipped:-0}"
  done
done >"$out/scores.txt"

awk '
  { f = 100 * $3; n[$1]++; sum[$1] += f; squares[$1] += f * f; skipped[$1] += $4
    if (!($1 in place)) { place[$1] = ++count; name[count] = $1 } }
  END {
    printf "%-6s %6s %8s %8s %8s %8s %6s\n", "level", "seeds", "mean F", "s.e.", "to O0", "skipped", "holds"
    for (i = 1; i <= count; ++i) {
      l = name[i]; mean = sum[l] / n[l]
      variance = n[l] > 1 ? (squares[l] - n[l] * mean * mean) / (n[l] - 1) : 0
      if (variance < 0) variance = 0
      error = variance / n[l]
      if (l == "O0") { o0 = mean; o0_error = error }
      base = holds = "-"
      if ("O0" in n && l != "O0") {
        base = sprintf("%+.2f", mean - o0)
        allowed = 2 * sqrt(error + o0_error)
        holds = o0 - mean <= (allowed > 0.5 ? allowed : 0.5) ? "yes" : "NO"
      }
      printf "%-6s %6d %8.2f %8.2f %8s %8d %6s\n", l, n[l], mean, sqrt(error), base, skipped[l], holds
    }
  }' "$out/scores.txt"
