// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/quantiser.h"

#include <array>
#include <limits>

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;
constexpr int kRecord = 8;  // bytes: int32 bias, int16 M, uint8 n, 0
constexpr int kGroups = 40;

template <class Model>
class QuantiserLane final : public Lane<Model> {
 public:
  QuantiserLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        channels_(p["OUTPUT_CHANNELS"]),
        accumulator_bits_(p["ACCUMULATOR_BITS"]),
        totals((name + "_totals").c_str()),
        pixels((name + "_pixels").c_str()),
        gates((name + "_gates").c_str()),
        bias_(this->random),
        quantiser_(name.c_str(), array_of(channels_), format_of(p), bias_) {
    for (int target : {0, 1}) valid_records(bias_.bytes(target));
    quantiser_.totals(totals);
    quantiser_.pixels(pixels);
    quantiser_.gates(gates);
    this->input(
        COSIM_INPUT(totals),
        [this](Model& m, const stream::Totals& item, const auto& field) {
          tag_fields(m.totals_tag, item.tag, field);
          value_fields(m.totals_values, item.values, channels_, accumulator_bits_, field);
          drive_job(m, *item.tag.job);
        },
        left_, [this](stream::Totals& item) { make(item); });
    this->output(COSIM_OUTPUT(pixels), [this](Model& m, const stream::Pixel& item, const auto& field) {
      tag_fields(m.pixels_tag, item.tag, field);
      byte_fields(m.pixels_bytes, item.bytes, channels_, field);
    });
    this->output(COSIM_OUTPUT(gates), [this](Model& m, const stream::Gate& item, const auto& field) {
      tag_fields(m.gates_tag, item.tag, field);
      value_fields(m.gates_values, item.values, channels_, 16, field);
    });
    // SystemC reads record after record, so what it read last is the group's last record.
    const int last = (channels_ - 1) * kRecord;
    this->reads(
        "bias", bias_, 1,
        [=](Model& m) -> std::optional<Read> {
          if (!m.bias_read || !m.job_scale_per_channel) return {};
          return Read{m.bias_half, static_cast<int>(m.bias_group) * channels_ * kRecord + last};
        },
        [=](Model& m, const std::uint8_t* record) {
          if (record < &bias_.bytes(0)[static_cast<std::size_t>(last)]) record += last;
          for (int i = 0; i < channels_ * kRecord; ++i) put_bits(m.bias_data, 8 * i, 8, (record - last)[i]);
        });
  }

 private:
  static stream::ArrayConfig array_of(int channels) {
    stream::ArrayConfig array;
    array.output_channels = channels;
    return array;
  }
  static arith::QuantiserFormat format_of(const Parameters& p) {
    return {p["ACCUMULATOR_BITS"], p["OPERAND_BITS"],
            p["HALF_UP"] ? arith::Rounding::half_up : arith::Rounding::truncate};
  }
  static void valid_records(std::vector<std::uint8_t>& bytes) {
    for (std::size_t i = 0; i + kRecord <= bytes.size(); i += kRecord) {
      bytes[i + 5] &= 0x7f;
      bytes[i + 6] &= 31;
    }
  }

  void make(stream::Totals& item) {
    item.tag = random_tag(jobs_[static_cast<std::size_t>(this->random.uniform(0, 3))], this->random);
    item.tag.group = this->random.uniform(0, kGroups - 1);
    const bool large = this->random.chance(30);
    for (int o = 0; o < channels_; ++o) {
      const auto wide = static_cast<std::int32_t>(this->random.next());
      item.values[static_cast<std::size_t>(o)] = large ? wide : wide >> 16;
    }
  }

  void next_phase() override {
    base::Random& r = this->random;
    for (stream::Command& job : jobs_) {
      job = {};
      job.scale = r.uniform(1, 32767);
      job.shift = r.uniform(0, 31);
      job.zero_point = r.uniform(0, 255);
      job.output_unsigned = r.chance(50);
      job.relu = r.chance(50);
      job.recurrent_output = r.chance(25);
      job.scale_per_channel = r.chance(40);
      job.bias_select = r.chance(50);
      job.bias_base = r.uniform(0, 10);
    }
    left_ = r.uniform(50, 400);
  }

  static void drive_job(Model& m, const stream::Command& job) {
    m.job_scale = static_cast<SData>(job.scale);
    m.job_shift = static_cast<CData>(job.shift);
    m.job_zero_point = static_cast<CData>(job.zero_point);
    m.job_output_unsigned = job.output_unsigned & 1;
    m.job_relu = job.relu & 1;
    m.job_scale_per_channel = job.scale_per_channel & 1;
    m.job_recurrent_output = job.recurrent_output & 1;
    m.job_bias_select = job.bias_select & 1;
    m.job_bias_base = static_cast<IData>(job.bias_base);
  }

  const int channels_, accumulator_bits_;
  sim::Stream<stream::Totals> totals;
  sim::Stream<stream::Pixel> pixels;
  sim::Stream<stream::Gate> gates;
  Memory bias_;
  stream::Quantiser quantiser_;
  std::array<stream::Command, 4> jobs_{};
  int left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<QuantiserLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
