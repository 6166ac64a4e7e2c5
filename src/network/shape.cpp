// SPDX-License-Identifier: Apache-2.0
#include "network/shape.h"

#include "base/npy.h"

namespace fansim::network {

std::vector<std::int64_t> Shape::dims() const {
  if (sequence) return {steps, features};
  return {channels, height, width};
}

std::int64_t Shape::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : dims()) count *= extent;
  return count;
}

std::string Shape::text() const { return base::shape_text(dims()); }

int windows(int padded, int kernel, int stride, bool ceil_mode, int inside) {
  int count = (padded - kernel) / stride + 1;
  if (ceil_mode && (padded - kernel) % stride != 0 && count * stride < inside) ++count;
  return count;
}

bool operator==(const Shape& a, const Shape& b) { return a.sequence == b.sequence && a.dims() == b.dims(); }

}  // namespace fansim::network
