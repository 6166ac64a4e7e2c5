// SPDX-License-Identifier: Apache-2.0
#include "blocks/float/units.h"

#include "cosim/float.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

template <class Model>
class FloatArrayDividerLane final : public FloatLane<Model, blocks::FloatArrayDivider> {
  using Base = FloatLane<Model, blocks::FloatArrayDivider>;

 public:
  FloatArrayDividerLane(const std::string& name, const Parameters& p)
      : Base(name, p, kFaults, format_of(p), Base::two(format_of(p)),
             arith::ArrayDivider(format_of(p), rounding_of(p), arith::ArrayDividerConfig{p["RPS"]})) {}
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<FloatArrayDividerLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
