// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/bounds/roofline.h"

#include <algorithm>
#include <cmath>

#include "accelerators/tiled/bounds/loads.h"
#include "accelerators/tiled/compile/engine_choice.h"
#include "accelerators/tiled/estimate/estimate.h"
#include "accelerators/tiled/estimate/macs.h"

namespace fansim::tiled {
namespace {

using network::Layer;

double ceil_div(double a, double b) { return std::ceil(a / b); }

// Describes the work of one group of channels.
struct Work {
  double outputs, inputs;  // channels
  double sums = 1;         // per output channel
  double steps = 1;        // positions of the kernel
  double read = 0;         // values of the input map that its windows cover
};

// Returns a lower bound of the part of a direction that the windows of `count` outputs touch; windows may overlap or
// leave gaps.
double touched(double count, double kernel, double stride) { return (count - 1) * std::min(kernel, stride) + kernel; }

Work work_of(const Layer& layer, const Layer* pool) {
  Work work{static_cast<double>(layer.outputs()) / layer.groups(), 0};
  if (layer.type() == network::LayerType::fc) {
    work.inputs = work.read = static_cast<double>(layer.in.elements());
    return work;
  }
  work.inputs = static_cast<double>(layer.in.channels) / layer.groups();
  work.steps = static_cast<double>(layer.window().area());
  double rows = layer.out.height, columns = layer.out.width;
  if (pool) {
    const network::Window& pooled = pool->window();
    rows = std::min(rows, touched(pool->out.height, pooled.kernel, pooled.stride) - 2 * pooled.padding[0]);
    columns = std::min(columns, touched(pool->out.width, pooled.kernel, pooled.stride) - 2 * pooled.padding[1]);
  }
  rows = std::max(rows, 1.0);
  columns = std::max(columns, 1.0);
  work.sums = rows * columns;
  const network::Window& window = layer.window();
  const auto read = [&](double sums, int extent, int padding) {
    return std::clamp(touched(sums, window.kernel, window.stride) - 2 * padding, 1.0, static_cast<double>(extent));
  };
  work.read =
      work.inputs * read(rows, layer.in.height, window.padding[0]) * read(columns, layer.in.width, window.padding[1]);
  return work;
}

double conv_cycles(const Work& w, const EngineConfig& low, const EngineConfig& high, const Config& c, bool vector) {
  const double m_tiles = ceil_div(w.outputs, high.tm);
  // The compiler may cut a vector on the convolution engine into any number of columns.
  const double tiles = vector ? m_tiles : m_tiles * ceil_div(w.inputs, high.tn);
  const double compute =
      vector ? ceil_div(w.outputs * w.inputs, static_cast<double>(high.tm) * high.tn) : tiles * w.sums * w.steps;
  const Encoding weights = c.weight_encoding(), inputs = c.input_encoding();
  const Loads loads(c);
  double weight_bits = w.outputs * w.inputs * w.steps / weights.per_beat() * weights.beat_bits;
  if (!vector && c.load.reorganise && low.tm == high.tm && low.tn == high.tn)
    weight_bits = tiles * w.steps * high.tn * static_cast<double>(weights.beats(high.tm)) * weights.beat_bits;
  const double input_bits = m_tiles * w.read / inputs.per_beat() * inputs.beat_bits;
  const double weight_cycles = loads.data(weight_bits, weights.beat_bits);
  const double input_cycles = loads.data(input_bits, inputs.beat_bits);
  if (c.load.order == LoadOrder::parallel) return std::max({compute, weight_cycles, input_cycles});
  return std::max(compute, loads.in_turn(weight_cycles + input_cycles, loads.bus(weight_bits + input_bits), 2 * tiles));
}

double fc_cycles(const Work& w, const EngineConfig& low, const EngineConfig& high, const Config& high_config) {
  const Config& c = high_config;
  const bool fixed = low.tm == high.tm && low.tn == high.tn;
  const double values =
      fixed ? ceil_div(w.outputs, high.tm) * high.tm * ceil_div(w.inputs, high.tn) * high.tn : w.outputs * w.inputs;
  const double compute = ceil_div(w.outputs, high.tm) * ceil_div(w.inputs, high.tn);
  const Encoding weights = c.weight_encoding();
  const Loads loads(c);
  const double weight_bits = values / weights.per_beat() * weights.beat_bits;
  const double data = loads.data(weight_bits, weights.beat_bits);
  if (c.load.order == LoadOrder::parallel) return std::max(compute, data);
  return std::max(compute,
                  loads.in_turn(data, loads.bus(weight_bits), ceil_div(weight_bits / 8, c.weights.fc_half_bytes())));
}

bool places_freely(const EngineConfig& e) { return e.macs == MacPlace::by_output || e.macs == MacPlace::by_input; }

}  // namespace

double least_cycles(const Layer& layer, const Layer* pool, const Config& low, const Config& high) {
  const int engine = engine_of(layer, high);
  if (engine != engine_of(layer, low) || layer.joins()) return 0;  // a concatenation may be a placement
  const Work work = work_of(layer, pool);
  const EngineConfig &least = low.engine(engine), &most = high.engine(engine);
  if (engine == Config::kFc) return high.host.layer_setup + fc_cycles(work, least, most, high);
  return high.host.layer_setup +
         layer.groups() * conv_cycles(work, least, most, high, layer.type() == network::LayerType::fc);
}

contract::Resources least_use(const Config& low, const Placed& placed, bool dsp_within_device) {
  const double luts_per_mac = tiled::luts_per_mac(low.quantisation);
  Config bare = low;
  for (EngineConfig* engine : {&bare.conv, &bare.first, &bare.fc}) engine->macs = MacPlace::lut;
  contract::Resources use = cost_of(bare).total;
  use.bram36 -= fc_store_slack(low);
  double lut_macs = 0, free_macs = 0;
  for (int i = 0; i < Config::kEngines; ++i) {
    if (!bare.engine(i).exists()) continue;
    const contract::Resources macs = tiled::macs(bare.engine(i), low.quantisation, luts_per_mac);
    use.lut -= macs.lut;
    use.ff -= macs.ff;
    const EngineConfig& engine = low.engine(i);
    if (placed[static_cast<std::size_t>(i)]) {
      use += tiled::macs(engine, low.quantisation, luts_per_mac);
      continue;
    }
    if (engine.macs == MacPlace::dsp) use.dsp += engine.macs_per_cycle();
    if (engine.macs == MacPlace::lut) lut_macs += engine.macs_per_cycle();
    if (places_freely(engine)) free_macs += engine.macs_per_cycle();
  }
  if (dsp_within_device) lut_macs += std::max(0.0, free_macs - std::max(0, low.device.dsp - use.dsp));
  use.lut += static_cast<int>(lut_macs * luts_per_mac);
  return use;
}

}  // namespace fansim::tiled
