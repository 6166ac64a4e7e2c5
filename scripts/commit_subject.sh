#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# commit_subject.sh [MESSAGE]: the first line of the file MESSAGE, or every line of standard input, is a commit's subject
# and has at most 72 characters. As .git/hooks/commit-msg it refuses the commit.
set -euo pipefail
export LC_ALL=C.UTF-8

subjects=$(if (($#)); then head -n 1 -- "$1"; else cat; fi)
if long=$(grep -E '^.{73}' <<<"$subjects"); then
  sed 's/^/commit subject beyond 72 characters: /' <<<"$long" >&2
  exit 1
fi
