#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh [BASE | --all]: clang-format on every tracked C++ file; clang-tidy on the files of src/ changed since BASE
# (the previous commit unless given) or on every source. Any finding fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

base=${1:-HEAD~1}
if (($# == 0)) && ! git rev-parse --quiet --verify "$base^{commit}" >/dev/null; then
  base=--all # the first commit, or a shallow clone
fi

# Headers are read through the sources that include them when every source is.
files_to_tidy() {
  if [[ $base == --all ]]; then
    git ls-files 'src/*.cpp'
  else
    git diff --name-only --diff-filter=d --merge-base "$base" -- 'src/*.cpp' 'src/*.h'
  fi
}

echo "clang-format"
git ls-files -z '*.h' '*.cpp' | xargs -0r clang-format --dry-run -Werror

files=$(files_to_tidy)
if [[ -z $files ]]; then
  echo "clang-tidy: nothing in src/ changed since $base"
  exit
fi
echo "clang-tidy: $(wc -l <<<"$files") files (base $base)"
# A configuration without precompiled headers, which clang cannot read if they are g++'s, and with a command for every
# source names the compile commands.
cmake -S . -B build/lint -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DFANSIM_UNITY=OFF >/dev/null
xargs -d '\n' -n 1 -P "$(nproc)" clang-tidy -p build/lint --quiet --extra-arg=-w <<<"$files" 2>&1 |
  { grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use -header' || true; }
