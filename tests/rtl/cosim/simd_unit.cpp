// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/simd_unit.h"

#include "cosim/vision.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 6;

vision::Config config_of(const Parameters& p) {
  vision::Config config = pixels_of(p);
  config.simd.mode = p["FOUR12"] == 1 ? vision::SimdMode::four12 : vision::SimdMode::two24;
  config.simd.multipliers = p["MULTIPLIERS"] == 1;
  return config;
}

template <class Model>
class SimdLane final : public VisionLane<Model, vision::SimdUnit> {
  using VisionLane<Model, vision::SimdUnit>::job;

 public:
  SimdLane(const std::string& name, const Parameters& p)
      : VisionLane<Model, vision::SimdUnit>(name, p, kFaults, config_of(p), config_of(p).simd.latency()) {
    this->samples_into([this](Model& m, const vision::PixelBeat& beat, const auto& field) {
      this->sample_fields("samples", m.in_samples, beat.samples, field);
      this->sample_fields("second", m.in_second, beat.second, field);
    });
    this->results_from([this](Model& m, const vision::PixelBeat& beat, const auto& field) {
      this->sample_fields("samples", m.out_samples, beat.samples, field);
    });
  }

 private:
  // Draws what the compiler allows the unit to do. Lanes of 12 bits hold samples of 8 bits, without products; an
  // inverted sample always has 8 bits.
  void next_phase() override {
    using Operation = vision::SimdOperation;
    base::Random& draw = this->random;
    const bool narrow = this->config.simd.mode == vision::SimdMode::four12;
    const bool multiplies = !narrow && this->config.simd.multipliers;
    job.simd = static_cast<Operation>(
        draw.uniform(0, static_cast<int>(multiplies ? Operation::accumulate_weighted : Operation::threshold)));
    const auto choose = [&](RandomSamples& values, bool bytes) {
      const int bits = bytes || draw.chance(30) ? 8 : 16;
      const bool is_signed = bits == 16 && draw.chance(50);
      values.choose(draw, bits, is_signed);
      return is_signed;
    };
    signed_ = choose(this->samples, narrow || job.simd == Operation::bitwise_not);
    with_signed_ = choose(this->second, narrow);
    job.simd_shift = draw.uniform(0, 15);
    job.alpha = draw.uniform(0, 256);
    const auto bound = [&] {
      return draw.chance(50) ? this->samples.next(draw)
             : narrow        ? draw.uniform(-1000, 1000)
                             : draw.uniform(INT16_MIN, UINT16_MAX);
    };
    job.lower = bound();
    job.upper = bound();
    job.inside = draw.chance(50);
    job.true_value = draw.uniform(0, 255);
    job.false_value = draw.uniform(0, 255);
    job.wraps = draw.chance(40);
    const bool byte = draw.chance(50), is_signed = !byte && draw.chance(50);
    job.simd_low = is_signed ? INT16_MIN : 0;
    job.simd_high = byte ? UINT8_MAX : is_signed ? INT16_MAX : UINT16_MAX;
    this->begin(draw.uniform(20, 80));
  }

  void drive_levels(Model& m) override {
    const auto value = [](int wide) { return static_cast<IData>(wide) & 0x1ffff; };
    m.job_operation = static_cast<CData>(job.simd);
    m.job_signed = signed_;
    m.job_with_signed = with_signed_;
    m.job_shift = static_cast<CData>(job.simd_shift);
    m.job_alpha = static_cast<SData>(job.alpha);
    m.job_lower = value(job.lower);
    m.job_upper = value(job.upper);
    m.job_true_value = static_cast<CData>(job.true_value);
    m.job_false_value = static_cast<CData>(job.false_value);
    m.job_inside = job.inside;
    m.job_wraps = job.wraps;
    m.job_low = value(job.simd_low);
    m.job_high = value(job.simd_high);
  }

  bool signed_ = false, with_signed_ = false;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<SimdLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
