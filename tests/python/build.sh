#!/bin/sh
# build.sh FOLDER SOURCE PREFIX WORK COMMANDS SERVE
#
# Builds the module with the interpreter in FOLDER against the weft that is installed in PREFIX and the
# library COMMANDS, which has `weft serve` if SERVE is ON, and puts the package into WORK/site. Exit code 77 where there is no such interpreter.
set -e
folder=$1 source=$2 prefix=$3 work=$4 commands=$5 serve=$6
if [ ! -x "$folder/bin/python" ]; then
  echo "SKIPPED: no Python with nanobind; the test python_environment says why"
  exit 77
fi
launcher=
if command -v ccache >/dev/null; then launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
cmake -S "$source/python" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" \
  -DPython_EXECUTABLE="$folder/bin/python" -DWEFT_WERROR=ON -DWEFT_UNITY=ON \
  -DWEFT_COMMANDS_LIBRARY="$commands" -DWEFT_COMMANDS_SERVE="$serve" $launcher
cmake --build "$work/build"
rm -rf "$work/site"
cmake --install "$work/build" --component python --prefix "$work/site"
cp "$source"/python/weft/* "$work/site/weft"
