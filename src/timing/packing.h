// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timing/edge.h"

namespace fansim::timing {

// What decides when a tile's next words and beats go from the output writer through the packer to the DMA.
struct Packing {
  Edge word_pushed = kLongAgo;  // by the writer
  Pops word_pops;               // by the packer
  Edge beat_pushed = kLongAgo;  // by the packer
  Pops beat_pops;               // accepted by the DMA

  void shift(Edge by) {
    word_pushed += by, beat_pushed += by;
    word_pops.shift(by), beat_pops.shift(by);
  }
  bool same_later(const Packing& later, Edge by) const {
    return later.word_pushed == word_pushed + by && later.beat_pushed == beat_pushed + by &&
           word_pops.same_later(later.word_pops, by) && beat_pops.same_later(later.beat_pops, by);
  }
};

}  // namespace fansim::timing
