// SPDX-License-Identifier: Apache-2.0
#include "cli/explore_model.h"

#include <fmt/format.h>

#include "cli/accelerator.h"
#include "cli/explore_config.h"

namespace fansim::cli {
namespace {

using explore::Metric;
using explore::Outcome;

network::LoadOptions timing_only() {
  network::LoadOptions options;
  options.values = false;
  return options;
}

std::string number_format(const arch::StreamConfig&) { return "int8"; }
std::string number_format(const arch::TiledConfig& config) {
  const arch::QuantisationConfig& q = config.quantisation;
  return fmt::format("{} {} {} {} {} {}", q.method, q.weight_bits, q.activation_bits, static_cast<int>(q.grain),
                     config.quantiser.accumulator_bits, config.quantiser.operand_bits);
}

double percent(double used, int available) { return available > 0 ? 100 * used / available : used > 0 ? 1e9 : 0; }

}  // namespace

explore::Metrics metrics_of(const LayerTime& time, double clock_hz, const arch::Device& device,
                            const arch::Resources& use, double power_w, double fmax_hz) {
  explore::Metrics m{};
  const double seconds = static_cast<double>(time.cycles) / clock_hz;
  of(m, Metric::cycles) = static_cast<double>(time.cycles);
  of(m, Metric::latency_ms) = seconds * 1e3;
  of(m, Metric::frames_per_s) = 1 / seconds;
  of(m, Metric::gops) = 2 * static_cast<double>(time.macs) / seconds / 1e9;
  of(m, Metric::dsp) = use.dsp;
  of(m, Metric::lut) = use.lut;
  of(m, Metric::ff) = use.ff;
  of(m, Metric::bram36) = use.bram36;
  of(m, Metric::dsp_percent) = percent(use.dsp, device.dsp);
  of(m, Metric::lut_percent) = percent(use.lut, device.lut);
  of(m, Metric::ff_percent) = percent(use.ff, device.ff);
  of(m, Metric::bram36_percent) = percent(use.bram36, device.bram36);
  of(m, Metric::read_mb) = static_cast<double>(time.bytes_read) / 1e6;
  of(m, Metric::written_mb) = static_cast<double>(time.bytes_written) / 1e6;
  of(m, Metric::bandwidth_gb_per_s) = static_cast<double>(time.bytes_read + time.bytes_written) / seconds / 1e9;
  of(m, Metric::power_w) = power_w;
  of(m, Metric::energy_mj) = power_w * seconds * 1e3;
  of(m, Metric::clock_mhz) = clock_hz / 1e6;
  of(m, Metric::fmax_mhz) = fmax_hz / 1e6;
  return m;
}

template <class Config>
AcceleratorModel<Config>::AcceleratorModel(const explore::Space& space, Config base, const std::string& network)
    : space_(space), base_(std::move(base)), loaded_(network::load_network(network, timing_only())) {
  layers_ = timed_layers(*network_of(base_), base_);
}

template <class Config>
std::shared_ptr<const network::Network> AcceleratorModel<Config>::network_of(const Config& config) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<const network::Network>& network = networks_[number_format(config)];
  if (!network) {
    network::Network prepared = loaded_;
    prepare(prepared, config, timing_only());
    network = std::make_shared<const network::Network>(std::move(prepared));
  }
  return network;
}

template <class Config>
Outcome AcceleratorModel<Config>::evaluate(const explore::Point& point) const {
  const Configured<Config> configured = configure(space_, base_, space_.overrides(point));
  if (const auto* refused = std::get_if<std::string>(&configured)) return Outcome::misfit(*refused);
  const auto& config = std::get<Config>(configured);
  const auto network = network_of(config);
  LayerTime sum;
  for (const int layer : layers_) {
    const LayerTimes::Scheduled time = times_.time(config, *network, layer, sum.left);
    if (const auto* refused = std::get_if<std::string>(&time)) return Outcome::misfit(*refused);
    sum += std::get<LayerTime>(time);
  }
  const estimate::Estimate cost = estimate::estimate(config);
  return {Outcome::Kind::scored,
          metrics_of(sum, config.clock_hz(), config.device, cost.total, cost.power.total_w(), cost.fmax.hz), ""};
}

template class AcceleratorModel<arch::StreamConfig>;
template class AcceleratorModel<arch::TiledConfig>;

}  // namespace fansim::cli
