// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "accelerators/tiled/compile/compile.h"
#include "accelerators/tiled/compile/prepare.h"
#include "accelerators/tiled/hardware/store_unit.h"
#include "accelerators/tiled/hardware/tiled_accelerator.h"
#include "cosim/lane.h"
#include "cosim/machine.h"
#include "cosim/payload.h"
#include "network/network.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

// Watches the core inside a running TiledMachine from outside: register accesses and answers, its three memory ports at
// the fabric's clock, and the interrupt.
template <class Model>
class TiledCoreLane final : public Lane<Model> {
 public:
  TiledCoreLane(const Parameters& p, const Faults& faults)
      : Lane<Model>("tiled_core", p, faults),
        input_bytes_(p["INPUT_BYTES"]),
        weight_bytes_(p["WEIGHT_BYTES"]),
        output_bytes_(p["OUTPUT_BYTES"]) {
    wire_registers();
    wire_reads();
    wire_writes();
  }

 private:
  void wire_registers() {
    this->watched_input(COSIM_INPUT_OF(request, stream_of<axi::LiteRequest>("request")),
                        [](Model& m, const axi::LiteRequest& item, const auto& field) {
                          field("write", 0, m.request_write, 0, 1, item.write);
                          field("address", 0, m.request_address, 0, 32, item.address);
                          field("value", 0, m.request_value, 0, 32, item.value);
                        });
    this->watched_output(COSIM_OUTPUT_OF(response, stream_of<axi::LiteResponse>("response")),
                         [](Model& m, const axi::LiteResponse& item, const auto& field) {
                           field("value", 0, m.response_value, 0, 32, item.value);
                         });
  }
  void wire_reads() {
    this->watched_output(COSIM_OUTPUT_OF(inputs_ar, stream_of<axi::ReadBurst>("memory.inputs.near_ar")),
                         [](Model& m, const axi::ReadBurst& burst, const auto& field) {
                           field("address", 0, m.inputs_ar_address, 0, 32, burst.address);
                           field("beats", 0, m.inputs_ar_beats, 0, 9, bits(burst.beats));
                         });
    this->watched_output(COSIM_OUTPUT_OF(weights_ar, stream_of<axi::ReadBurst>("memory.weights.near_ar")),
                         [](Model& m, const axi::ReadBurst& burst, const auto& field) {
                           field("address", 0, m.weights_ar_address, 0, 32, burst.address);
                           field("beats", 0, m.weights_ar_beats, 0, 9, bits(burst.beats));
                         });
    this->watched_input(COSIM_INPUT_OF(inputs_r, stream_of<axi::ReadBeat>("memory.inputs.near_r")),
                        [this](Model& m, const axi::ReadBeat& beat, const auto& field) {
                          byte_fields(m.inputs_r_data, beat.data, input_bytes_, field);
                          field("last", 0, m.inputs_r_last, 0, 1, beat.last);
                        });
    this->watched_input(COSIM_INPUT_OF(weights_r, stream_of<axi::ReadBeat>("memory.weights.near_r")),
                        [this](Model& m, const axi::ReadBeat& beat, const auto& field) {
                          byte_fields(m.weights_r_data, beat.data, weight_bytes_, field);
                          field("last", 0, m.weights_r_last, 0, 1, beat.last);
                        });
  }
  void wire_writes() {
    this->watched_output(COSIM_OUTPUT_OF(aw, stream_of<axi::WriteBurst>("memory.outputs.near_aw")),
                         [](Model& m, const axi::WriteBurst& burst, const auto& field) {
                           field("address", 0, m.aw_address, 0, 32, burst.address);
                           field("beats", 0, m.aw_beats, 0, 9, bits(burst.beats));
                         });
    this->watched_output(COSIM_OUTPUT_OF(w, stream_of<axi::WriteBeat>("memory.outputs.near_w")),
                         [this](Model& m, const axi::WriteBeat& beat, const auto& field) {
                           byte_fields(m.w_data, beat.data, output_bytes_, field);
                           field("strobe", 0, m.w_strobe, 0, output_bytes_, beat.strobe);
                           field("last", 0, m.w_last, 0, 1, beat.last);
                         });
    this->watched_input(COSIM_INPUT_OF(b, stream_of<axi::WriteResponse>("memory.outputs.near_b")),
                        [](Model&, const axi::WriteResponse&, const auto&) {});
  }

  void next_phase() override {}
  void before_edge() override { layers_ = store_.layers_done(); }
  void compare_after_edge(Model& m, const Compare& field) override {
    field("layer_done", 0, m.layer_done, 0, 1, store_.layers_done() > layers_);
  }

  const int input_bytes_, weight_bytes_, output_bytes_;
  tiled::StoreUnit& store_ = find<tiled::StoreUnit>("store_unit");
  std::int64_t layers_ = 0;
};

// Returns whether the core's parameters match a configuration. Parameters that exist only for chains or only for slices
// are compared separately.
bool fits(const Parameters& p, const tiled::Config& c) {
  const auto is = [&](const char* name, int value) { return p[name] == value; };
  const int rounding = c.quantiser.rounding == arith::Rounding::half_up;
  return is("SERIAL", c.load.order == tiled::LoadOrder::serial) && is("REORGANISE", c.load.reorganise) &&
         is("CONV_TM", c.conv.tm) && is("CONV_TN", c.conv.tn) && is("CONV_HALVES", c.conv.halves()) &&
         is("CONV_INPUT_WORDS", c.conv.input_words) && is("CONV_OUTPUT_WORDS", c.conv.output_words) &&
         is("CHAIN", c.conv.chains() ? c.conv.chain().terms : 0) && !c.first.exists() && is("FC_TM", c.fc.tm) &&
         is("FC_TN", c.fc.tn) && is("FC_INPUT_WORDS", c.fc.input_words) && is("FC_OUTPUT_WORDS", c.fc.output_words) &&
         is("WEIGHT_HALVES", c.weights.halves()) && is("WEIGHT_KIB", c.weights.kib) && is("FC_KIB", c.weights.fc_kib) &&
         is("INPUT_BYTES", c.load.input_bits / 8) && is("WEIGHT_BYTES", c.load.weight_bits / 8) &&
         is("OUTPUT_BYTES", c.store.bits / 8) && is("INPUT_BURST", c.load.input_burst_beats) &&
         is("WEIGHT_BURST", c.load.weight_burst_beats) && is("OUTPUT_BURST", c.store.burst_beats) &&
         is("OUTSTANDING", c.load.outstanding) && is("OUTSTANDING", c.store.outstanding) && is("GAP", c.load.gap) &&
         is("LANES", c.store.lanes) && is("STORE_WORDS", c.store.words) && is("OPEN", c.store.pool_lines) &&
         is("ACCUMULATOR_BITS", c.quantiser.accumulator_bits) && is("OPERAND_BITS", c.quantiser.operand_bits) &&
         is("HALF_UP", rounding) && !c.store.code_table && !c.float_sum();
}

std::unique_ptr<LaneBase> core_of(const tiled::Config& config, const Faults& faults) {
#define LANE(Model, parameters)             \
  if (fits(Parameters(parameters), config)) \
    return std::make_unique<TiledCoreLane<Model>>(Parameters(parameters), faults);
  FOR_EACH_TWIN(LANE)
#undef LANE
  throw std::invalid_argument("no core has the parameters of " + config.name);
}

// Runs all layers of a network on the machine, with the Verilated core beside it.
int run(const std::string& config_file, const std::string& label, const std::string& network_file, const Faults& faults,
        const std::string& summary_file, const std::vector<std::string>& settings) {
  const tiled::Config config = tiled::Config::read(config_file, settings);
  network::Network network = network::load_network(network_file, {});
  tiled::prepare(network, config, {});
  Watch watch("watch");
  std::unique_ptr<LaneBase> lane;
  platform::MachineOptions options;
  options.stop_requested = [&] { return lane->failed(); };
  compile::Compiled compiled = tiled::compile_network(network, config);
  if (const auto* misfit = std::get_if<compile::Unschedulable>(&compiled))
    throw std::invalid_argument(misfit->layer + ": " + misfit->reason);
  tiled::TiledMachine machine(config, std::get<contract::Program>(std::move(compiled)), std::move(options));
  lane = core_of(config, faults);
  watch.lane = lane.get();
  machine.run();
  return report(*lane, faults,
                {{"block", "tiled_core"}, {"config", label}, {"network", network.name}, {"layer", "all"}},
                summary_file);
}

}  // namespace
}  // namespace fansim::cosim

// The arguments are system configuration, its label, network, the faults to plant, settings of the configuration, and
// the summary file.
int sc_main(int argc, char* argv[]) {
  return fansim::cosim::run(argv[1], argv[2], argv[3], fansim::cosim::Faults(argv[4]), argv[argc - 1],
                            {argv + 5, argv + argc - 1});
}
