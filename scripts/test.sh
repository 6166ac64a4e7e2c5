#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh: everything that must pass: all tests in release, the block tests and mutants under sanitizers, and the lint.
# test.sh --quick: the release build, the tests that are quick in it, the format of the sources and the commit's subject.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "$*" in
  "") steps=(release book dev mutants lint) ;;
  --quick) steps=(quick format) ;;
  *)
    echo "usage: test.sh [--quick]   (--quick: build, the quick tests, the format; nothing else is an option)" >&2
    exit 2
    ;;
esac

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

# Single tests that take too long for either of the shorter runs.
long=': ?(every key changes something|random tensors of the big models|every method and width leaves random data|'
long+='the median of a sixth of the open measurements|both engines agree on (VGG-16 in 8 bits|AlexNet behind a memory))'

release() {
  build release all -DFANSIM_WARNINGS_AS_ERRORS=ON -DFANSIM_RTL=ON && run_tests release
}

# Runs what takes less than five minutes on two processors, once it is built: no whole networks, and nothing that installs,
# synthesises or starts a cluster.
quick() {
  local rooms='^(networks|fuzz|toy|synthesis|install|systems|tutorial|cluster)[:_]'
  build release all -DFANSIM_WARNINGS_AS_ERRORS=ON -DFANSIM_RTL=OFF && run_tests release --exclude-regex "$rooms|$long"
}

# Runs every room's tests with address and undefined-behaviour sanitizers and checked signal writers. It leaves out
# whole networks, searches and the program, which take too long, as do tests that go through every key, or through the
# weights of whole networks to find their averages. It also leaves out tests that contain no C++ of their own, since
# release has run them.
dev() {
  local rooms='^(networks|(accelerators/)?bounds|cli|json|toy|layering|pages|synthesis|install|systems|tutorial|cluster|files)[:_]'
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

format() {
  bash scripts/lint.sh --format
}

bash scripts/install.sh || exit
rm -f build/*/ctest.log

summary=()
result=0
for step in "${steps[@]}"; do
  echo "== $step"
  start=$SECONDS
  if "$step"; then verdict=ok; else verdict=FAILED result=1; fi
  summary+=("$step $verdict ($((SECONDS - start)) s)")
done

for preset in release dev; do
  [[ -e build/$preset/ctest.log ]] || continue
  echo "== $preset"
  sed -n '/tests passed/,$p' "build/$preset/ctest.log"
done
printf -v line '%s, ' "${summary[@]}"
echo "test.sh: ${line%, }"
exit "$result"
