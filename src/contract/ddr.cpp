// SPDX-License-Identifier: Apache-2.0
#include "contract/ddr.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::contract {

int lanes(const DdrConfig& config, int port_bits, int ports) {
  return ports * port_bits <= config.data_bits ? ports : 1;
}

double peak_bytes_per_s(const DdrConfig& config, const MemoryPorts& ports) {
  const double port = ports.bits / 8.0 * ports.hz;
  if (config.fidelity == DdrFidelity::banked)
    return std::min(ports.count * port * config.share,
                    config.part.data_bits / 8.0 * 2 * config.part.clock_mhz.value() * 1e6);
  const double of_lane = config.data_bits > 0 ? std::min(1.0, static_cast<double>(config.data_bits) / ports.bits) : 1;
  return lanes(config, ports.bits, ports.count) * port * of_lane * config.share;
}

namespace {

std::string path(const DdrConfig& config) {
  return config.data_bits == 0 ? "as wide as a port" : fmt::format("of {} bits", int{config.data_bits});
}
std::string others(const DdrConfig& config) {
  return config.shared() ? fmt::format(", {:.6g} % of whose beats are the accelerator's", 100 * config.share) : "";
}

}  // namespace

std::string summary(const DdrConfig& config) {
  switch (config.fidelity) {
    case DdrFidelity::ideal:
      return fmt::format(
          "DDR ideal: an answer in the next cycle, a data path {}{}; left out: latency, refresh, turnaround, banks, "
          "rows, reordering",
          path(config), others(config));
    case DdrFidelity::fixed:
      return fmt::format(
          "DDR fixed: constant latency, turnaround and refresh, a data path {}{}; left out: banks, rows, reordering, "
          "the memory's clock",
          path(config), others(config));
    case DdrFidelity::banked:
      break;
  }
  return fmt::format(
      "DDR banked: {} at {} MHz, {} page, mapping {}{}; left out: command bus conflicts, refresh postponing, power "
      "down",
      config.part.name, config.part.clock_mhz.text(), word(config.part.page_policy), config.part.mapping.layout(),
      others(config));
}

}  // namespace fansim::contract
