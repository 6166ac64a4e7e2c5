// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/accumulator.h"

#include "cosim/array.h"
#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;

// Rounds over a job's entries: the first starts from the bias, every one adds, the last may leave as totals. Few
// entries make a sum be read back at once.
template <class Model>
class AccumulatorLane final : public Lane<Model> {
 public:
  AccumulatorLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        array_(array_of(p)),
        sum_bits_(p["SUM_BITS"]),
        bias_(this->random),
        sums((name + "_sums").c_str()),
        done((name + "_done").c_str()),
        totals((name + "_totals").c_str()),
        block_(name.c_str(), array_, bias_) {
    this->plant_port_fault();
    block_.sums(sums);
    block_.done(done);
    block_.totals(totals);
    const int channels = array_.output_channels, bits = p.get("ACCUMULATOR_BITS", 32), sum_bits = sum_bits_;
    this->input(
        COSIM_INPUT(sums),
        [=](Model& m, const stream::Sums& item, const auto& field) {
          tag_fields(m.sums_tag, item.tag, field);
          for (int k = 0; k < array_.rows * channels; ++k)
            field("values", k, m.sums_values, k * sum_bits, sum_bits,
                  static_cast<std::uint64_t>(item.values[static_cast<std::size_t>(k)]));
        },
        left_, [this](stream::Sums& item) { make(item); });
    this->output(COSIM_OUTPUT(done), [](Model&, const stream::JobDone&, const auto&) {});
    this->output(COSIM_OUTPUT(totals), [=](Model& m, const stream::Totals& item, const auto& field) {
      tag_fields(m.totals_tag, item.tag, field);
      for (int o = 0; o < channels; ++o)
        field("values", o, m.totals_values, o * bits, bits,
              static_cast<std::uint64_t>(item.values[static_cast<std::size_t>(o)]));
    });
    this->reads(
        "bias", bias_, 1,
        [=](Model& m) -> std::optional<Read> {
          if (!m.bias_enable) return {};
          return Read{m.bias_target, static_cast<int>(m.bias_group) * channels * (m.job_scale_per_channel ? 8 : 4)};
        },
        [=](Model& m, const std::uint8_t* data) {
          for (int i = 0; i < 8 * channels; ++i) put_bits(m.bias_data, 8 * i, 8, data[i]);
        });
  }

 private:
  void make(stream::Sums& item) {
    stream::Tag& tag = item.tag;
    tag.job = &job_;
    tag.entry = base_ + (row_ * job_.groups + group_) * job_.windows + x_;
    tag.row = row_;
    tag.group = group_;
    tag.x = x_;
    tag.new_weights = x_ == 0;
    tag.first = round_ == 0;
    tag.last = ends_ && round_ + 1 == rounds_;
    tag.job_end = this->random.chance(10);
    const int most = (1 << (sum_bits_ - 1)) - 1;
    for (int k = 0; k < array_.rows * array_.output_channels; ++k)
      item.values[static_cast<std::size_t>(k)] = this->random.uniform(-most - 1, most);
    if (++x_ < job_.windows) return;
    x_ = 0;
    if (++group_ < job_.groups) return;
    group_ = 0;
    if (++row_ < job_.rows) return;
    row_ = 0;
    ++round_;
  }

  void next_phase() override {
    base::Random& draw = this->random;
    job_ = {};
    job_.parallel = draw.uniform(1, array_.rows);
    const int entries = array_.accumulator_entries(job_.parallel);
    do {
      job_.windows = draw.uniform(1, 12);
      job_.groups = draw.uniform(1, 3);
      job_.rows = draw.uniform(1, 3);
    } while (job_.windows * job_.groups * job_.rows > entries);
    const int used = job_.windows * job_.groups * job_.rows;
    base_ = draw.uniform(0, entries - used);
    rounds_ = draw.uniform(1, 8);
    ends_ = draw.chance(75);
    job_.scale_per_channel = draw.uniform(0, 1);
    job_.bias_select = draw.uniform(0, 1);
    job_.bias_base = draw.uniform(0, 60);
    round_ = row_ = group_ = x_ = 0;
    left_ = rounds_ * used;
  }

  void drive_levels(Model& m) override {
    m.job_parallel = static_cast<CData>(job_.parallel);
    m.job_scale_per_channel = job_.scale_per_channel != 0;
    m.job_bias_select = job_.bias_select != 0;
    m.job_bias_base = static_cast<IData>(job_.bias_base);
  }

  const stream::ArrayConfig array_;
  const int sum_bits_;
  Memory bias_;
  sim::Stream<stream::Sums> sums;
  sim::Stream<stream::JobDone> done;
  sim::Stream<stream::Totals> totals;
  stream::Accumulator block_;
  stream::Command job_;
  int left_ = 0;
  int base_ = 0, rounds_ = 1, round_ = 0, row_ = 0, group_ = 0, x_ = 0;
  bool ends_ = false;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<AccumulatorLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
