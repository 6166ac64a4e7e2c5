// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/adder_tree.h"
#include "accelerators/stream/hardware/mac_array.h"
#include "cosim/array_lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 8;

// Treats the array and the adder tree as one block, because the entries between them are the model's products there.
template <class Model>
class KernelArrayLane final : public ArrayLane<Model> {
 public:
  KernelArrayLane(const std::string& name, const Parameters& p)
      : ArrayLane<Model>(name, p, kFaults),
        products((name + "_products").c_str()),
        sums((name + "_sums").c_str()),
        tree_((name + "_tree").c_str(), this->array) {
    this->block.products(products);
    tree_.products(products);
    tree_.sums(sums);
    const int channels = this->array.output_channels;
    const int bits = this->array.term_bits() + base::ceil_log2(this->array.rows);
    this->output(COSIM_OUTPUT(sums), [=](Model& m, const stream::Sums& item, const auto& field) {
      tag_fields(m.sums_tag, item.tag, field);
      for (int k = 0; k < item.tag.job->parallel * channels; ++k)
        field("values", k, m.sums_values, k * bits, bits,
              static_cast<std::uint64_t>(item.values[static_cast<std::size_t>(k)]));
    });
  }

 private:
  void next_phase() override {
    ArrayLane<Model>::next_phase();
    random_parallel(this->job, this->array, this->random);
  }
  void drive_levels(Model& m) override {
    ArrayLane<Model>::drive_levels(m);
    m.job_parallel = static_cast<CData>(this->job.parallel);
    m.job_kernel = static_cast<CData>(this->job.kernel);
  }

  sim::Stream<stream::Terms> products;
  sim::Stream<stream::Sums> sums;
  stream::AdderTree tree_;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<KernelArrayLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
