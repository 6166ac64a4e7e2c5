// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/median_unit.h"

#include "cosim/vision.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 6;

vision::Config config_of(const Parameters& p) {
  vision::Config config = pixels_of(p);
  config.median.kernel = p["KERNEL"];
  config.median.network = static_cast<arith::MedianNetwork>(p["NETWORK"]);
  config.median.mode = p["FOUR12"] == 1 ? vision::SimdMode::four12 : vision::SimdMode::two24;
  return config;
}

template <class Model>
class MedianLane final : public WindowLane<Model, vision::MedianUnit> {
 public:
  MedianLane(const std::string& name, const Parameters& p)
      : WindowLane<Model, vision::MedianUnit>(name, p, kFaults, config_of(p), config_of(p).median.latency(),
                                              vision::UnitCode::median) {
    this->plant_port_fault();
    this->samples_into([this](Model& m, const vision::PixelBeat& beat, const auto& field) {
      this->sample_fields("samples", m.in_samples, beat.samples, field);
    });
    this->results_from([this](Model& m, const vision::PixelBeat& beat, const auto& field) {
      this->sample_fields("samples", m.out_samples, beat.samples, field);
    });
  }

 private:
  void next_phase() override {
    base::Random& draw = this->random;
    const int bits = this->config.median.mode == vision::SimdMode::four12 || draw.chance(30) ? 8 : 16;
    signed_ = bits == 16 && draw.chance(50);
    this->samples.choose(draw, bits, signed_);
    this->job.median = this->random_window(this->config.median.kernel, bits / 8, this->samples.next(draw));
    this->job.median_operation = static_cast<vision::MedianOperation>(draw.uniform(0, 2));
    this->begin_raster();
  }

  void drive_levels(Model& m) override {
    this->drive_window(m);
    m.job_operation = static_cast<CData>(this->job.median_operation);
    m.job_signed = signed_;
  }

  bool signed_ = false;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<MedianLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
