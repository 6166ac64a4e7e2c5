// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/units.h"

namespace fansim::compile {

// Returns how many of `windows` pooling windows along an axis are open at once. Hardware holds a result for each.
inline int open_windows(int kernel, int stride, int windows) {
  return std::min(base::ceil_div(kernel, stride), windows);
}

}  // namespace fansim::compile
