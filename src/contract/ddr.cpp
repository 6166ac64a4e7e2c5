// SPDX-License-Identifier: Apache-2.0
#include "contract/ddr.h"

#include <fmt/format.h>

namespace fansim::contract {

std::string summary(const DdrConfig& config) {
  switch (config.fidelity) {
    case DdrFidelity::ideal:
      return "DDR ideal: an answer in the next cycle; left out: latency, refresh, turnaround, banks, rows, reordering";
    case DdrFidelity::fixed:
      return fmt::format(
          "DDR fixed: constant latency, turnaround and refresh, a data path {}; left out: banks, rows, reordering, the "
          "memory's clock",
          config.data_bits == 0 ? "as wide as a port" : fmt::format("of {} bits", config.data_bits));
    case DdrFidelity::banked:
      break;
  }
  return fmt::format(
      "DDR banked: {} at {} MHz, {} page, mapping {}; left out: command bus conflicts, refresh postponing, power down",
      config.part.name, config.part.clock_mhz.text(), word(config.part.page_policy), config.part.mapping.layout());
}

}  // namespace fansim::contract
