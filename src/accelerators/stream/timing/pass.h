// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/command.h"
#include "timing/edge.h"

namespace fansim::stream {

// The shape of a pass: `columns` columns of which first_due + i * step complete windows i = 0 .. windows - 1.
struct PassShape {
  int columns = 1;
  int windows = 1;
  int first_due = 0;
  int step = 1;

  PassShape(const Command& job, int x_block, const ArrayConfig& array)
      : columns(job.columns), windows(job.hidden_input ? 1 : job.windows), first_due(x_block * array.cols) {
    const bool whole = job.matrix || job.hidden_input;
    step = whole ? array.cols : job.stride;
    first_due += (whole ? array.cols : std::min(array.cols, job.kernel - x_block * array.cols)) - 1;
  }
};

// When the blocks were busy with a pass: what happens behind the last issue of a job is counted from it.
struct PassRecord {
  timing::Span line;                   // the line buffers stream it
  timing::Span window;                 // the sliding window shifts it
  std::vector<timing::Span> at_array;  // per window: from when it is in front of the array until after it is taken
  // Further windows, each taken when it arrives: the edge of the first, how many, how far apart.
  timing::Edge steady_from = 0;
  int steady_windows = 0;
  int steady_step = 1;

  timing::Edge at_array_until = 0;

  template <class State>
  void visit(State& state) {
    for (timing::Span* span : {&line, &window}) {
      state.edge(span->from);
      state.edge(span->to);
    }
    for (timing::Span& span : at_array) {
      state.edge(span.from);
      state.edge(span.to);
    }
    state.edge(steady_from);
    state.edge(at_array_until);
  }

  // The edge at which window x was taken.
  timing::Edge taken(int x) const {
    const auto i = static_cast<std::size_t>(x);
    return i < at_array.size()
               ? at_array[i].to - 1
               : steady_from + timing::Edge{steady_step} * static_cast<timing::Edge>(i - at_array.size());
  }
};

}  // namespace fansim::stream
