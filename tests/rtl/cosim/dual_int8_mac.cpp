// SPDX-License-Identifier: Apache-2.0
#include "blocks/dual_int8_mac.h"

#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;

contract::DualInt8Config config_of(const Parameters& p) {
  contract::DualInt8Config config;
  config.terms = p["TERMS"];
  config.shift = p["SHIFT"];
  return config;
}

// Dot products of a few beats; operands of every kind, of which many are the ends of their ranges.
template <class Model>
class DualInt8MacLane final : public Lane<Model> {
 public:
  DualInt8MacLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        config_(config_of(p)),
        pairs((name + "_pairs").c_str()),
        sums((name + "_sums").c_str()),
        block_(name.c_str(), config_) {
    block_.pairs(pairs);
    block_.sums(sums);
    this->input(
        COSIM_INPUT(pairs),
        [this](Model& m, const blocks::Int8Pairs& item, const auto& field) {
          for (int k = 0; k < config_.terms; ++k) {
            const auto i = static_cast<std::size_t>(k);
            field("high", k, m.pairs_high, 9 * k, 9, static_cast<std::uint64_t>(item.high[i]));
            field("low", k, m.pairs_low, 9 * k, 9, static_cast<std::uint64_t>(item.low[i]));
            field("shared", k, m.pairs_shared, 9 * k, 9, static_cast<std::uint64_t>(item.shared[i]));
          }
          field("first", 0, m.pairs_first, 0, 1, item.first);
          field("last", 0, m.pairs_last, 0, 1, item.last);
        },
        left_, [this](blocks::Int8Pairs& item) { make(item); });
    this->output(COSIM_OUTPUT(sums), [](Model& m, const blocks::Int8Sums& item, const auto& field) {
      field("high", 0, m.sums_high, 0, 24, static_cast<std::uint64_t>(item.high));
      field("low", 0, m.sums_low, 0, 24, static_cast<std::uint64_t>(item.low));
    });
  }

 private:
  // Draws int8 or uint8, as the phase requires.
  std::int16_t byte(bool is_unsigned) {
    const int low = is_unsigned ? 0 : -128;
    const int draw = this->random.uniform(0, 319);
    return static_cast<std::int16_t>(draw < 256 ? low + draw : draw < 288 ? low : low + 255);
  }

  void make(blocks::Int8Pairs& item) {
    item.first = this->pairs_of_sum_ == 0;
    if (item.first) pairs_of_sum_ = this->random.uniform(1, longest_);
    item.last = --pairs_of_sum_ == 0 || left_ == 0;
    for (int k = 0; k < config_.terms; ++k) {
      const auto i = static_cast<std::size_t>(k);
      item.high[i] = byte(unsigned_pairs_);
      item.low[i] = byte(unsigned_pairs_);
      item.shared[i] = byte(unsigned_factor_);
    }
  }

  void next_phase() override {
    left_ = this->random.uniform(30, 200);
    longest_ = this->random.uniform(1, 9);
    pairs_of_sum_ = 0;
    unsigned_pairs_ = this->random.chance(30);
    unsigned_factor_ = !unsigned_pairs_ && this->random.chance(50);
  }

  const contract::DualInt8Config config_;
  sim::Stream<blocks::Int8Pairs> pairs;
  sim::Stream<blocks::Int8Sums> sums;
  blocks::DualInt8Mac block_;
  int left_ = 0, longest_ = 1, pairs_of_sum_ = 0;
  bool unsigned_pairs_ = false, unsigned_factor_ = false;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<DualInt8MacLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
