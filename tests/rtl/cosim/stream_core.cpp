// SPDX-License-Identifier: Apache-2.0
#include "cosim/stream_core.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compile/compile.h"
#include "network/network.h"
#include "network/random_tensors.h"
#include "systems/stream_machine.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 13;

// Steps before every block of the machine, because it is elaborated first.
class Watch final : public sim::Module {
 public:
  using sim::Module::Module;
  LaneBase* lane = nullptr;

 private:
  void step() override { lane->at_edge(); }
};

arch::Program program_of(const network::Network& network, const arch::StreamConfig& config, const std::string& name) {
  compile::Options options;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const network::Layer& layer = network.layers[i];
    if (layer.name != name) continue;
    options.layers = {static_cast<int>(i)};
    if (layer.source == network::Layer::kInput) continue;
    network::Tensor input = network.input;
    input.shape = network.layers[static_cast<std::size_t>(layer.source)].out;
    network::fill_random_input(input, 1);
    options.tensors[layer.source] = input;
  }
  if (options.layers.empty()) throw std::invalid_argument("no layer " + name);
  return std::get<arch::Program>(compile::compile(network, config, options));
}

// A whole layer on the machine, the Verilated core beside it.
int run(const std::string& config_file, const std::string& network_file, const std::string& layer,
        const std::string& summary_file) {
  const arch::StreamConfig config = arch::load_stream_config(config_file, {});
  const network::Network network = network::load_network(network_file, {});
  Watch watch("watch");
  std::unique_ptr<LaneBase> lane;
  systems::StreamOptions options;
  options.stop_requested = [&] { return lane->failed(); };
  systems::StreamMachine machine(config, program_of(network, config, layer), std::move(options));
#define LANE(Model, parameters) \
  lane = std::make_unique<StreamCoreLane<Model>>("stream_core", Parameters(parameters), kFaults);
  FOR_EACH_TWIN(LANE)
#undef LANE
  watch.lane = lane.get();
  const auto start = std::chrono::steady_clock::now();
  machine.run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (lane->failed()) return 1;
  std::ofstream(summary_file) << nlohmann::json{{"block", "stream_core"},         {"config", config.name},
                                                {"network", network.name},        {"layer", layer},
                                                {"cycles", lane->cycles()},       {"faults_planted", kFaults},
                                                {"faults_caught", lane->caught()}}
                                     .dump(2)
                              << '\n';
  std::string faults;
  for (int fault : lane->caught()) faults += " " + std::to_string(fault);
  fmt::print("stream_core: {} on {}: {} cycles agree in {:.1f} s, faults caught:{}\n", layer, config.name,
             lane->cycles(), seconds.count(), faults);
  return 0;
}

// A whole layer and how long it took: on the machine alone, or the time that the Verilated core beside it spent in its
// model. Both compute every value.
int measure(const std::string& config_file, const std::string& network_file, const std::string& layer, bool verilated) {
  const arch::StreamConfig config = arch::load_stream_config(config_file, {});
  const network::Network network = network::load_network(network_file, {});
  std::unique_ptr<Watch> watch;
  if (verilated) watch = std::make_unique<Watch>("watch");
  systems::StreamMachine machine(config, program_of(network, config, layer), {});
  std::unique_ptr<LaneBase> lane;
#define LANE(Model, parameters) \
  if (verilated) lane = std::make_unique<StreamCoreLane<Model>>("stream_core", Parameters(parameters), 0);
  FOR_EACH_TWIN(LANE)
#undef LANE
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

// Arguments: system configuration, network, layer, and the summary file or --time machine | core.
int sc_main(int argc, char* argv[]) {
  if (argc == 6 && std::string(argv[4]) == "--time")
    return fansim::cosim::measure(argv[1], argv[2], argv[3], std::string(argv[5]) == "core");
  return fansim::cosim::run(argv[1], argv[2], argv[3], argv[4]);
}
