#!/bin/bash
# Runs the fuzz targets (docs/fuzzing.md): tools/fuzz.sh [SECONDS] [TARGET...]
# Builds them as the preset `asan` does and gives each SECONDS of processor time (60), two at a time; all of
# tests/fuzz where none is named. One line for each target; exits with 1 where there is a finding, which is kept.
# New inputs stay in build-asan/fuzz/NAME and are where the next run starts from.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=60
if [[ ${1:-} =~ ^[0-9]+$ ]]; then seconds=$1 && shift; fi
targets=("$@")
if [[ ${#targets[@]} == 0 ]]; then
  for file in tests/fuzz/*_fuzz.cc; do targets+=("$(basename "$file" _fuzz.cc)"); done
fi
for target in "${targets[@]}"; do
  [[ -f tests/fuzz/${target}_fuzz.cc ]] || { echo "there is no tests/fuzz/${target}_fuzz.cc" >&2; exit 2; }
done

# A file that includes nothing shows whether clang has the fuzzer's library.
if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    clang++ -x c++ -fsanitize=fuzzer -o /dev/null - 2> /dev/null; then
  echo "clang with libFuzzer is needed: apt-get install clang libclang-rt-14-dev" >&2
  exit 2
fi
cmake --preset asan --log-level=WARNING > /dev/null
cmake --build build-asan --target "${targets[@]/%/_fuzz}"

ticks=$(getconf CLK_TCK)

# libFuzzer's clock is the wall's. At USR1 it ends by itself and says how far it came.
end_in_time() {
  local process=$1 facts
  while facts=$(cat "/proc/$process/stat" 2> /dev/null); do
    # Behind the name in parentheses: the twelfth and thirteenth are the time of the program and of the system.
    read -ra facts <<< "${facts##*) }"
    if (((facts[11] + facts[12]) / ticks >= seconds)); then
      kill -USR1 "$process" 2> /dev/null || true
      return
    fi
    sleep 1
  done
}

run() {
  local target=$1 found=build-asan/fuzz/$1 log=build-asan/fuzz/$1.log state=0 process
  mkdir -p "$found"
  build-asan/tests/fuzz/"${target}_fuzz" -rss_limit_mb=3000 -timeout=25 -print_final_stats=1 \
    -artifact_prefix="build-asan/fuzz/$target-" "$found" "tests/fuzz/corpus/$target" > "$log" 2>&1 &
  process=$!
  end_in_time "$process"
  wait "$process" || state=$?
  local inputs
  inputs=$(sed -nE 's/^stat::number_of_executed_units: +//p' "$log" | tail -1)
  if [[ $state != 0 || -z $inputs ]] || grep -q 'runtime error: ' "$log"; then
    echo "$target: ${inputs:-0} inputs, FINDING, see $log"
    return 1
  fi
  echo "$target: $inputs inputs, no finding"
}

failed=0
running=0
for target in "${targets[@]}"; do
  if [[ $running -ge 2 ]]; then wait -n || failed=1; else running=$((running + 1)); fi
  run "$target" &
done
for ((i = 0; i < running; ++i)); do wait -n || failed=1; done
exit "$failed"
