// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/vision/hardware/types.h"
#include "cosim/lane.h"

// This file runs a unit of the vision accelerator beside its twins: a job, then a raster of samples with gaps. Results
// are always accepted, as the reader ensures.
namespace fansim::cosim {

inline vision::Config pixels_of(const Parameters& p) {
  vision::Config config;
  config.pixels.samples = p["SAMPLES"];
  config.pixels.line_samples = p.get("LINE_SAMPLES", config.pixels.line_samples);
  return config;
}

// Draws values of one type from its whole range, from its ends, or from so few that many are equal.
class RandomSamples {
 public:
  void choose(base::Random& random, int bits, bool is_signed) {
    low_ = is_signed ? -(1 << (bits - 1)) : 0;
    high_ = low_ + (1 << bits) - 1;
    few_ = random.chance(30);
    base_ = random.uniform(low_, high_ - 3);
  }
  std::int32_t next(base::Random& random) const {
    if (few_) return base_ + random.uniform(0, 3);
    if (random.chance(10)) return random.chance(50) ? low_ : high_;
    return random.uniform(low_, high_);
  }

 private:
  int low_ = 0, high_ = 255, base_ = 0;
  bool few_ = false;
};

template <class Model, class Unit>
class VisionLane : public Lane<Model> {
 protected:
  VisionLane(const std::string& name, const Parameters& p, int faults, const vision::Config& unit, int latency)
      : Lane<Model>(name, p, faults),
        config(unit),
        start((name + "_start").c_str()),
        in((name + "_in").c_str()),
        out((name + "_out").c_str()),
        block_(name.c_str(), unit) {
    block_.start(start);
    block_.in(in);
    block_.out(out);
    this->results_refused = false;
    this->longest_way = latency + 4;
    this->input(
        COSIM_INPUT(start), [](Model&, const vision::JobStart&, const auto&) {}, starts_left_,
        [this](vision::JobStart& item) { item.job = &job; });
  }

  // Connects the streams of the samples, and of those results that depend on nothing older, according to known(index in
  // the job).
  template <class Fields>
  void samples_into(Fields fields) {
    this->input(COSIM_INPUT(in), fields, samples_left_, [this](vision::PixelBeat& beat) {
      beat = {};
      for (std::size_t i = 0; i < static_cast<std::size_t>(config.pixels.samples); ++i) {
        beat.samples[i] = samples.next(this->random);
        beat.second[i] = second.next(this->random);
      }
    });
  }
  template <class Fields>
  void results_from(Fields fields) {
    this->output(COSIM_OUTPUT(out), [=](Model& m, const vision::PixelBeat& beat, const auto& field) {
      if (known(out.pops() - results_before_)) fields(m, beat, field);
    });
  }
  template <class Port, class Field>
  void sample_fields(const char* name, Port& port, const vision::Samples& values, const Field& field) const {
    for (int i = 0; i < config.pixels.samples; ++i)
      field(name, i, port, 16 * i, 16, static_cast<std::uint64_t>(values[static_cast<std::size_t>(i)]));
  }

  // Begins a job of `steps` steps; its samples come after that.
  void begin(int steps) {
    starts_left_ = 1;
    steps_ = steps;
    results_before_ = out.pops();
  }
  void before_edge() override {
    if (steps_ > 0 && starts_left_ == 0 && start.occupancy() == 0) {
      samples_left_ = steps_;
      steps_ = 0;
    }
  }
  virtual bool known(std::int64_t) const { return true; }

  const vision::Config config;
  vision::Job job;
  RandomSamples samples, second;

 private:
  sim::Stream<vision::JobStart> start;
  sim::Stream<vision::PixelBeat> in, out;
  Unit block_;
  int starts_left_ = 0, steps_ = 0, samples_left_ = 0;
  std::int64_t results_before_ = 0;
};

// Runs a unit that sees windows.
template <class Model, class Unit>
class WindowLane : public VisionLane<Model, Unit> {
 protected:
  WindowLane(const std::string& name, const Parameters& p, int faults, const vision::Config& unit, int latency,
             vision::UnitCode code)
      : VisionLane<Model, Unit>(name, p, faults, unit, latency), unit_(code) {}

  // Draws what windows see of a random raster with `bytes` bytes per sample.
  vision::WindowJob random_window(int largest, int bytes, std::int32_t border_value) {
    base::Random& draw = this->random;
    const int each = this->config.pixels.samples;
    const int longest = this->config.pixels.line_samples / each;
    row_steps_ = draw.chance(80) ? draw.uniform(4, std::min(8, longest)) : draw.uniform(4, longest);
    rows_ = draw.uniform(1, 12);
    this->job.channels = draw.uniform(1, 3);
    this->job.sample_bytes = bytes;
    this->job.row_bytes = static_cast<std::uint32_t>(row_steps_ * each * bytes);
    const int width = row_steps_ * each;
    vision::WindowJob window;
    window.kernel = 2 * draw.uniform(1, largest / 2) + 1;
    window.border = static_cast<vision::BorderCode>(draw.uniform(0, 2));
    window.border_value = border_value;
    const auto from = [&](int below, int size) { return draw.chance(40) ? 0 : draw.uniform(-below, size / 2); };
    const auto to = [&](int size, int above) {
      return draw.chance(40) ? size : draw.uniform(size / 2 + 1, size + above);
    };
    window.image = {from(9, width), to(width, 9), from(3, rows_), to(rows_, 3)};
    return window;
  }
  void begin_raster() {
    this->begin(rows_ * row_steps_ + static_cast<int>(unit_delay(this->job, unit_, this->config.pixels)));
  }

  void drive_window(Model& m) const {
    const vision::WindowJob& window = this->job.window(unit_);
    const auto place = [](int value) { return static_cast<IData>(value) & 0x1ffff; };
    m.job_radius = static_cast<CData>(window.kernel / 2);
    m.job_channels = static_cast<CData>(this->job.channels);
    m.job_row_steps = static_cast<SData>(row_steps_);
    m.job_border = static_cast<CData>(window.border);
    m.job_border_value = static_cast<std::decay_t<decltype(m.job_border_value)>>(window.border_value);
    m.job_left = place(window.image.left);
    m.job_right = place(window.image.right);
    m.job_top = place(window.image.top);
    m.job_bottom = place(window.image.bottom);
  }

 private:
  // Before the raster, windows see what registers and line memories held; with a border they never see it.
  bool known(std::int64_t step) const override {
    const vision::WindowJob& window = this->job.window(unit_);
    if (window.border != vision::BorderCode::none && window.image.left >= 0 && window.image.top >= 0) return true;
    const int width = row_steps_ * this->config.pixels.samples, radius = window.kernel / 2;
    return step / row_steps_ * width >= radius * (width + this->job.channels);
  }

  const vision::UnitCode unit_;
  int row_steps_ = 4, rows_ = 1;
};

}  // namespace fansim::cosim
