// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/effect.h"

namespace fansim::stream {

enum class LoopOrder { least_traffic, thesis };

struct ScheduleConfig {
  LoopOrder loop_order = LoopOrder::least_traffic;
  int lstm_block_steps = 16;
  bool block_steps_by_hand = false;  // lstm_block_steps is an override's, not a file's

  template <class V>
  void visit(V&& v) {
    v.choice(
        "loop_order", loop_order, {{LoopOrder::least_traffic, "least_traffic"}, {LoopOrder::thesis, "thesis"}},
        {"thesis: one job per output row and input-channel group; least_traffic: the tiling that moves fewest bytes",
         base::times()});
    v.field("lstm_block_steps", lstm_block_steps, 1, 1024,
            {"time steps computed per fetch of W_x, at most all of a layer",
             base::Effect{base::Effect::Resources::none, true, false, true}});
  }
};

}  // namespace fansim::stream
