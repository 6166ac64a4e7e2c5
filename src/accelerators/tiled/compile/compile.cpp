// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/compile/compile.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "accelerators/tiled/compile/engine_choice.h"
#include "accelerators/tiled/compile/layer_jobs.h"
#include "accelerators/tiled/compile/map_layout.h"
#include "accelerators/tiled/config/encoded_map.h"
#include "accelerators/tiled/config/layer_jobs.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "compile/chains.h"
#include "compile/code_table.h"
#include "compile/layer_walk.h"

namespace fansim::tiled {
namespace {

using network::Layer;
using network::LayerType;

// Collects the host's steps of a layer: for each of its jobs the words, the start and the interrupt.
class HostSteps {
 public:
  explicit HostSteps(const Config& config)
      : host_(config.host), period_(static_cast<std::uint32_t>(config.common_period())) {}

  void layer(int index, const LayerJobs& layer) {
    add(Kind::align, 0, period_);
    add(Kind::begin_layer, 0, static_cast<std::uint32_t>(index));
    add(Kind::software, 0, static_cast<std::uint32_t>(host_.layer_setup));
    const LookUp& look_up = layer.look_up;
    if (layer.jobs.front().instruction.looks_up()) {
      add(Kind::write_core, LookUp::kFormat, look_up.format());
      for (int pair = 0; pair < contract::TableWrite::kPairs; ++pair)
        add(Kind::write_core, LookUp::kEntries, contract::TableWrite::at(look_up.table, pair).value());
    }
    for (const TiledJob& job : layer.jobs) {
      const JobImage image = encode(job);
      for (std::uint32_t word = 0; word < image.size(); ++word) add(Kind::write_core, 4 * word, image[word]);
      add(Kind::write_core, TiledJob::kStart, 1);
      add(Kind::wait_output);
    }
    add(Kind::end_layer, 0, static_cast<std::uint32_t>(index));
  }
  void software_layer(int index, std::uint32_t cycles) {
    add(Kind::align, 0, period_);
    add(Kind::begin_layer, 0, static_cast<std::uint32_t>(index));
    add(Kind::software, 0, cycles);
    add(Kind::end_layer, 0, static_cast<std::uint32_t>(index));
  }
  std::vector<contract::HostOp> take() { return std::move(ops_); }

 private:
  using Kind = contract::HostOp::Kind;
  void add(Kind kind, std::uint32_t address = 0, std::uint32_t value = 0) { ops_.push_back({kind, address, value}); }

  contract::HostConfig host_;
  std::uint32_t period_;
  std::vector<contract::HostOp> ops_;
};

class TiledCompiler final : public compile::LayerWalk {
 public:
  TiledCompiler(const network::Network& network, const Config& config, const Plan& plan,
                const compile::Options& options)
      : LayerWalk(network, plan, config.ddr, options), config_(config), plan_(plan), host_(config) {}

 private:
  std::optional<compile::Misfit> place(int producer, const network::Tensor* values) override {
    compile::Fit<EncodedMap> fit = layout(producer, network_, plan_, config_);
    if (auto* failed = std::get_if<compile::Misfit>(&fit)) return *failed;
    auto& whole = std::get<EncodedMap>(fit);
    reserve(whole, memory_, values);
    for (const int part : plan_.parts_in(producer)) maps_[part] = part_of(whole, part, network_, plan_);
    return std::nullopt;
  }

  std::optional<compile::Misfit> compile(int index, int number, contract::LayerPlan& plan) override {
    compile::Fit<std::vector<TiledJob>> fit = jobs_of(index);
    if (auto* failed = std::get_if<compile::Misfit>(&fit)) return *failed;
    const auto layer = std::make_shared<LayerJobs>();
    layer->jobs = std::move(std::get<std::vector<TiledJob>>(fit));
    for (const TiledJob& job : layer->jobs) {
      const TileNest nest(job, config_.engine(job.engine));
      plan.passes += nest.fc_engine() ? 1 : nest.output_tiles();
      plan.pass_columns += nest.points();
    }
    if (!layer->jobs.empty()) {
      if (const int table = table_of(index); table >= 0) {
        const network::NumberFormat& codes = at(table).in_format;
        layer->look_up = {compile::code_table(at(table)), codes.zero_point, codes.is_unsigned()};
      }
      host_.layer(number, *layer);
      if (options_.values) layer->codes = code_book(at(index));
    }
    if (plan.fused_into < 0) plan.output = std::make_shared<const EncodedMap>(maps_.at(plan_.root(index)));
    plan.machine = layer;
    return std::nullopt;
  }

  std::vector<contract::HostOp> take_steps() override { return host_.take(); }

  const contract::ComputingHostConfig* software() const override { return &config_.host; }
  // Returns the function after a convolution or fully connected layer whose table its outputs pass; -1: none.
  int table_of(int index) const {
    const int behind = plan_.next(index);
    return behind >= 0 && at(behind).function() ? behind : -1;
  }
  bool has_hardware_for(int index) const override { return plan_.is_fused(index); }
  const arith::QuantiserFormat& quantiser() const override { return config_.quantiser; }
  // Returns whether the hardware lacks a layer. A pooling has hardware only after a convolution that nothing else
  // reads.
  bool lacks(int index) const override {
    const LayerType type = at(index).type();
    return type == LayerType::add || type == LayerType::relu || (at(index).pools() && !plan_.is_fused(index));
  }
  compile::HostTensor host_tensor(int producer) const override {
    const EncodedMap map = maps_.at(producer);
    return {std::make_shared<const EncodedMap>(map),
            [map](std::uint8_t* memory, const network::Tensor& values) { write(map, values, memory); }};
  }
  void host_layer(int number, std::uint32_t cycles) override { host_.software_layer(number, cycles); }

  compile::Fit<std::vector<TiledJob>> jobs_of(int index) {
    const Layer& layer = at(index);
    if (plan_.moves_nothing(index) || plan_.is_fused(index)) return std::vector<TiledJob>{};
    if (layer.type() != LayerType::conv && layer.type() != LayerType::fc)
      return compile::Misfit{
          fmt::format("the tiled accelerator has no engine for {}", network::type_name(layer.type()))};
    const int end = plan_.fused_into(index);
    const EncodedMap& in = maps_.at(plan_.root(layer.source));
    const int number = engine_of(layer, config_);
    const EngineConfig& engine = config_.engine(number);
    if (engine.chains()) {
      contract::DualInt8Config chain = engine.chain();
      chain.unsigned_activations = network_.format(layer.source).is_unsigned();
      chain.lowest_weight = layer.parameters().lowest_weight;
      const char* const name = Config::kEngineNames[static_cast<std::size_t>(number)];
      if (auto misfit = compile::chain_misfit(fmt::format("{}.terms {}", name, engine.terms), chain)) return *misfit;
    }
    // Flattening moves no data, so only fully connected layers can read a flattened map.
    const network::Shape stored = network::Shape::map(in.place.channels, in.place.rows, in.place.columns);
    if (layer.type() == LayerType::conv && layer.in != stored)
      return compile::Misfit{fmt::format("flatten: {} is read, {} lies in memory", layer.in.text(), stored.text())};
    return layer_jobs(FusedLayer(network_, plan_, index), in, maps_.at(end < 0 ? index : end), config_, memory_);
  }

  const Config& config_;
  const Plan& plan_;
  HostSteps host_;
  std::map<int, EncodedMap> maps_;  // producer -> map
};

}  // namespace

compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options) {
  const Plan plan(network, config, options.layers);
  return TiledCompiler(network, config, plan, options).run();
}

}  // namespace fansim::tiled
