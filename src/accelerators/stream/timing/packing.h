// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timing/edge.h"

namespace fansim::stream {

// What decides when a tile's next words and beats go from the output writer through the packer to the DMA.
struct Packing {
  timing::Edge word_pushed = timing::kLongAgo;  // by the writer
  timing::Pops word_pops;                       // by the packer
  timing::Edge beat_pushed = timing::kLongAgo;  // by the packer
  timing::Pops beat_pops;                       // accepted by the DMA

  void shift(timing::Edge by) {
    word_pushed += by, beat_pushed += by;
    word_pops.shift(by), beat_pops.shift(by);
  }
  bool same_later(const Packing& later, timing::Edge by) const {
    return later.word_pushed == word_pushed + by && later.beat_pushed == beat_pushed + by &&
           word_pops.same_later(later.word_pops, by) && beat_pops.same_later(later.beat_pops, by);
  }
};

}  // namespace fansim::stream
