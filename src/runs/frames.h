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

// Holds the cycles of frames of a network that run back to back.
struct Frames {
  int count = 0;            // passes, each of as many frames as the machine computes at once; 0: not asked for
  base::Cycles total = 0;   // from the begin of the first frame to the end of the last
  base::Cycles first = 0;   // the first one alone
  base::Cycles steady = 0;  // from begin to begin, once that no longer changes
  base::Cycles beside = 0;  // per frame, in software of the host while the next frame runs
  base::Cycles waited = 0;  // per frame, for which the next frame waits for that software
};

// Returns the passes through the network that compute so many frames, `pictures` at once. Throws UserError if they do
// not fill the last one.
int passes(int frames, int pictures);

contract::FrameRule frame_rule(const network::Network& network, const contract::Program& program);

// Uses the fast engine, which simulates a few frames and derives the others.
Frames fast_frames(const accelerators::Accelerator& accelerator, const contract::Program& program,
                   const contract::FrameRule& rule, int count);

// Returns how the stepped layers of `count` frames disagree with `frames`, one line each.
std::vector<std::string> frame_differences(const Frames& frames, const contract::FrameRule& rule,
                                           const std::vector<contract::Span>& stepped);

}  // namespace fansim::runs
