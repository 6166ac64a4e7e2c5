// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/ramb.h"

namespace fansim::test {

// Open but for the write enables, which write when they are open.
template <class Ram>
typename Ram::Inputs reading() {
  typename Ram::Inputs in;
  in.wea = in.webwe = 0;
  return in;
}

}  // namespace fansim::test
