// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cosim/array.h"
#include "cosim/bits.h"
#include "primitives/dual_int8.h"
#include "sim/pipeline.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 1;

// A cell has no streams: a new activation, and sometimes new weights, enter at every edge that is not stalled.
template <class Model>
class MacCellLane final : public LaneBase {
 public:
  MacCellLane(const std::string& name, const Parameters& p)
      : name_(name), dual_(p["MULTIPLIER"] == 1), pipeline_(array_of(p).mac_latency()), random_(1, name) {
    faulty_.wrong = 1;
  }

  void at_edge() override {
    const bool enable = !random_.chance(30);
    load_ = enable && (cycles_ == 0 || random_.chance(30));
    if (load_) {
      high_ = byte(-128);
      low_ = byte(-128);
    }
    activation_ = random_.chance(50) ? byte(-128) : byte(0);
    for (Model* model : {&sound_, &faulty_}) drive(*model, enable, 0);
    if (pipeline_.out_valid()) {
      compare(pipeline_.out());
      ++beats_;
    }
    for (Model* model : {&sound_, &faulty_}) drive(*model, enable, 1);
    if (enable) {
      pipeline_.advance();
      pipeline_.enter() =
          dual_ ? primitives::dual_int8(high_, low_, activation_) : primitives::Int8Products{0, low_ * activation_};
    }
    ++cycles_;
  }

  std::int64_t cycles() const override { return cycles_; }
  std::int64_t beats() const override { return beats_; }
  bool failed() const override { return failed_; }
  const std::vector<int>& caught() const override { return caught_; }

 private:
  // Often an end of the range.
  int byte(int low) {
    const int draw = random_.uniform(0, 319);
    return draw < 256 ? low + draw : draw < 288 ? low : low + 255;
  }

  void drive(Model& m, bool enable, int clk) {
    m.enable = enable;
    m.load = load_;
    m.activation = static_cast<SData>(activation_ & 0x1ff);
    m.high_weight = static_cast<CData>(high_ & 0xff);
    m.low_weight = static_cast<CData>(low_ & 0xff);
    m.clk = clk != 0;
    m.eval();
  }

  static bool agrees(const Model& m, const primitives::Int8Products& p) {
    return m.high == (p.high & 0xffff) && m.low == (p.low & 0xffff);
  }

  void compare(const primitives::Int8Products& p) {
    if (caught_.empty() && !agrees(faulty_, p)) caught_.push_back(1);
    if (agrees(sound_, p)) return;
    failed_ = true;
    fmt::print(stderr, "{}: cycle {}: products are {} and {} in the primitive, {} and {} in the twin\n", name_, cycles_,
               p.high, p.low, static_cast<std::int16_t>(sound_.high), static_cast<std::int16_t>(sound_.low));
  }

  const std::string name_;
  const bool dual_;
  sim::Pipeline<primitives::Int8Products> pipeline_;
  base::Random random_;
  VerilatedContext context_;
  Model sound_{&context_, "sound"}, faulty_{&context_, "faulty"};
  int high_ = 0, low_ = 0, activation_ = 0;
  bool load_ = false, failed_ = false;
  std::int64_t cycles_ = 0, beats_ = 0;
  std::vector<int> caught_;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<MacCellLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
