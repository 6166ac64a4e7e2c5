// SPDX-License-Identifier: Apache-2.0
// Every key of every accelerator changes something that a run reports, or says why it does not.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "accelerators/registry.h"
#include "base/error.h"
#include "base/hash.h"
#include "network/network.h"
#include "support/network_text.h"

namespace fansim::keys_test {

namespace {

// Holds a configuration, settings, and a network for which some keys matter.
struct Machine {
  std::string config;
  std::vector<std::string> settings;
  std::string network;
};

const std::string kMap =
    "input: {shape: [12, 11, 10]}\nlayers:\n"
    "  - {name: c, type: conv, filters: 40, kernel: 3, padding: 1}\n  - {name: p, type: maxpool, kernel: 2}\n"
    "  - {name: d, type: conv, filters: 24, kernel: 3}\n  - {name: f, type: fc, units: 60}\n";
const std::string kPipeline =
    "input: {width: 90, height: 12}\nstages:\n  - {name: m, function: median3x3}\n"
    "  - {name: g, function: sobel3x3}\n  - {name: l, function: magnitude}\n"
    "  - {name: p, function: multiply, input_from: m, with: input, shift: 4}\n";
const std::string kLearning =
    "input: {shape: [1, 12, 12], type: uint8}\nlayers:\n"
    "  - {name: c, type: conv, filters: 5, kernel: 3, activation: relu}\n  - {name: p, type: maxpool, kernel: 2}\n"
    "  - {name: f, type: fc, units: 8}\n  - {name: g, type: fc, units: 4}\n  - {name: s, type: softmax}\n";
const std::string kOnHost =
    "input: {shape: [12, 9, 9], step: 0.1}\nlayers:\n"
    "  - {name: s, type: hard_swish}\n  - {name: c, type: conv, filters: 8, kernel: 3, step: 0.1}\n"
    "  - {name: q, type: softmax}\n";
const std::string kSequence = "input: {steps: 6, features: 20}\nlayers:\n  - {name: l, type: lstm, hidden: 20}\n";

const std::vector<std::string> kBanked{"ddr.fidelity=banked", "ddr.part=../parts/ddr4_2133_x8_4gb.yaml"};

std::vector<std::string> with(std::vector<std::string> settings, const std::vector<std::string>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const std::map<std::string, std::vector<Machine>>& machines() {
  static const std::vector<std::string> kSmall{
      "conv.tm=8",        "conv.tn=4",     "conv.input_words=64",  "conv.output_words=32",
      "first.tm=6",       "first.tn=12",   "first.input_words=64", "first.output_words=32",
      "fc.tm=4",          "fc.tn=4",       "fc.input_words=16",    "weights.kib=4",
      "weights.fc_kib=1", "store.words=32"};
  static const std::vector<std::string> kDivided{"conv.macs=by_output",  "conv.dsp_channels=4", "first.macs=by_output",
                                                 "first.dsp_channels=4", "fc.macs=by_output",   "fc.dsp_channels=2"};
  static const std::map<std::string, std::vector<Machine>> kMachines{
      {"stream",
       {{"tiny_stream", {"ddr.refresh_interval=400"}, kMap},
        {"tiny_stream", with(kBanked, {"ddr.write_latency=20"}), kMap},
        {"tiny_stream", {"schedule.lstm_block_steps=2"}, kSequence},
        {"tiny_stream", {}, kOnHost},
        {"tiny_stream", {"array.code_table=true"}, kOnHost},
        {"tiny_stream", {"array.multiplier=lut_reconfigurable", "array.shadow_luts=true"}, kMap},
        {"tiny_stream", {"array.multiplier=lut_kernel", "array.shadow_luts=false", "array.rounding=full"}, kMap},
        {"tiny_stream", {"array.multiplier=dsp48e2_int8_chain", "array.terms=4", "array.shared=weight"}, kMap}}},
      {"tiled",
       {{"faq_zcu102_dorefa8_dsp", with(kSmall, {"ddr.refresh_interval=400"}), kMap},
        {"faq_zcu102_dorefa8_dsp", with(kSmall, {"load.order=parallel"}), kMap},
        {"faq_zcu102_dorefa8_dsp", with(kSmall, with(kBanked, {"load.order=parallel"})), kMap},
        {"faq_zcu102_dorefa8_dsp", with(kSmall, kDivided), kMap},
        {"faq_zcu102_dorefa8_dsp", kSmall, kOnHost},
        {"faq_zcu102_dorefa8_dsp", with(kSmall, {"store.code_table=true"}), kOnHost},
        {"faq_zcu102_dorefa8_dsp",
         with(kSmall, {"conv.macs=int8_chain", "first.macs=int8_chain", "fc.macs=int8_chain", "conv.terms=3",
                       "first.terms=3", "fc.terms=3"}),
         kMap},
        {"faq_zcu102_dorefa8_dsp", with(kSmall, {"quantisation.weight_bits=4", "quantisation.activation_bits=4"}),
         kMap}}},
      {"float_trainer",
       {{"float_trainer", {"ddr.refresh_interval=400", "ddr.refresh_cycles=26"}, kLearning},
        {"float_trainer",
         {"convolution.forward_exponent=5", "convolution.backward_exponent=5", "fc1.forward_exponent=5",
          "fc1.backward_exponent=5", "fc2.forward_exponent=5", "fc2.backward_exponent=5"},
         kLearning},
        {"float_trainer", with(kBanked, {"ddr.write_latency=20", "softmax.divider=reciprocal"}), kLearning}}},
      {"decoupled",
       {{"tiny_decoupled", {"ddr.refresh_interval=400"}, kMap},
        {"tiny_decoupled", {"load.order=parallel", "post.where=array", "schedule.outputs=24"}, kMap},
        {"tiny_decoupled", with(kBanked, {"load.order=parallel", "axi.outstanding=8", "schedule.rows=4"}), kMap},
        {"tiny_decoupled", {"schedule.maps=lines", "buffers.input_kib=8"}, kMap},
        {"tiny_decoupled", {}, kOnHost}}},
      {"vision",
       {{"vision_zcu102", {}, kPipeline},
        {"vision_zcu102", {"ddr.refresh_interval=400"}, kPipeline},
        {"vision_zcu102", with(kBanked, {"ddr.write_latency=20"}), kPipeline}}}};
  return kMachines;
}

// Returns the program of a machine that learns two images.
compile::Compiled training_program(const accelerators::Trainer& trainer, const network::Network& network) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(2 * network.input.shape.elements()));
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(37 * i % 251);
  const std::vector<std::uint8_t> labels{1, 3};
  std::vector<std::uint32_t> weights;
  for (const network::Layer& layer : network.layers)
    if (layer.floating())
      weights.insert(weights.end(), layer.floating()->weights.begin(), layer.floating()->weights.end());
  auto batch = trainer.compile_batch(network, {pixels.data(), labels.data(), labels.size(), &weights, true});
  if (auto* program = std::get_if<accelerators::BatchProgram>(&batch)) return std::move(program->program);
  return std::get<compile::Unschedulable>(std::move(batch));
}

// Returns everything that a run and an estimate report, or why the network does not fit; empty: the configuration is
// refused.
std::string report(const Machine& machine, const std::vector<std::string>& more = {}) {
  try {
    const auto accelerator = accelerators::read_accelerator(
        FANSIM_SOURCE_DIR "/configs/systems/" + machine.config + ".yaml", with(machine.settings, more));
    network::Network network = test::network_of(machine.network);
    accelerator->prepare(network, {});
    compile::Compiled compiled =
        accelerator->trainer() ? training_program(*accelerator->trainer(), network) : accelerator->compile(network, {});
    if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) return no->reason;
    const std::size_t size = std::get<contract::Program>(compiled).memory.size();
    timing::EngineOptions options;
    options.on_layer = [size](const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult& layer) {
      layer.output_hash = base::Fnv1a().add(ddr, size).text();
    };
    std::string text;
    for (const contract::LayerResult& layer :
         accelerator->run(std::get<contract::Program>(std::move(compiled)), options)) {
      text += fmt::format("{} {} {} {}", layer.cycles, layer.bytes_read, layer.bytes_written, layer.output_hash);
      for (const base::Cycles cycles : layer.buckets) text += fmt::format(" {}", cycles);
    }
    const estimate::Estimate cost = accelerator->estimate();
    text += fmt::format(" {} {} {} {}", cost.total.dsp, cost.total.lut, cost.total.ff, cost.total.bram36);
    return text + fmt::format(" {} {}", cost.power.total_w(), cost.fmax.hz);
  } catch (const base::UserError&) {
    return "";
  }
}

std::vector<std::string> others(const base::FieldRow& row) {
  if (row.type == "bool") return {"true", "false"};
  std::vector<std::string> values;
  const std::size_t dots = row.allowed.find("..");
  const bool counts = row.type == "int" || row.type == "cost" || row.type == "bandwidth";
  if (counts && dots != std::string::npos) {
    const long low = std::stol(row.allowed), high = std::stol(row.allowed.substr(dots + 2));
    for (const long value : {2L, 16L, 64L, 8L, 128L, 4L, 1L, 1000L, 5L, 256L})
      if (value >= low && value <= high) values.push_back(std::to_string(value));
    return values;
  }
  if (row.type == "number") return {"0.002", "0.5"};
  if (row.type == "choice" || row.type == "int") {
    for (std::size_t from = 0; from < row.allowed.size();) {
      const std::size_t to = std::min(row.allowed.find(" | ", from), row.allowed.size());
      values.push_back(row.allowed.substr(from, to - from));
      from = to + 3;
    }
    return values;
  }
  return {"vecq", "tnn", "../tiles/tiny_decoupled.csv"};  // the texts: a quantisation method, a table of tiles
}

// Returns the networks of a system's machines.
std::vector<std::string> networks_of(const std::vector<Machine>& machines) {
  std::vector<std::string> networks;
  for (const Machine& machine : machines)
    if (std::find(networks.begin(), networks.end(), machine.network) == networks.end())
      networks.push_back(machine.network);
  return networks;
}

// Returns the value of a key in a machine's configuration.
std::string value_of(const Machine& machine, const std::string& block, const std::string& key) {
  const auto accelerator = accelerators::read_accelerator(
      FANSIM_SOURCE_DIR "/configs/systems/" + machine.config + ".yaml", machine.settings);
  for (const contract::ResolvedConfig::Block& one : accelerator->resolved().top.blocks)
    if (one.key == block)
      for (const contract::ResolvedConfig::Value& value : one.values)
        if (value.key == key) return value.text;
  return "";
}

// Says whether the machine accepts other values of a key, and whether one of them changes a report on one of the
// networks.
struct Acts {
  bool accepted = false, changes = false;
};
Acts acts(Machine machine, const std::vector<std::string>& networks, const std::string& block,
          const base::FieldRow& row) {
  Acts result;
  const std::string key = block + "." + row.name, now = value_of(machine, block, row.name);
  for (const std::string& network : networks) {
    machine.network = network;
    const std::string before = report(machine);
    for (const std::string& value : others(row)) {
      if (value == now) continue;
      const std::string changed = report(machine, {key + "=" + value});
      result.accepted |= !changed.empty();
      result.changes |= !changed.empty() && changed != before;
      if (result.changes) return result;
    }
  }
  return result;
}

}  // namespace

TEST_CASE("a key that a machine accepts by hand acts on that machine") {
  for (const accelerators::Kind& kind : accelerators::registry()) {
    const std::vector<Machine>& all = machines().at(kind.system);
    const std::vector<std::string> networks = networks_of(all);
    for (const Machine& machine : all)
      for (const accelerators::Block& block : kind.blocks())
        for (const base::FieldRow& row : block.rows) {
          const base::Effect& effect = row.effect;
          if (!effect.time && !effect.format && effect.resources == base::Effect::Resources::none) continue;
          const Acts found = acts(machine, networks, block.key, row);
          INFO(machine.config << " " << fmt::format("{}", fmt::join(machine.settings, " ")));
          INFO(block.key << "." << row.name);
          CHECK(found.accepted == found.changes);
        }
  }
}

TEST_CASE("every key changes something that is reported or is declared inert") {
  for (const accelerators::Kind& kind : accelerators::registry()) {
    const std::vector<Machine>& all = machines().at(kind.system);
    std::vector<std::string> reports;
    for (const Machine& machine : all) {
      reports.push_back(report(machine));
      REQUIRE(!reports.back().empty());
    }
    for (const accelerators::Block& block : kind.blocks())
      for (const base::FieldRow& row : block.rows) {
        bool changes = false;
        for (std::size_t i = 0; i < all.size() && !changes; ++i)
          for (const std::string& value : others(row)) {
            const std::string changed = report(all[i], {block.key + "." + row.name + "=" + value});
            changes = !changed.empty() && changed != reports[i];
            if (changes) break;
          }
        INFO(kind.system << ": " << block.key << "." << row.name << ": " << row.doc);
        const base::Effect& effect = row.effect;
        CHECK(changes == (effect.time || effect.format || effect.resources != base::Effect::Resources::none));
      }
  }
}

}  // namespace fansim::keys_test
