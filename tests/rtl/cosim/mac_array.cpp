// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/mac_array.h"

#include "cosim/array_lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 5;

template <class Model>
class MacArrayLane final : public ArrayLane<Model> {
 public:
  MacArrayLane(const std::string& name, const Parameters& p)
      : ArrayLane<Model>(name, p, kFaults), products((name + "_products").c_str()) {
    this->block.products(products);
    const int terms = this->array.rows * this->array.row_terms(), bits = this->array.term_bits();
    const int channels = this->array.output_channels;
    this->output(COSIM_OUTPUT(products), [=](Model& m, const stream::Terms& item, const auto& field) {
      tag_fields(m.products_tag, item.tag, field);
      for (int o = 0, k = 0; o < channels; ++o)
        for (int i = 0; i < terms; ++i, ++k)
          field("values", k, m.products_values, bits * k, bits,
                static_cast<std::uint64_t>(term_of(item, this->array, o, i)));
    });
  }

 private:
  sim::Stream<stream::Terms> products;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<MacArrayLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
