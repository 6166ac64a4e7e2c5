// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "timing/edge.h"

namespace fansim::stream {

// `count` waits of the same length, `period` edges apart.
struct Wait {
  timing::Span first;
  int count = 1;
  timing::Edge period = 0;
};

using Waits = std::vector<Wait>;

}  // namespace fansim::stream
