// SPDX-License-Identifier: Apache-2.0
#include "blocks/float/units.h"

#include "cosim/float.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;

template <class Model>
class FloatAdderLane final : public FloatLane<Model, blocks::FloatAdder> {
  using Base = FloatLane<Model, blocks::FloatAdder>;

 public:
  FloatAdderLane(const std::string& name, const Parameters& p)
      : Base(
            name, p, kFaults, format_of(p),
            [bits = format_of(p).bits()](Model& m, const blocks::FloatOperands& item, const auto& field) {
              field("a", 0, m.operands_a, 0, bits, item.a);
              field("b", 0, m.operands_b, 0, bits, item.b);
              field("subtracts", 0, m.operands_subtracts, 0, 1, item.subtracts);
            },
            arithmetic_of(p)) {}
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<FloatAdderLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
