// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/activation.h"

#include <array>

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

template <class Model>
class ActivationLane final : public Lane<Model> {
 public:
  ActivationLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        channels_(p["OUTPUT_CHANNELS"]),
        in((name + "_in").c_str()),
        out((name + "_out").c_str()),
        activation_(name.c_str(), array_of(channels_)) {
    jobs_[1].gru = 1;
    activation_.in(in);
    activation_.out(out);
    this->input(
        COSIM_INPUT(in),
        [this](Model& m, const stream::Gate& item, const auto& field) {
          tag_fields(m.in_tag, item.tag, field);
          value_fields(m.in_values, item.values, channels_, 16, field);
          m.job_gru = item.tag.job->gru & 1;
        },
        left_,
        [this](stream::Gate& item) {
          item.tag = random_tag(jobs_[this->random.chance(50)], this->random);
          // Most arguments lie where the table is not flat.
          const int most = this->random.chance(80) ? 8000 : 32767;
          for (std::int16_t& value : item.values)
            value = static_cast<std::int16_t>(this->random.uniform(-most - 1, most));
        });
    this->output(COSIM_OUTPUT(out), [this](Model& m, const stream::Gate& item, const auto& field) {
      tag_fields(m.out_tag, item.tag, field);
      value_fields(m.out_values, item.values, channels_, 16, field);
    });
  }

 private:
  static stream::ArrayConfig array_of(int channels) {
    stream::ArrayConfig array;
    array.output_channels = channels;
    return array;
  }
  void next_phase() override { left_ = this->random.uniform(50, 400); }

  const int channels_;
  sim::Stream<stream::Gate> in, out;
  stream::Activation activation_;
  std::array<stream::Command, 2> jobs_{};
  int left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<ActivationLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
