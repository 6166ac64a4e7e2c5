// SPDX-License-Identifier: Apache-2.0
#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;
constexpr int kMaxWords = 4;

struct Beat {
  std::array<std::uint64_t, kMaxWords> words;
};

// Contains the stream: it pops at `in` and pushes the same beat at `out` if there is room, at the same edge. The twin
// represents `out` alone, so its input is what this block offers.
class Wire final : public sim::Module {
 public:
  sim::StreamIn<Beat> in{"in"};
  sim::StreamOut<Beat> out{"out"};
  using sim::Module::Module;

 private:
  void step() override {
    if (in.can_pop() && out.can_push()) out.push(in.pop());
  }
};

template <class Model>
class StreamRegisterLane final : public Lane<Model> {
 public:
  StreamRegisterLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults), in((name + "_in").c_str()), out((name + "_out").c_str()), wire(name.c_str()) {
    wire.in(in);
    wire.out(out);
    const int width = p["WIDTH"];
    const auto fields = [width](auto& port, const Beat& beat, const auto& field) {
      for (int low = 0, word = 0; low < width; low += 64, ++word)
        field("data", word, port, low, std::min(64, width - low), beat.words[static_cast<std::size_t>(word)]);
    };
    this->input(
        COSIM_INPUT(in), [=](Model& m, const Beat& beat, const auto& field) { fields(m.in_data, beat, field); }, left_,
        [this](Beat& beat) {
          for (std::uint64_t& word : beat.words) word = this->random.next();
        });
    this->output(COSIM_OUTPUT(out),
                 [=](Model& m, const Beat& beat, const auto& field) { fields(m.out_data, beat, field); });
  }

 private:
  void next_phase() override { left_ = this->random.uniform(50, 500); }

  sim::Stream<Beat> in, out;
  Wire wire;
  int left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<StreamRegisterLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
