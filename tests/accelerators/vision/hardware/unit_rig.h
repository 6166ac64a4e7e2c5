// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "accelerators/vision/hardware/types.h"
#include "support/stream_bench.h"

namespace fansim::test {

// Contains a unit of the vision accelerator with a job, samples that come with gaps, and a sink that takes every
// result.
template <class Unit>
struct UnitRig {
  UnitRig(const std::string& name, const vision::Config& config, int stall_percent = 0)
      : start_stream((name + "_start_stream").c_str()),
        in_stream((name + "_in_stream").c_str()),
        out_stream((name + "_out_stream").c_str()),
        starts((name + "_starts").c_str()),
        source((name + "_source").c_str(), {}, stall_percent),
        sink((name + "_sink").c_str()),
        unit((name + "_unit").c_str(), config) {
    starts.out(start_stream);
    unit.start(start_stream);
    source.out(in_stream);
    unit.in(in_stream);
    unit.out(out_stream);
    sink.in(out_stream);
  }

  // Adds a job and its samples, at `edge` or later.
  void add(const vision::Job& job, const std::vector<vision::PixelBeat>& beats, sim::Edge edge = 0) {
    starts.add({&job}, edge);
    for (const vision::PixelBeat& beat : beats) source.add(beat, edge + 2);
  }
  bool done() const { return source.done() && in_stream.occupancy() == 0; }

  sim::Stream<vision::JobStart> start_stream;
  sim::Stream<vision::PixelBeat> in_stream, out_stream;
  Source<vision::JobStart> starts;
  Source<vision::PixelBeat> source;
  Sink<vision::PixelBeat> sink;
  Unit unit;
};

// Rows of samples, `each` of them a step, behind which come steps of zeros.
struct Raster {
  Raster(int steps, int row_count, int samples_of_step, base::Random& random, int low, int high)
      : row_steps(steps), rows(row_count), each(samples_of_step) {
    for (int i = 0; i < rows * width(); ++i) values.push_back(random.uniform(low, high));
  }
  int width() const { return row_steps * each; }
  std::int32_t at(int row, int sample) const { return values[static_cast<std::size_t>(row * width() + sample)]; }
  std::vector<vision::PixelBeat> beats(std::uint32_t flush) const {
    std::vector<vision::PixelBeat> all(static_cast<std::size_t>(rows * row_steps) + flush);
    for (std::size_t i = 0; i < values.size(); ++i)
      all[i / static_cast<std::size_t>(each)].samples[i % static_cast<std::size_t>(each)] = values[i];
    return all;
  }

  int row_steps, rows, each;
  std::vector<std::int32_t> values;
};

// Returns what the window of a sample inside the image sees, row by row; empty if it extends outside without a border.
inline std::vector<std::int32_t> window_of(const Raster& raster, const vision::WindowJob& job, int channels, int row,
                                           int sample) {
  std::vector<std::int32_t> window;
  const int radius = job.kernel / 2;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      int y = row + dy, x = sample + dx * channels;
      const vision::Region& image = job.image;
      const bool inside = y >= image.top && y < image.bottom && x >= image.left && x < image.right;
      if (!inside && job.border == vision::BorderCode::none) return {};
      if (!inside && job.border == vision::BorderCode::constant) {
        window.push_back(job.border_value);
        continue;
      }
      y = std::clamp(y, image.top, image.bottom - 1);
      while (x < image.left) x += channels;
      while (x >= image.right) x -= channels;
      window.push_back(raster.at(y, x));
    }
  return window;
}

}  // namespace fansim::test
