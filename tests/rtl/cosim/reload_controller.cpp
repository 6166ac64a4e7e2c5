// SPDX-License-Identifier: Apache-2.0
#include "blocks/reload_controller.h"

#include "cosim/kernel.h"
#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;

template <class Model>
class ReloadControllerLane final : public Lane<Model> {
 public:
  ReloadControllerLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        kernel_(kernel_of(p)),
        coefficients((name + "_coefficients").c_str()),
        reload((name + "_reload").c_str()),
        controller_(name.c_str(), kernel_) {
    controller_.coefficients(coefficients);
    controller_.reload(reload);
    const int inputs = kernel_.format.inputs, bits = kernel_.format.coefficient_bits, word = bits + 5;
    this->input(
        COSIM_INPUT(coefficients),
        [=](Model& m, const blocks::Coefficients& item, const auto& field) {
          for (int i = 0; i < inputs; ++i)
            field("values", i, m.coefficients_values, bits * i, bits,
                  static_cast<std::uint64_t>(item.values[static_cast<std::size_t>(i)]));
        },
        left_, [this](blocks::Coefficients& item) { item = test::random_coefficients(kernel_, this->random); });
    this->output(COSIM_OUTPUT(reload), [=](Model& m, const blocks::ReloadBeat& item, const auto& field) {
      for (int i = 0; i < inputs; ++i) {
        field("lower", i, m.reload_lower, word * i, word, item.lower[static_cast<std::size_t>(i)]);
        field("top", i, m.reload_top, word * i, word, item.top[static_cast<std::size_t>(i)]);
      }
    });
  }

 private:
  void next_phase() override { left_ = this->random.uniform(1, 12); }

  const contract::LutKernelConfig kernel_;
  sim::Stream<blocks::Coefficients> coefficients;
  sim::Stream<blocks::ReloadBeat> reload;
  blocks::ReloadController controller_;
  int left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<ReloadControllerLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
