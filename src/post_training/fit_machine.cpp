// SPDX-License-Identifier: Apache-2.0
#include "post_training/fit_machine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/interrupt.h"
#include "base/random.h"
#include "base/workers.h"
#include "network/random_tensors.h"
#include "network/reference/reference.h"
#include "network/reference/reference_arithmetic.h"
#include "network/reference/windows.h"

namespace fansim::post_training {
namespace {

using network::Layer;
using network::LayerType;
using network::Tensor;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool weighs_windows(const Layer& layer) { return layer.type() == LayerType::conv || layer.type() == LayerType::fc; }

// Returns the largest magnitude that a code can stand for, or with ReLU the largest value.
double reach(const Activation& activation, bool relu) {
  const network::NumberFormat& f = activation.format;
  const int above = f.highest() - f.zero_point, below = f.zero_point - f.lowest();
  return activation.step * (relu ? above : std::max(above, below));
}

double largest_operand(const Coder& coder) { return std::ldexp(1.0, coder.machine->operand_bits - 1) - 1; }

// Returns the largest magnitude of each output channel.
void add_reaches(const Layer& layer, const Tensor& out, std::vector<float>& reaches) {
  reaches.resize(static_cast<std::size_t>(layer.outputs()));
  const std::size_t each = out.size() / reaches.size();
  const auto values = out.view<float>();
  for (std::size_t i = 0; i < values.size(); ++i)
    reaches[i / each] = std::max(reaches[i / each], std::abs(static_cast<float>(values[i])));
}

double mean_square(const Tensor& tensor) {
  double sum = 0;
  const auto values = tensor.view<float>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = static_cast<double>(values[i]);
    sum += value * value;
  }
  return sum / static_cast<double>(values.size());
}

// What a layer with weights needs of its input's step. Its sums' unit is the product of both steps, and the operand
// holds no more than its largest value of that unit.
struct Needs {
  std::vector<float> reaches;            // of each output
  double in_square = 0, out_square = 0;  // mean squares, summed over inputs
};

class StepSpreader {
 public:
  StepSpreader(const network::FloatNetwork& network, const std::vector<Tensor>& inputs, const Coder& coder,
               const Calibration& calibration)
      : network_(network), coder_(coder), calibration_(calibration), needs_(network.network.layers.size()) {
    const std::vector<Layer>& layers = network.network.layers;
    squares_.resize(layers.size() + 1);
    for (const Tensor& input : inputs) {
      base::stop_if_interrupted();
      const std::vector<Tensor> outputs = network::run_float(network, input);
      squares_[0] += mean_square(input);
      for (std::size_t i = 0; i < layers.size(); ++i) {
        squares_[i + 1] += mean_square(outputs[i]);
        if (weighs_windows(layers[i])) add_reaches(layers[i], outputs[i], needs_[i].reaches);
      }
    }
    for (double& square : squares_) square /= static_cast<double>(inputs.size());
  }

  // Returns the relative noise that the readers of the tensors `group` have if their step is multiplied by `factor`.
  double noise(const std::vector<std::size_t>& group, double factor) const {
    const std::vector<Layer>& layers = network_.network.layers;
    double sum = 0;
    const auto reads = [&](int producer) {
      return std::find(group.begin(), group.end(), static_cast<std::size_t>(producer + 1)) != group.end();
    };
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (weighs_windows(layers[i])) {
        if (reads(layers[i].source)) sum += noise_of(i, factor);
        continue;
      }
      if (!layers[i].rescales() && layers[i].type() != LayerType::add) continue;
      for (const int producer : {layers[i].source, layers[i].reads_two() ? layers[i].with : layers[i].source})
        if (reads(producer)) sum += of_step(producer, factor) / std::max(1e-30, squares_[size(producer)]);
    }
    return sum;
  }

 private:
  static std::size_t size(int producer) { return static_cast<std::size_t>(producer + 1); }
  double of_step(int producer, double factor) const {
    const double step = calibration_.of(producer).step * factor;
    return step * step / 12;
  }

  double noise_of(std::size_t i, double factor) const {
    const Layer& layer = network_.network.layers[i];
    const network::FloatWeights& floats = network_.weights[i];
    const double step = calibration_.of(layer.source).step * factor;
    const auto outputs = static_cast<std::size_t>(layer.outputs()), taps = floats.weights.size() / outputs;
    const double most = std::ldexp(1.0, coder_.weight_bits - 1) - 1;
    const double ends = reach(calibration_.activations[i + 1], layer.activation == network::Activation::relu);
    double sum = 0;
    for (std::size_t o = 0; o < outputs; ++o) {
      double largest = 0, squares = 0;
      for (std::size_t t = o * taps; t < (o + 1) * taps; ++t) {
        const double weight = static_cast<double>(floats.weights[t]);
        largest = std::max(largest, std::abs(weight));
        squares += weight * weight;
      }
      const double needed = std::min<double>(needs_[i].reaches[o], ends) / (step * largest_operand(coder_));
      const double unit = std::max(largest / most, needed);
      sum += unit * unit / 12 * static_cast<double>(taps) * squares_[size(layer.source)] + step * step / 12 * squares;
    }
    return sum / static_cast<double>(outputs) / std::max(1e-30, squares_[i + 1]);
  }

  const network::FloatNetwork& network_;
  const Coder& coder_;
  const Calibration& calibration_;
  std::vector<Needs> needs_;
  std::vector<double> squares_;  // mean square of each tensor
};

// Widens a step. Codes that end at a limit still end there; others reach further up.
Activation widened(const Activation& activation, double factor, bool limited) {
  const network::NumberFormat& f = activation.format;
  Activation wide = activation;
  wide.step *= factor;
  wide.format.zero_point = static_cast<int>(limited ? f.highest() - std::lround((f.highest() - f.zero_point) / factor)
                                                    : f.lowest() + std::lround((f.zero_point - f.lowest()) / factor));
  if (limited) wide.step = activation.step * (f.highest() - f.zero_point) / (f.highest() - wide.format.zero_point);
  return wide;
}

// Windows of a layer's input in codes, less their zero point, and what the layer makes of them in floats.
struct Samples {
  std::size_t taps = 0, positions = 0;
  std::vector<std::vector<std::int16_t>> windows;  // by group: [position][tap]
  std::vector<std::vector<float>> wanted;          // by output: [position]
};

// Copies the window of a position, of the channels of one group.
void copy_window(const Layer& layer, const network::Bordered<std::int32_t>& map, int group, int row, int column,
                 std::vector<std::int16_t>& to) {
  const int channels = layer.in.channels / layer.groups(), kernel = layer.window().kernel;
  for (int c = group * channels; c < (group + 1) * channels; ++c) {
    const std::int32_t* from = map.window(c, row, column);
    for (int kr = 0; kr < kernel; ++kr)
      for (int kc = 0; kc < kernel; ++kc) to.push_back(static_cast<std::int16_t>(from[kr * map.width() + kc]));
  }
}

void add_samples(const Layer& layer, const Tensor& codes, const Tensor& floats, int positions, base::Random& random,
                 Samples& samples) {
  const auto outputs = static_cast<std::size_t>(layer.outputs());
  if (layer.type() == LayerType::fc) {
    for (const std::int32_t value : network::centred<std::int32_t>(codes))
      samples.windows[0].push_back(static_cast<std::int16_t>(value));
    for (std::size_t o = 0; o < outputs; ++o) samples.wanted[o].push_back(floats.real(o));
    ++samples.positions;
    return;
  }
  const network::Bordered<std::int32_t> map(layer, codes);
  const int plane = layer.out.height * layer.out.width;
  for (int i = 0; i < std::min(positions, plane); ++i) {
    const int at = positions < plane ? random.uniform(0, plane - 1) : i;
    for (int group = 0; group < layer.groups(); ++group)
      copy_window(layer, map, group, at / layer.out.width, at % layer.out.width,
                  samples.windows[static_cast<std::size_t>(group)]);
    for (std::size_t o = 0; o < outputs; ++o)
      samples.wanted[o].push_back(floats.real(o * static_cast<std::size_t>(plane) + static_cast<std::size_t>(at)));
    ++samples.positions;
  }
}

// One output's weights in codes of a step, and what the machine makes of the samples with them.
struct Candidate {
  double error = kInfinite;
  double unit = 0;
  std::vector<unsigned> codes;
  std::int32_t bias = 0;
  network::Ratio ratio;
};

class OutputFit {
 public:
  OutputFit(const Layer& layer, const Coder& coder, const Activation& in, const Activation& out, const Samples& samples,
            std::size_t output, const float* weights, float bias)
      : layer_(layer),
        coder_(coder),
        in_(in),
        out_(out),
        windows_(samples.windows[output / (static_cast<std::size_t>(layer.outputs()) / samples.windows.size())]),
        wanted_(samples.wanted[output]),
        weights_(weights),
        taps_(samples.taps),
        bias_(bias) {}

  // Searches for the step of the weights about `start`, no finer than `least`.
  Candidate search(double start, double least) const {
    const double factor = std::pow(2.0, 0.25);
    Candidate best = with(start);
    for (const bool up : {true, false}) {
      double unit = start;
      for (int worse = 0; worse < 2;) {
        unit = up ? unit * factor : unit / factor;
        if (unit < least || unit > start * 64) break;
        Candidate next = with(unit);
        worse = next.error < best.error ? 0 : worse + 1;
        if (next.error < best.error) best = std::move(next);
      }
    }
    return best;
  }

 private:
  static constexpr double kRoom = 0.8;  // of the accumulator, for sums of other inputs

  Candidate with(double unit) const {
    Candidate one;
    one.unit = unit;
    const double ratio = unit * in_.step / out_.step;
    if (ratio > 32767 || ratio < 1.0 / (1 << 24)) return one;
    one.ratio = network::fixed_ratio(ratio);
    const auto codec = coder_.method->restore(coder_.weight_bits, {static_cast<float>(unit)});
    std::vector<std::int32_t> integers;
    for (std::size_t t = 0; t < taps_; ++t) {
      one.codes.push_back(codec->project(codec->prepare(weights_[t])));
      integers.push_back(codec->integer(one.codes.back()));
    }
    const std::vector<std::int64_t> sums = sums_of(integers);
    // Half a step makes floor() of it the nearest code.
    const bool truncates = coder_.machine->rounding == arith::Rounding::truncate;
    const double half = truncates ? std::ldexp(0.5, one.ratio.shift) / one.ratio.scale : 0;
    double exact = std::round(static_cast<double>(bias_) / (unit * in_.step) + half);
    double off = 0;
    one.error = error_of(sums, exact, one.ratio, off);
    const double corrected = std::round(exact + off / (unit * in_.step));
    double rest = 0;
    const double error = error_of(sums, corrected, one.ratio, rest);
    if (error < one.error) {
      one.error = error;
      exact = corrected;
    }
    if (std::abs(exact) > (1 << 30)) one.error = kInfinite;
    one.bias = one.error < kInfinite ? static_cast<std::int32_t>(exact) : 0;
    return one;
  }

  std::vector<std::int64_t> sums_of(const std::vector<std::int32_t>& integers) const {
    std::vector<std::int64_t> sums;
    for (std::size_t p = 0; p < wanted_.size(); ++p) {
      const std::int16_t* window = &windows_[p * taps_];
      std::int64_t sum = 0;
      for (std::size_t t = 0; t < taps_; ++t) sum += integers[t] * window[t];
      sums.push_back(sum);
    }
    return sums;
  }

  // Returns the squared error over the samples, and in `off` the mean error of those that are not at an end.
  double error_of(const std::vector<std::int64_t>& sums, double bias, const network::Ratio& ratio, double& off) const {
    constexpr std::size_t kEnough = 16;
    const network::NumberFormat& f = out_.format;
    const arith::Requantise q{ratio.scale, ratio.shift, f.zero_point, f.is_unsigned(), f.bits};
    const int floor = layer_.activation == network::Activation::relu ? f.zero_point : f.lowest();
    const double room = kRoom * std::ldexp(1.0, coder_.machine->accumulator_bits - 1);
    if (std::abs(bias) > 1e9) return kInfinite;
    double error = 0;
    std::size_t inside = 0;
    for (std::size_t p = 0; p < sums.size(); ++p) {
      const std::int64_t sum = sums[p] + static_cast<std::int64_t>(bias);
      if (std::abs(static_cast<double>(sum)) > room) return kInfinite;
      const int code = std::max(network::quantised(sum, q, *coder_.machine), floor);
      const double wanted = std::clamp<double>(static_cast<double>(wanted_[p]), static_cast<double>(out_.value(floor)),
                                               static_cast<double>(out_.value(f.highest())));
      const double miss = wanted - static_cast<double>(out_.value(code));
      error += miss * miss;
      if (code == floor || code == f.highest()) continue;
      off += miss;
      ++inside;
    }
    off = inside >= kEnough ? off / static_cast<double>(inside) : 0;
    return error;
  }

  const Layer& layer_;
  const Coder& coder_;
  const Activation &in_, &out_;
  const std::vector<std::int16_t>& windows_;
  const std::vector<float>& wanted_;
  const float* const weights_;
  const std::size_t taps_;
  const float bias_;
};

void give(const std::vector<Candidate>& found, const Coder& coder, Layer& layer) {
  network::Parameters& parameters = layer.parameters();
  parameters.weights.clear();
  parameters.bias.clear();
  parameters.scales = {{}, {}, true};
  for (const Candidate& one : found) {
    for (const unsigned code : one.codes) {
      parameters.weights.push_back(static_cast<std::int8_t>(code));
      if (coder.weight_bits > 8) parameters.weights.push_back(static_cast<std::int8_t>(code >> 8));
    }
    parameters.bias.push_back(one.bias);
    parameters.scales.scale.push_back(one.ratio.scale);
    parameters.scales.shift.push_back(one.ratio.shift);
  }
}

}  // namespace

std::vector<Tensor> some_inputs(const network::FloatNetwork& network, const std::vector<Tensor>& inputs) {
  constexpr std::int64_t kWork = std::int64_t{1} << 32;  // multiply-accumulates
  constexpr std::size_t kFewest = 16, kMost = 512;
  std::int64_t macs = 1;
  for (const Layer& layer : network.network.layers) macs += layer.macs() + layer.out.elements();
  const std::size_t most =
      std::clamp(static_cast<std::size_t>(kWork / macs), kFewest, std::min(kMost, std::max(kFewest, inputs.size())));
  std::vector<Tensor> some;
  const std::size_t count = std::min(most, inputs.size());
  for (std::size_t i = 0; i < count; ++i) some.push_back(inputs[i * inputs.size() / count]);
  return some;
}

void spread_steps(const network::FloatNetwork& network, const std::vector<Tensor>& inputs,
                  const std::vector<std::size_t>& format_of, const Coder& coder, Calibration& calibration) {
  constexpr int kSteps = 12;  // up to eight times the step
  const StepSpreader spreader(network, inputs, coder, calibration);
  std::vector<Activation> spread = calibration.activations;
  for (std::size_t first = 0; first < format_of.size(); ++first) {
    std::vector<std::size_t> group;
    bool fixed = false, limited = false;
    for (std::size_t i = 0; i < format_of.size(); ++i) {
      if (format_of[i] != first) continue;
      group.push_back(i);
      fixed = fixed || (i < network.given.size() && network.given[i].step > 0 && coder.activation_bits == 8) ||
              (i > 0 && network.network.layers[i - 1].recurs());
      limited = limited || (i > 0 && network.network.layers[i - 1].limit > 0);
    }
    if (group.empty() || fixed || (limited && coder.fit.symmetric)) continue;
    double best = 1, least = spreader.noise(group, 1);
    for (int k = 1; k <= kSteps; ++k) {
      const double factor = std::pow(2.0, k / 4.0), noise = spreader.noise(group, factor);
      if (noise < least) best = factor;
      least = std::min(least, noise);
    }
    if (best > 1)
      for (const std::size_t i : group) spread[i] = widened(spread[i], best, limited);
  }
  calibration.activations = std::move(spread);
}

MachineFit::MachineFit(const network::FloatNetwork& network, const std::vector<Tensor>& inputs,
                       const Calibration& calibration, const Coder& coder)
    : network_(network),
      calibration_(calibration),
      coder_(coder),
      last_reader_(network.network.layers.size() + 1, network.network.layers.size()) {
  const std::vector<Layer>& layers = network.network.layers;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    last_reader_[static_cast<std::size_t>(layers[i].source + 1)] = i;
    if (layers[i].reads_two()) last_reader_[static_cast<std::size_t>(layers[i].with + 1)] = i;
  }
  for (const Tensor& input : inputs) {
    floats_.push_back({input});
    codes_.push_back({code_input(input, calibration.of(Layer::kInput))});
  }
}

void MachineFit::take(std::size_t index, Layer& layer) {
  const Layer& floats = network_.network.layers[index];
  base::Workers(base::cores()).each(floats_.size(), [&](std::size_t i) {
    base::stop_if_interrupted();
    const Tensor* with = floats.reads_two() ? &of(floats_, i, floats.with) : nullptr;
    floats_[i].push_back(network::run_float(floats, network_.weights[index], of(floats_, i, floats.source), with));
  });
  if (weighs_windows(layer) && !layer.parameters().float_sums && coder_.method->linear()) fit(index, layer);
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    base::stop_if_interrupted();
    const Tensor* with = layer.reads_two() ? &of(codes_, i, layer.with) : nullptr;
    codes_[i].push_back(network::run_reference(layer, *coder_.machine, of(codes_, i, layer.source), with).out);
  }
  drop_read(index);
}

void MachineFit::fit(std::size_t index, Layer& layer) {
  constexpr int kPositions = 512;  // over all inputs
  const auto outputs = static_cast<std::size_t>(layer.outputs());
  const network::FloatWeights& floats = network_.weights[index];
  const Activation &in = calibration_.of(layer.source), &out = calibration_.activations[index + 1];
  Samples samples;
  samples.taps = floats.weights.size() / outputs;
  samples.windows.resize(static_cast<std::size_t>(layer.groups()));
  samples.wanted.resize(outputs);
  std::vector<float> reaches;
  base::Random random(index + 1);
  const int each = std::max(1, kPositions / static_cast<int>(codes_.size()));
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    add_samples(layer, of(codes_, i, layer.source), floats_[i].back(), each, random, samples);
    add_reaches(layer, floats_[i].back(), reaches);
  }
  const bool relu = layer.activation == network::Activation::relu;
  std::vector<Candidate> found(outputs);
  base::Workers(base::cores()).each(outputs, [&](std::size_t o) {
    base::stop_if_interrupted();
    const float* weights = &floats.weights[o * samples.taps];
    const OutputFit fit(layer, coder_, in, out, samples, o, weights, floats.bias[o]);
    const double known = floats.steps.empty() ? 0 : static_cast<double>(floats.steps[floats.steps.size() == 1 ? 0 : o]);
    const double own =
        known > 0
            ? known
            : static_cast<double>(coder_.method->fit({weights, weights + samples.taps}, coder_.weight_bits)->step());
    const double needed = std::min<double>(reaches[o], reach(out, relu)) / (in.step * largest_operand(coder_));
    found[o] = fit.search(std::max(own, needed), known > 0 ? known : own * 0.7);
  });
  const bool whole =
      std::all_of(found.begin(), found.end(), [](const Candidate& one) { return one.error < kInfinite; });
  if (whole) give(found, coder_, layer);
}

// Drops tensors that no later layer reads.
void MachineFit::drop_read(std::size_t index) {
  for (std::size_t tensor = 0; tensor <= index; ++tensor)
    if (last_reader_[tensor] == index)
      for (auto* tensors : {&codes_, &floats_})
        for (std::vector<Tensor>& of_input : *tensors) of_input[tensor].bytes.clear();
}

}  // namespace fansim::post_training
