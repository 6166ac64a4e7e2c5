#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# reproducible.sh [COMMIT] [--deb]: builds a commit (HEAD) twice, in folders with names of different lengths, one after
# the other and without ccache. The program's bytes must be the same or, with --deb, those of the Debian package and
# everything in it. FANSIM_CCACHE=1 allows ccache, which is faster but proves nothing about the compiler.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

commit=HEAD target=fansim
for word in "$@"; do
  if [[ $word == --deb ]]; then target=all; else commit=$word; fi
done
commit=$(git rev-parse --verify "$commit^{commit}")
[[ ${FANSIM_CCACHE:-} ]] || export CCACHE_DISABLE=1

folder=$(mktemp -d -t reproducible.XXXXXX)
trap 'rm -rf "$folder"' EXIT
first=$folder/a second=$folder/another/one/of/them

build() {
  mkdir -p "$1"
  git clone --quiet --shared . "$1/source"
  git -C "$1/source" checkout --quiet --detach "$commit"
  cmake -S "$1/source" -B "$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O3 \
    -DFANSIM_TESTS=OFF -DFANSIM_BENCH=OFF >/dev/null
  nice cmake --build "$1/build" --target "$target" -j "$(nproc)" -- --quiet
  [[ $target == fansim ]] || (cd "$1/build" && cpack -G DEB >/dev/null)
}

build "$first"
sleep 2 # so that the time differs by a second
build "$second"

differ=0
# compare NAME: compares a file of both builds.
compare() {
  if cmp -s "$first/build/$1" "$second/build/$1"; then
    echo "$1: the same, $(sha256sum <"$first/build/$1" | cut -c 1-16)"
  else
    echo "$1: DIFFERS"
    differ=1
  fi
}

compare fansim
"$first/build/fansim" --version
if [[ $target == all ]]; then
  package=$(cd "$first/build" && echo fansim_*.deb)
  compare "$package"
  for one in "$first" "$second"; do dpkg-deb --raw-extract "$one/build/$package" "$one/root"; done
  diff -rq "$first/root" "$second/root" && echo "what is in the package: the same"
fi
exit "$differ"
