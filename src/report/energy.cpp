// SPDX-License-Identifier: Apache-2.0
#include "report/energy.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;

Json spread_json(const estimate::Spread& spread) {
  return {{"low", spread.low}, {"typical", spread.typical}, {"high", spread.high}};
}

// Arrays that read their buffers directly take from them what goes into the multipliers.
void add(const contract::OperandTraffic& operand, estimate::FrameUse& frame) {
  if (operand.array) frame.register_bytes = frame.register_bytes.value_or(0) + static_cast<double>(*operand.array);
  if (const auto buffers = operand.buffers ? operand.buffers : operand.array)
    frame.buffer_bytes = frame.buffer_bytes.value_or(0) + static_cast<double>(*buffers);
}

}  // namespace

estimate::Energy energy_of(const std::vector<contract::LayerResult>& layers, int pictures, double seconds,
                           const estimate::Power& power, const contract::DdrConfig& ddr) {
  estimate::FrameUse frame;
  frame.seconds = seconds;
  for (const contract::LayerResult& layer : layers) {
    frame.macs += static_cast<double>(layer.macs);
    frame.ddr_bytes += static_cast<double>(layer.bytes_read + layer.bytes_written);
    if (!layer.mapping) continue;
    for (const contract::OperandTraffic& operand : layer.mapping->operands) add(operand, frame);
  }
  frame.macs /= pictures;
  frame.ddr_bytes /= pictures;
  if (frame.register_bytes) *frame.register_bytes /= pictures;
  if (frame.buffer_bytes) *frame.buffer_bytes /= pictures;
  return estimate::energy(frame, power, ddr);
}

std::string text(const estimate::Energy& energy, const std::string& source) {
  const estimate::Spread ddr = energy.ddr_mj();
  const std::string constant =
      energy.processing_system_mj > 0
          ? fmt::format("{:.4g} mJ of it the processing system's, {}; ", energy.processing_system_mj, source)
          : "";
  return fmt::format("energy: {}the memory takes {:.4g} to {:.4g} mJ more\n", constant, ddr.low, ddr.high);
}

Json energy_json(const estimate::Energy& energy, const std::string& source) {
  Json json{{"chip_mj",
             {{"processing_system", energy.processing_system_mj},
              {"static", energy.static_mj},
              {"blocks", energy.blocks_mj}}},
            {"processing_system_source", source},
            {"ddr_standby_mj", spread_json(energy.ddr_standby_mj)},
            {"ddr_mj", spread_json(energy.ddr_mj())},
            {"with_ddr_mj", spread_json(energy.whole_mj())},
            {"levels", Json::array()}};
  for (const estimate::EnergyLevel& level : energy.levels)
    json["levels"].push_back({{"level", level.name},
                              {"count", std::llround(level.count)},
                              {"unit", level.unit},
                              {"pj_each", spread_json(level.pj)},
                              {"mj", spread_json(level.mj())},
                              {"source", level.source}});
  return json;
}

}  // namespace fansim::report
