// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/filter_unit.h"

#include "cosim/vision.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 7;

vision::Config config_of(const Parameters& p) {
  vision::Config config = pixels_of(p);
  config.filter.kernel = p["KERNEL"];
  config.filter.banks = p["BANKS"];
  config.filter.terms = p["TERMS"];
  config.filter.rebase = p["REBASE"] == 1;
  config.filter.scaler = p["RECIPROCAL"] == 1 ? vision::Scaler::reciprocal : vision::Scaler::shift;
  return config;
}

template <class Model>
class FilterLane final : public WindowLane<Model, vision::FilterUnit> {
  using WindowLane<Model, vision::FilterUnit>::job;

 public:
  FilterLane(const std::string& name, const Parameters& p)
      : WindowLane<Model, vision::FilterUnit>(name, p, kFaults, config_of(p), config_of(p).filter.latency(),
                                              vision::UnitCode::filter) {
    this->plant_port_fault();
    this->samples_into([this](Model& m, const vision::PixelBeat& beat, const auto& field) {
      this->sample_fields("samples", m.in_samples, beat.samples, field);
    });
    this->results_from([this](Model& m, const vision::PixelBeat& beat, const auto& field) {
      this->sample_fields("samples", m.out_samples, beat.samples, field);
      if (job.results == 2) this->sample_fields("second", m.out_second, beat.second, field);
    });
  }

 private:
  void next_phase() override {
    base::Random& draw = this->random;
    const vision::FilterConfig& filter = this->config.filter;
    this->samples.choose(draw, 8, false);
    job.filter = this->random_window(filter.kernel, 1, this->samples.next(draw));
    job.results = draw.uniform(1, filter.banks);
    job.filter_offset = draw.chance(85);
    job.filter_signed = draw.chance(50);
    const bool multiplies = filter.scaler == vision::Scaler::reciprocal && draw.chance(70);
    job.multiplier = multiplies ? draw.uniform(1, UINT16_MAX) : 1;
    job.shift = draw.uniform(0, multiplies ? 24 : 15);
    choose_weights();
    this->begin_raster();
  }

  // Sums stay in their field of 18 bits: without an offset samples are twice as large, and without slices that take
  // sums apart it holds the whole window's.
  void choose_weights() {
    base::Random& draw = this->random;
    const int window = job.filter.kernel * job.filter.kernel;
    const int together = this->config.filter.rebase ? 7 : window;
    const int most = std::min(128, (job.filter_offset ? 1023 : 514) / together);
    const int largest = draw.chance(50) ? most : draw.uniform(1, std::min(most, 12));
    job.weights = {};
    for (int bank = 0; bank < job.results; ++bank)
      for (int i = 0; i < window; ++i)
        job.weights[static_cast<std::size_t>(bank * vision::FilterConfig::kMaxWeights + i)] =
            draw.uniform(-largest, std::min(largest, 127));
  }

  void drive_levels(Model& m) override {
    this->drive_window(m);
    const int largest = this->config.filter.kernel, kernel = job.filter.kernel, around = (largest - kernel) / 2;
    for (int bank = 0; bank < this->config.filter.banks; ++bank)
      for (int row = 0; row < largest; ++row)
        for (int column = 0; column < largest; ++column) {
          const int y = row - around, x = column - around;
          const bool inside = y >= 0 && y < kernel && x >= 0 && x < kernel;
          const auto at = static_cast<std::size_t>(bank * vision::FilterConfig::kMaxWeights + y * kernel + x);
          put_bits(m.job_weights, 8 * ((bank * largest + row) * largest + column), 8,
                   inside ? static_cast<std::uint64_t>(job.weights[at]) : 0);
        }
    m.job_multiplier = static_cast<SData>(job.multiplier);
    m.job_shift = static_cast<CData>(job.shift);
    m.job_signed = job.filter_signed;
    m.job_offset = job.filter_offset;
  }
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<FilterLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
