// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/units.h"
#include "contract/program.h"
#include "contract/result.h"

// Frames back to back (docs/timing.md, "Frames").
namespace fansim::contract {

// How a program's frames follow one another, in its layers with steps: the host drives the accelerator through the
// first ones, and another of its processors computes the rest beside the next frame.
struct FrameRule {
  int driven = 0;
  int waits = -1;           // the first of the driven ones that changes what the rest reads; -1: none
  base::Cycles beside = 0;  // of the rest
};

// The program of so many frames. The rest of the last one is the host's own: nothing is left to be done beside it.
Program framed(Program one, int frames, const FrameRule& rule);

// A layer with steps, [begin, end); `waited`: before it, for the other processor.
struct Span {
  base::Cycles begin = 0, end = 0, waited = 0;
};
// Of a program's layers that took what the results say, counted as ProgramClock does.
std::vector<Span> spans(const Program& program, const std::vector<LayerResult>& results, base::Cycles start = 0);

}  // namespace fansim::contract
