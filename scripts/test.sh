#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs everything that must pass: all tests in release, the block tests and mutants under sanitizers, and the lint.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=$(nproc)

# build PRESET TARGET [cmake options...]
build() {
  local preset=$1 target=$2
  cmake --preset "$preset" "${@:3}" >/dev/null &&
    cmake --build --preset "$preset" --target "$target" -j "$jobs" -- --quiet
}

# run_tests PRESET [ctest options...]
run_tests() {
  ctest --preset "$1" -j "$jobs" --output-on-failure --no-tests=error --output-log "build/$1/ctest.log" "${@:2}"
}

release() {
  build release all -DFANSIM_WARNINGS_AS_ERRORS=ON -DFANSIM_RTL=ON && run_tests release
}

# Runs every room's tests with address and undefined-behaviour sanitizers and checked signal writers. It leaves out
# whole networks, searches and the program, which take too long, as do tests that go through every key, or through the
# weights of whole networks to find their averages. It also leaves out tests that contain no C++ of their own, since
# release has run them.
dev() {
  local rooms='^(networks|(accelerators/)?bounds|cli|json|toy|layering|pages|synthesis|install|systems|tutorial|cluster|files)[:_]'
  local long=': ?(every key changes something|random tensors of the big models|every method and width leaves random data|'
  long+='the median of a sixth of the open measurements|both engines agree on (VGG-16 in 8 bits|AlexNet behind a memory))'
  build dev block_tests && run_tests dev --exclude-regex "$rooms|$long"
}

# Runs mutants of every kind of file for most of a minute.
mutants() {
  FANSIM_FUZZ="0.6 1" build/dev/tests/fuzz_test "[.mutants]"
}

# Compares the validation book with the runs of `release`.
book() {
  python3 -B scripts/validation.py --check --built build/release
}

lint() {
  bash scripts/lint.sh
}

bash scripts/install.sh || exit
rm -f build/*/ctest.log

summary=()
result=0
for step in release book dev mutants lint; do
  echo "== $step"
  start=$SECONDS
  if "$step"; then verdict=ok; else verdict=FAILED result=1; fi
  summary+=("$step $verdict ($((SECONDS - start)) s)")
done

for preset in release dev; do
  echo "== $preset"
  sed -n '/tests passed/,$p' "build/$preset/ctest.log" 2>/dev/null
done
printf -v line '%s, ' "${summary[@]}"
echo "test.sh: ${line%, }"
exit "$result"
