// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/compile/stage_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/units.h"
#include "compile/text.h"
#include "openvx/stage.h"

namespace fansim::vision {
namespace {

using compile::Misfit;
using network::Layer;
using openvx::Function;
using Unit = openvx::Facts::Unit;

// A sum s with a magnitude below 2^15 is divided by 9 as floor(7282 s / 2^16), because 9 x 7282 - 2^16 = 2 and 2 s <
// 2^16.
constexpr int kNinth = 7282, kNinthShift = 16, kLargestNinth = (1 << 15) - 1;

BorderCode code(openvx::Border border) {
  switch (border) {
    case openvx::Border::replicate:
      return BorderCode::replicate;
    case openvx::Border::constant:
      return BorderCode::constant;
    case openvx::Border::valid:
      break;
  }
  return BorderCode::none;
}

WindowJob window_of(const openvx::Stage& stage) { return {stage.kernel, code(stage.border), stage.border_value, {}}; }

std::optional<Misfit> fit_filter(const Layer& layer, const Config& config, Job& job) {
  const openvx::Stage& stage = *layer.vision();
  const FilterConfig& filter = config.filter;
  if (!filter.exists()) return Misfit{"filter: a filter engine is needed, filter.kernel is 0"};
  if (stage.kernel > filter.kernel)
    return Misfit{fmt::format("filter: a window of {0} x {0}, the engine's is {1} x {1}", stage.kernel, filter.kernel)};
  if (stage.filters() > filter.banks)
    return Misfit{fmt::format("filter: {} filters of one window, the engine has {}", stage.filters(), filter.banks)};
  if (layer.in_format.value_bytes() != 1 || !layer.in_format.is_unsigned())
    return Misfit{"filter: the packed chains multiply samples of 8 bits without sign"};
  const int window = stage.kernel * stage.kernel;
  std::int64_t largest = 0;
  for (int bank = 0; bank < stage.filters(); ++bank) {
    std::int64_t magnitudes = 0;
    for (int i = 0; i < window; ++i) {
      const int weight = stage.weights[static_cast<std::size_t>(bank * window + i)];
      job.weights[static_cast<std::size_t>(bank * FilterConfig::kMaxWeights + i)] = weight;
      magnitudes += std::abs(weight);
    }
    // The low sum of samples less 128 must fit into its field.
    constexpr int kField = (1 << (contract::DualInt8Config{}.shift - 1)) - 1;
    if (!filter.rebase && 128 * magnitudes > kField)
      return Misfit{
          fmt::format("filter: weights whose magnitudes add up to {} leave the field of {} bits without "
                      "re-base slices; {} fit",
                      magnitudes, contract::DualInt8Config{}.shift, kField / 128)};
    largest = std::max(largest, 255 * magnitudes);
  }
  job.filter = window_of(stage);
  job.filter_signed = layer.out_format.value_bytes() == 2;
  job.multiplier = 1;
  job.shift = 0;
  if ((stage.divisor & (stage.divisor - 1)) == 0) {
    while (1 << job.shift < stage.divisor) ++job.shift;
    return std::nullopt;
  }
  if (filter.scaler != Scaler::reciprocal)
    return Misfit{fmt::format("filter: a divisor of {}, filter.scaler shift divides by powers of two", stage.divisor)};
  if (stage.divisor != 9 || largest > kLargestNinth)
    return Misfit{fmt::format("filter: a sum of up to {} divided by {}; the reciprocal is exact for 9, up to {}",
                              largest, stage.divisor, kLargestNinth)};
  job.multiplier = kNinth;
  job.shift = kNinthShift;
  return std::nullopt;
}

std::optional<Misfit> fit_median(const Layer& layer, const Config& config, Job& job) {
  const openvx::Stage& stage = *layer.vision();
  if (!config.median.exists()) return Misfit{"median: exchanges are needed, median.kernel is 0"};
  if (stage.kernel > config.median.kernel)
    return Misfit{
        fmt::format("median: a window of {0} x {0}, the unit's is {1} x {1}", stage.kernel, config.median.kernel)};
  if (config.median.mode == SimdMode::four12 && layer.in_format.value_bytes() != 1)
    return Misfit{"median: samples of 16 bits need median.mode two24"};
  job.median = window_of(stage);
  job.median_operation = stage.function == Function::dilate3x3  ? MedianOperation::largest
                         : stage.function == Function::erode3x3 ? MedianOperation::smallest
                                                                : MedianOperation::median;
  return std::nullopt;
}

SimdOperation operation(Function function) {
  switch (function) {
    case Function::absdiff:
      return SimdOperation::absdiff;
    case Function::accumulate:
    case Function::add:
      return SimdOperation::add;
    case Function::accumulate_square:
      return SimdOperation::accumulate_square;
    case Function::accumulate_weighted:
      return SimdOperation::accumulate_weighted;
    case Function::subtract:
      return SimdOperation::subtract;
    case Function::multiply:
      return SimdOperation::multiply;
    case Function::minimum:
      return SimdOperation::minimum;
    case Function::maximum:
      return SimdOperation::maximum;
    case Function::bitwise_and:
      return SimdOperation::bitwise_and;
    case Function::bitwise_or:
      return SimdOperation::bitwise_or;
    case Function::bitwise_xor:
      return SimdOperation::bitwise_xor;
    case Function::bitwise_not:
      return SimdOperation::bitwise_not;
    case Function::threshold:
      return SimdOperation::threshold;
    default:
      return SimdOperation::pass;
  }
}

std::optional<Misfit> fit_simd(const Layer& layer, const network::NumberFormat& second, const Config& config,
                               Job& job) {
  const openvx::Stage& stage = *layer.vision();
  if (!config.simd.enabled) return Misfit{"simd: a SIMD unit is needed, simd.enabled is false"};
  job.simd = operation(stage.function);
  const bool multiplies = job.simd == SimdOperation::multiply || job.simd == SimdOperation::accumulate_square ||
                          job.simd == SimdOperation::accumulate_weighted;
  if (multiplies && !config.simd.multipliers)
    return Misfit{fmt::format("simd: {} multiplies, simd.multipliers is false", openvx::facts(stage.function).name)};
  const bool two = openvx::facts(stage.function).two_inputs;
  const bool wide = layer.in_format.value_bytes() == 2 || (two && second.value_bytes() == 2) || multiplies;
  if (config.simd.mode == SimdMode::four12 && wide) return Misfit{"simd: more than 8 bits need simd.mode two24"};
  job.simd_shift = stage.shift;
  job.alpha = stage.alpha;
  job.lower = stage.lower;
  job.upper = stage.upper;
  job.inside = stage.range;
  job.true_value = stage.true_value;
  job.false_value = stage.false_value;
  job.wraps = stage.wraps;
  job.simd_low = layer.out_format.lowest();
  job.simd_high = layer.out_format.highest();
  return std::nullopt;
}

// Holds what does not depend on the stripe: the stages' functions and the route.
struct Plan {
  Job job;
  std::vector<UnitCode> route;
  std::vector<int> shrink;  // for each unit, the pixels that the image has lost at each side before it
  int halo = 0;             // pixels that the windows see beyond a result, to each side
  int lost = 0;             // total at each side
};

compile::Fit<Plan> plan_of(const Path& path, const Config& config) {
  Plan plan;
  for (const Layer* layer : path.stages) {
    const openvx::Stage& stage = *layer->vision();
    const network::NumberFormat second{path.second.sample_bytes == 2 ? network::DataType::int16
                                                                     : network::DataType::uint8};
    std::optional<Misfit> misfit;
    UnitCode unit = UnitCode::none;
    switch (openvx::facts(stage.function).unit) {
      case Unit::filter:
        unit = UnitCode::filter;
        misfit = fit_filter(*layer, config, plan.job);
        plan.job.results = stage.filters();
        break;
      case Unit::median:
        unit = UnitCode::median;
        misfit = fit_median(*layer, config, plan.job);
        break;
      case Unit::simd:
        unit = UnitCode::simd;
        misfit = fit_simd(*layer, second, config, plan.job);
        break;
      case Unit::host:
        misfit = Misfit{"the function runs on the host"};
        break;
    }
    if (misfit) return *misfit;
    plan.shrink.push_back(plan.lost);
    plan.halo += stage.radius();
    if (unit != UnitCode::simd && stage.border == openvx::Border::valid) plan.lost += stage.radius();
    plan.job.route[plan.route.size()] = unit;
    plan.route.push_back(unit);
  }
  return plan;
}

// Describes a stripe: samples [from, to) of the image's rows become results, and samples [left, right) are read for
// them.
struct Stripe {
  int from, to, left, right;
};

compile::Fit<std::vector<Stripe>> stripes_of(const Path& path, const Plan& plan, const Config& config) {
  const int channels = path.image.channels, step = config.row_multiple();
  const int lost = plan.lost * channels, halo = plan.halo * channels;
  const int first = lost, last = path.image.samples() - lost;
  if (plan.halo == 0 || path.image.row_samples <= config.pixels.line_samples)
    return std::vector<Stripe>{{first, last, 0, path.image.row_samples}};
  const int width = (config.pixels.line_samples - 2 * base::round_up(halo, step) - step) / step * step;
  if (width <= 0)
    return Misfit{
        fmt::format("pixels: line memories of {} samples hold no stripe whose windows see {} samples to each "
                    "side",
                    config.pixels.line_samples, halo)};
  std::vector<Stripe> stripes;
  for (int from = first; from < last; from += width) {
    const int to = std::min(last, from + width);
    stripes.push_back({from, to, std::max(0, from - halo) / step * step,
                       std::min(path.image.row_samples, base::round_up(to + halo, step))});
  }
  return stripes;
}

Region image_of(const Path& path, const Stripe& stripe, int shrink) {
  const int across = shrink * path.image.channels;
  return {across - stripe.left, path.image.samples() - across - stripe.left, shrink, path.image.height - shrink};
}

Job job_of(const Path& path, const Plan& plan, const Stripe& stripe, const Config& config) {
  Job job = plan.job;
  const auto bytes = [](int samples, int each) { return static_cast<std::uint32_t>(samples * each); };
  job.source = path.image.address + bytes(stripe.left, path.image.sample_bytes);
  job.source_pitch = path.image.pitch();
  job.row_bytes = bytes(stripe.right - stripe.left, path.image.sample_bytes);
  job.rows = static_cast<std::uint32_t>(path.image.height);
  job.sample_bytes = path.image.sample_bytes;
  job.is_signed = path.image.is_signed;
  job.channels = path.image.channels;
  job.two_images = openvx::facts(path.stages.front()->vision()->function).two_inputs;
  if (job.two_images) {
    job.with = path.second.address + bytes(stripe.left, path.second.sample_bytes);
    job.with_pitch = path.second.pitch();
    job.with_bytes = path.second.sample_bytes;
    job.with_signed = path.second.is_signed;
  }
  const int lost = plan.lost * path.image.channels;
  const int begin = (stripe.from - lost) * job.results, count = (stripe.to - stripe.from) * job.results;
  job.destination = path.result.address + bytes(begin, path.result.sample_bytes);
  job.destination_pitch = path.result.pitch();
  job.result_row_bytes = bytes(base::round_up(count, config.row_multiple()), path.result.sample_bytes);
  job.result_rows = static_cast<std::uint32_t>(path.result.height);
  job.result_bytes = path.result.sample_bytes;
  job.crop = {stripe.from - stripe.left, stripe.to - stripe.left, plan.lost, path.image.height - plan.lost};
  for (std::size_t i = 0; i < plan.route.size(); ++i) {
    const Region image = image_of(path, stripe, plan.shrink[i]);
    if (plan.route[i] == UnitCode::filter) job.filter.image = image;
    if (plan.route[i] == UnitCode::median) job.median.image = image;
    job.flush += unit_delay(job, plan.route[i], config.pixels);
  }
  return job;
}

}  // namespace

compile::Fit<std::vector<Job>> jobs_of(const Path& path, const Config& config) {
  const compile::Fit<Plan> planned = plan_of(path, config);
  if (const auto* misfit = std::get_if<Misfit>(&planned)) return *misfit;
  const Plan& plan = std::get<Plan>(planned);
  const compile::Fit<std::vector<Stripe>> cut = stripes_of(path, plan, config);
  if (const auto* misfit = std::get_if<Misfit>(&cut)) return *misfit;
  std::vector<Job> jobs;
  for (const Stripe& stripe : std::get<std::vector<Stripe>>(cut)) jobs.push_back(job_of(path, plan, stripe, config));
  const std::int64_t longest = (std::int64_t{1} << config.dma.length_bits) - 1;
  for (const Job& job : jobs)
    for (const Rows rows : {Rows::image, Rows::second, Rows::result})
      if (rows_of(job, rows).row_bytes > longest)
        return Misfit{fmt::format("dma: a row of {} B, the length register counts to {}",
                                  compile::grouped(rows_of(job, rows).row_bytes), compile::grouped(longest))};
  return jobs;
}

}  // namespace fansim::vision
