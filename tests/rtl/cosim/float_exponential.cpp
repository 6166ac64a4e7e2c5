// SPDX-License-Identifier: Apache-2.0
#include "blocks/float/units.h"

#include "cosim/float.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

template <class Model>
class FloatExponentialLane final : public FloatLane<Model, blocks::FloatExponential> {
  using Base = FloatLane<Model, blocks::FloatExponential>;

 public:
  FloatExponentialLane(const std::string& name, const Parameters& p)
      : Base(name, p, kFaults, format_of(p), Base::one(format_of(p)),
             arith::FloatExponential(format_of(p), p["T"], rounding_of(p))) {}
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<FloatExponentialLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
