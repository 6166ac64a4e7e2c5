// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/units.h"
#include "estimate/twins.h"

namespace fansim::estimate {

constexpr int kTagBits = 71;  // tests/rtl/tag.vh

// Holds parameters, with the twin's defaults for those left out.
class Values {
 public:
  Values(const Parameters& given, const Parameters& defaults) : values_(given) {
    values_.insert(defaults.begin(), defaults.end());
  }
  int operator[](const char* name) const { return values_.at(name); }

 private:
  Parameters values_;
};

struct Twin {
  const char* name;
  Structure (*structure)(const Values&);
  Parameters defaults;
};

const std::vector<Twin>& store_twins();         // stores, streams and blocks that move words between them
const std::vector<Twin>& stream_array_twins();  // the blocks of the streaming accelerator from pixel to result
const std::vector<Twin>& lut_kernel_twins();    // multipliers in slices and tables that stand alone
const std::vector<Twin>& tiled_twins();
const std::vector<Twin>& vision_twins();

// Returns the six-input LUTs that select one bit of `of`, four at a time. A single bit left over goes on to the next
// level unchanged.
inline int choice(int of) {
  if (of <= 1) return 0;
  const int chosen = base::ceil_div(of, 4), alone = of % 4 == 1 ? 1 : 0;
  return chosen - alone + choice(chosen);
}

}  // namespace fansim::estimate
