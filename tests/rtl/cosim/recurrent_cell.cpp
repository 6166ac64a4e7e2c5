// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/recurrent_cell.h"

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;

// A phase is one time step: the machine sends no gate of the next before the step is done.
template <class Model>
class RecurrentCellLane final : public Lane<Model> {
 public:
  RecurrentCellLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, p.get("REQUANTISE", 0) ? kFaults : kFaults - 1),
        channels_(p["OUTPUT_CHANNELS"]),
        gates((name + "_gates").c_str()),
        out((name + "_out").c_str()),
        cell_(name.c_str(), array_of(p)) {
    this->plant_port_fault();
    cell_.gates(gates);
    cell_.out(out);
    this->input(
        COSIM_INPUT(gates),
        [this](Model& m, const stream::Gate& item, const auto& field) {
          tag_fields(m.gates_tag, item.tag, field);
          value_fields(m.gates_values, item.values, channels_, 16, field);
          m.job_gru = job_.gru & 1;
          m.job_add_bias = job_.add_bias & 1;
          m.job_groups = static_cast<SData>(job_.groups);
          m.job_hidden_scale = static_cast<SData>(job_.hidden_scale);
          m.job_hidden_shift = static_cast<CData>(job_.hidden_shift);
        },
        left_, [this](stream::Gate& item) { make(item); });
    this->output(COSIM_OUTPUT(out), [this](Model& m, const stream::Pixel& item, const auto& field) {
      tag_fields(m.out_tag, item.tag, field);
      byte_fields(m.out_bytes, item.bytes, channels_, field);
    });
  }

 private:
  static stream::ArrayConfig array_of(const Parameters& p) {
    stream::ArrayConfig array;
    array.output_channels = p["OUTPUT_CHANNELS"];
    array.hidden_requantise = p.get("REQUANTISE", 0) == 1;
    return array;
  }

  // After the activation a gate is Q0.15, the two halves of the GRU's candidate still Q3.12.
  void make(stream::Gate& item) {
    base::Random& r = this->random;
    const int gate = group_ % 4;
    item.tag = random_tag(job_, r);
    item.tag.group = group_++;
    item.tag.row = step_;
    const bool full_range = job_.gru ? gate >= 2 : gate == 2;
    for (std::int16_t& value : item.values)
      value = static_cast<std::int16_t>(r.uniform(full_range ? -32768 : 0, 32767));
  }

  // Now and then a new sequence begins, longer or shorter, LSTM or GRU. add_bias has no meaning for steps after the
  // first.
  void next_phase() override {
    base::Random& r = this->random;
    if (step_ < 0 || r.chance(15)) {
      job_.gru = r.chance(50);
      job_.groups = 4 * r.uniform(2, this->parameters["BLOCKS"]);
      job_.hidden_scale = job_.hidden_shift = 0;
      if (this->parameters.get("REQUANTISE", 0) == 1 && !job_.gru) {
        job_.hidden_scale = r.chance(10) ? 32766 : r.uniform(0, 1 << r.uniform(0, 14));
        job_.hidden_shift = r.chance(10) ? r.uniform(0, 31) : r.uniform(0, 14);
      }
      job_.add_bias = 1;
      step_ = 0;
    } else {
      job_.add_bias = r.chance(50);
      ++step_;
    }
    group_ = 0;
    left_ = job_.groups;
  }
  void before_edge() override { steps_ = cell_.steps_done(); }
  void compare_after_edge(Model& m, const Compare& field) override {
    field("step_done", 0, m.step_done, 0, 1, cell_.steps_done() > steps_);
  }

  const int channels_;
  sim::Stream<stream::Gate> gates;
  sim::Stream<stream::Pixel> out;
  stream::RecurrentCell cell_;
  stream::Command job_;
  int group_ = 0, step_ = -1, left_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<RecurrentCellLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
