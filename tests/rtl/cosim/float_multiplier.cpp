// SPDX-License-Identifier: Apache-2.0
#include "blocks/float/units.h"

#include "cosim/float.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

template <class Model>
class FloatMultiplierLane final : public FloatLane<Model, blocks::FloatMultiplier> {
  using Base = FloatLane<Model, blocks::FloatMultiplier>;

 public:
  FloatMultiplierLane(const std::string& name, const Parameters& p)
      : Base(name, p, kFaults, format_of(p), Base::two(format_of(p)), arithmetic_of(p)) {}
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<FloatMultiplierLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
