// SPDX-License-Identifier: Apache-2.0
#include "cosim/stream_core.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "accelerators/stream/compile/compile.h"
#include "accelerators/stream/hardware/stream_accelerator.h"
#include "cosim/array.h"
#include "network/network.h"
#include "network/random_tensors.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr const char* kAll = "all";

// Returns the program of one layer, whose input is random, or of all layers.
contract::Program program_of(const network::Network& network, const stream::Config& config, const std::string& name) {
  compile::Options options;
  for (std::size_t i = 0; i < network.layers.size() && name != kAll; ++i) {
    const network::Layer& layer = network.layers[i];
    if (layer.name != name) continue;
    options.layers = {static_cast<int>(i)};
    if (layer.source == network::Layer::kInput) continue;
    network::Tensor input = network.input;
    input.shape = network.layers[static_cast<std::size_t>(layer.source)].out;
    network::fill_random_input(input, 1);
    options.tensors[layer.source] = input;
  }
  if (options.layers.empty() && name != kAll) throw std::invalid_argument("no layer " + name);
  return std::get<contract::Program>(compile_network(network, config, options));
}

bool fits(const Parameters& p, const stream::Config& config) {
  const stream::ArrayConfig twin = array_of(p), &array = config.array;
  return twin.line_memory == array.line_memory && twin.hidden_requantise == array.hidden_requantise &&
         twin.code_table == array.code_table && twin.multiplier == array.multiplier &&
         twin.rounding == array.rounding &&
         (!array.chains() || (twin.terms == array.terms && twin.shared == array.shared)) &&
         (!array.reloads() || twin.shadow_luts == array.shadow_luts) && p["ROWS"] == array.rows &&
         p["INPUT_CHANNELS"] == array.input_channels && p["OUTPUT_CHANNELS"] == array.output_channels &&
         8 * p["BEAT_BYTES"] == config.axi.data_bits && p["ACCUMULATOR_BITS"] == config.quantiser.accumulator_bits &&
         p["WEIGHT_HALF_BYTES"] == config.buffers.weight_half_bytes();
}

// Makes the core with the parameters of the configuration, and copies that plant a fault each.
std::unique_ptr<LaneBase> core_of(const stream::Config& config, const Faults& faults) {
#define LANE(Model, parameters)             \
  if (fits(Parameters(parameters), config)) \
    return std::make_unique<StreamCoreLane<Model>>("stream_core", Parameters(parameters), faults);
  FOR_EACH_TWIN(LANE)
#undef LANE
  throw std::invalid_argument("no core has the parameters of " + config.name);
}

// Runs a whole layer, or all layers of a network, on the machine, with the Verilated core beside it.
int run(const std::string& config_file, const std::string& network_file, const std::string& layer, const Faults& faults,
        const std::string& summary_file, const std::vector<std::string>& settings) {
  const stream::Config config = stream::Config::read(config_file, settings);
  const network::Network network = network::load_network(network_file, {});
  Watch watch("watch");
  std::unique_ptr<LaneBase> lane;
  platform::MachineOptions options;
  options.stop_requested = [&] { return lane->failed(); };
  stream::StreamMachine machine(config, program_of(network, config, layer), std::move(options));
  lane = core_of(config, faults);
  watch.lane = lane.get();
  std::string config_name = config.name;
  for (const std::string& setting : settings) config_name += ' ' + setting;
  machine.run();
  return report(*lane, faults,
                {{"block", "stream_core"}, {"config", config_name}, {"network", network.name}, {"layer", layer}},
                summary_file);
}

// Measures a whole layer: the time of the machine alone, or the time that the Verilated core beside it spends in its
// model. Both compute every value.
int measure(const std::string& config_file, const std::string& network_file, const std::string& layer, bool verilated) {
  const stream::Config config = stream::Config::read(config_file, {});
  const network::Network network = network::load_network(network_file, {});
  std::unique_ptr<Watch> watch;
  if (verilated) watch = std::make_unique<Watch>("watch");
  stream::StreamMachine machine(config, program_of(network, config, layer), {});
  const std::unique_ptr<LaneBase> lane = verilated ? core_of(config, Faults(0)) : nullptr;
  if (watch) watch->lane = lane.get();
  const auto start = std::chrono::steady_clock::now();
  machine.run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (lane && lane->failed()) return 1;
  fmt::print("{}\n", nlohmann::json{{"cycles", machine.layers().at(0).cycles},
                                    {"seconds", lane ? lane->twin_seconds() : seconds.count()}}
                         .dump());
  return 0;
}

}  // namespace
}  // namespace fansim::cosim

// The arguments are system configuration, network, layer or all; then the faults to plant, settings of the
// configuration and the summary file, or --time and machine or core.
int sc_main(int argc, char* argv[]) {
  if (std::string(argv[4]) == "--time")
    return fansim::cosim::measure(argv[1], argv[2], argv[3], std::string(argv[5]) == "core");
  return fansim::cosim::run(argv[1], argv[2], argv[3], fansim::cosim::Faults(argv[4]), argv[argc - 1],
                            {argv + 5, argv + argc - 1});
}
