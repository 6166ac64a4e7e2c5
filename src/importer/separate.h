// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "importer/convert.h"

namespace fansim::importer {

// Gives codes of its own to every tensor that the model quantises, and to no other tensor codes that could change its
// values. A layer that moves elements has the codes of what it reads. So where a model quantises the output of such a
// layer, what it reads takes these codes only if all that reads it does no more than move elements into the same codes.
// Elsewhere a clip, or for an average a mean that rounds once, stands between the two. A tensor that then has no codes
// needs calibration. A node that it cannot separate is refused.
void separate_codes(Imported& network);

// Returns the lowest and the highest number that the codes stand for. Throws Refused if no network file holds them.
struct CodeRange {
  double low = 0, high = 0;
};
CodeRange range_of(const Codes& codes);

}  // namespace fansim::importer
