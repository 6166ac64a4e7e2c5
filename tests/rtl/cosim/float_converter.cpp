// SPDX-License-Identifier: Apache-2.0
#include "blocks/float/units.h"

#include "cosim/float.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

template <class Model>
class FloatConverterLane final : public FloatLane<Model, blocks::FloatConverter> {
  using Base = FloatLane<Model, blocks::FloatConverter>;

 public:
  FloatConverterLane(const std::string& name, const Parameters& p)
      : Base(name, p, kFaults, arith::FloatFormat{p["FROM_E"], p["FROM_M"]}, Base::one({p["FROM_E"], p["FROM_M"]}),
             arith::FloatFormat{p["FROM_E"], p["FROM_M"]}, arithmetic_of(p)) {}
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<FloatConverterLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
