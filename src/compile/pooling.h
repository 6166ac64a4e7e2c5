// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/units.h"

namespace fansim::compile {

// Of `windows` pooling windows along an axis, how many are open at once: hardware holds a result for each.
inline int open_windows(int kernel, int stride, int windows) {
  return std::min(base::ceil_div(kernel, stride), windows);
}

}  // namespace fansim::compile
