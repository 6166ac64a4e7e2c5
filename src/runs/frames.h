// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/accelerator.h"
#include "base/units.h"
#include "contract/frames.h"
#include "contract/program.h"
#include "network/network.h"

namespace fansim::runs {

// Frames of a network back to back, in cycles.
struct Frames {
  int count = 0;            // 0: not asked for
  base::Cycles total = 0;   // from the first one's begin to the last one's end
  base::Cycles first = 0;   // the first one alone
  base::Cycles steady = 0;  // from begin to begin once that no longer changes
  base::Cycles beside = 0;  // of each, in software of the host while the next one runs
  base::Cycles waited = 0;  // of each, by the next one for that
};

contract::FrameRule frame_rule(const network::Network& network, const contract::Program& program);

// By the fast engine, which simulates a few and knows the rest from them.
Frames fast_frames(const accelerators::Accelerator& accelerator, const contract::Program& program,
                   const contract::FrameRule& rule, int count);

// What layers' spans, of `count` frames all stepped, say otherwise; a line each.
std::vector<std::string> frame_differences(const Frames& frames, const contract::FrameRule& rule,
                                           const std::vector<contract::Span>& stepped);

}  // namespace fansim::runs
