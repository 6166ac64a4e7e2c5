// SPDX-License-Identifier: Apache-2.0
#include "blocks/compressor_tree.h"

#include "cosim/kernel.h"
#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

template <class Model>
class CompressorTreeLane final : public Lane<Model> {
 public:
  CompressorTreeLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        config_(kernel_of(p)),
        kernel_(config_.format),
        entries((name + "_entries").c_str()),
        sums((name + "_sums").c_str()),
        tree_(name.c_str(), config_) {
    tree_.entries(entries);
    tree_.sums(sums);
    const int words = kernel_.slices() * config_.format.inputs, bits = kernel_.product_bits();
    this->input(
        COSIM_INPUT(entries),
        [=](Model& m, const blocks::TableEntries& item, const auto& field) {
          for (int k = 0; k < words; ++k)
            field("bits", k, m.entries_bits, bits * k, bits, item.bits[static_cast<std::size_t>(k)]);
        },
        left_, [this](blocks::TableEntries& item) { make(item); });
    this->output(COSIM_OUTPUT(sums), [=](Model& m, const blocks::KernelSum& item, const auto& field) {
      field("value", 0, m.sums_value, 0, kernel_.output_bits(), static_cast<std::uint64_t>(item.value));
    });
  }

 private:
  void make(blocks::TableEntries& item) {
    const bool extreme = this->random.chance(10);
    const int n = config_.format.inputs;
    for (int s = 0; s < kernel_.slices(); ++s) {
      const std::uint32_t kept = (1u << kernel_.product_bits()) - (1u << kernel_.first_bit(s));
      for (int i = 0; i < n; ++i)
        item.bits[static_cast<std::size_t>(s * n + i)] =
            (extreme ? ~0u : static_cast<std::uint32_t>(this->random.uniform(0, 0x7fffffff))) & kept;
    }
  }
  void next_phase() override { left_ = this->random.uniform(30, 200); }

  const contract::LutKernelConfig config_;
  const arith::LutKernel kernel_;
  sim::Stream<blocks::TableEntries> entries;
  sim::Stream<blocks::KernelSum> sums;
  blocks::CompressorTree tree_;
  int left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<CompressorTreeLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
