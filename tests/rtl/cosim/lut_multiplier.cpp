// SPDX-License-Identifier: Apache-2.0
#include "blocks/lut_multiplier.h"

#include "cosim/kernel.h"
#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;

// Passes of random vectors; the bits of a reload are random too, 32 beats per pass.
template <class Model>
class LutMultiplierLane final : public Lane<Model> {
 public:
  LutMultiplierLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        config_(kernel_of(p)),
        kernel_(config_.format),
        inputs((name + "_inputs").c_str()),
        reload((name + "_reload").c_str()),
        entries((name + "_entries").c_str()),
        multiplier_(name.c_str(), config_) {
    multiplier_.inputs(inputs);
    multiplier_.reload(reload);
    multiplier_.entries(entries);
    const int n = config_.format.inputs, x_bits = config_.format.input_bits, product = kernel_.product_bits();
    this->input(
        COSIM_INPUT(inputs),
        [=](Model& m, const blocks::KernelInputs& item, const auto& field) {
          m.inputs_new_coefficients = item.new_coefficients;
          for (int i = 0; i < n; ++i)
            field("x", i, m.inputs_x, x_bits * i, x_bits,
                  static_cast<std::uint64_t>(item.x[static_cast<std::size_t>(i)]));
        },
        vectors_left_, [this](blocks::KernelInputs& item) { make(item); });
    this->input(
        COSIM_INPUT(reload),
        [=](Model& m, const blocks::ReloadBeat& item, const auto& field) {
          for (int i = 0; i < n; ++i) {
            field("lower", i, m.reload_lower, (product + 1) * i, product + 1, item.lower[static_cast<std::size_t>(i)]);
            field("top", i, m.reload_top, (product + 1) * i, product + 1, item.top[static_cast<std::size_t>(i)]);
          }
        },
        beats_left_,
        [=](blocks::ReloadBeat& item) {
          const auto mask = (std::uint32_t{2} << product) - 1;
          for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            item.lower[i] = static_cast<std::uint32_t>(this->random.uniform(0, 0x7fffffff)) & mask;
            item.top[i] = static_cast<std::uint32_t>(this->random.uniform(0, 0x7fffffff)) & mask;
          }
        });
    this->output(COSIM_OUTPUT(entries), [=](Model& m, const blocks::TableEntries& item, const auto& field) {
      for (int k = 0; k < kernel_.slices() * n; ++k)
        field("bits", k, m.entries_bits, product * k, product,
              item.bits[static_cast<std::size_t>(k)] & ((std::uint32_t{1} << product) - 1));
    });
  }

 private:
  void make(blocks::KernelInputs& item) {
    item.new_coefficients = pass_left_ == 0;
    if (pass_left_ == 0) {
      pass_left_ = this->random.uniform(1, longest_);
      --sets_left_;
    }
    --pass_left_;
    if (sets_left_ == 0 && item.new_coefficients) vectors_left_ = pass_left_;
    for (int i = 0; i < config_.format.inputs; ++i)
      item.x[static_cast<std::size_t>(i)] = test::operand(config_.format.input_bits, this->random);
  }
  void next_phase() override {
    longest_ = this->random.uniform(1, 80);
    sets_left_ = this->random.uniform(2, 8);
    beats_left_ = 32 * sets_left_;
    vectors_left_ = sets_left_ * longest_;  // at most; the last pass says how many
    pass_left_ = 0;
  }

  const contract::LutKernelConfig config_;
  const arith::LutKernel kernel_;
  sim::Stream<blocks::KernelInputs> inputs;
  sim::Stream<blocks::ReloadBeat> reload;
  sim::Stream<blocks::TableEntries> entries;
  blocks::LutMultiplier multiplier_;
  int vectors_left_ = 0, beats_left_ = 0;
  int sets_left_ = 0, longest_ = 1, pass_left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<LutMultiplierLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
