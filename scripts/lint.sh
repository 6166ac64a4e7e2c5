#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh [BASE | --all | --format]: the subjects of the commits since BASE (the previous commit unless given);
# clang-format on every tracked C++ file; clang-tidy on the files of src/ changed since BASE, on every source, or on none.
# Any finding fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tidy=true base=${1:-HEAD~1}
if [[ $base == --format ]]; then tidy=false base=HEAD~1; fi
if [[ $base == HEAD~1 ]] && ! git rev-parse --quiet --verify "$base^{commit}" >/dev/null; then
  base=--all # the first commit, or a shallow clone
fi

# Headers are checked through the sources that include them when every source is checked.
files_to_tidy() {
  if [[ $base == --all ]]; then
    git ls-files 'src/*.cpp'
  else
    git diff --name-only --diff-filter=d --merge-base "$base" -- 'src/*.cpp' 'src/*.h'
  fi
}

if [[ $base != --all ]]; then
  echo "commit subjects"
  git log --format=%s "$base..HEAD" | bash scripts/commit_subject.sh
fi

echo "clang-format"
git ls-files -z '*.h' '*.cpp' | xargs -0r clang-format --dry-run -Werror
$tidy || exit 0

files=$(files_to_tidy)
if [[ -z $files ]]; then
  echo "clang-tidy: nothing in src/ changed since $base"
  exit
fi
echo "clang-tidy: $(wc -l <<<"$files") files (base $base)"
# This configuration has no precompiled headers, since clang cannot read g++'s, and it has a compile command for every
# source.
cmake -S . -B build/lint -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DFANSIM_UNITY=OFF >/dev/null
xargs -d '\n' -n 1 -P "$(nproc)" clang-tidy -p build/lint --quiet --extra-arg=-w <<<"$files" 2>&1 |
  { grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use -header' || true; }
