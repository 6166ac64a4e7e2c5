// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/units.h"
#include "contract/program.h"
#include "contract/result.h"

// Frames back to back (docs/timing.md, "Frames").
namespace fansim::contract {

// Says how frames of a program follow one another. Layers are counted among those with steps. The host drives the
// accelerator through the first `driven` layers, and another of its processors computes the rest while the next frame
// runs.
struct FrameRule {
  int driven = 0;
  int waits = -1;           // the first driven layer that changes what the rest reads; -1 if none does
  base::Cycles beside = 0;  // cycles of the rest
};

// Returns the program of `frames` frames. The host itself computes the rest of the last frame, since no frame follows
// it.
Program framed(Program one, int frames, const FrameRule& rule);

// The cycles [begin, end) of a layer with steps. The host waited `waited` cycles before it for the other processor.
struct Span {
  base::Cycles begin = 0, end = 0, waited = 0;
};
// Returns the spans of a program's layers, given the cycles that the results say. It counts as ProgramClock does.
std::vector<Span> spans(const Program& program, const std::vector<LayerResult>& results, base::Cycles start = 0);

}  // namespace fansim::contract
