// SPDX-License-Identifier: Apache-2.0
#include "compile/tiled/compile_tiled.h"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <stdexcept>

#include "arch/tile_nest.h"
#include "compile/fusion.h"
#include "compile/memory.h"
#include "compile/text.h"
#include "compile/tiled/layer_jobs.h"
#include "compile/tiled/map_layout.h"

namespace fansim::compile {
namespace {

using arch::EncodedMap;
using arch::TiledJob;
using network::Layer;
using network::LayerType;

// Edges of the fabric's clock after which it meets the port's again. Layers begin at such edges: how the clocks lie to
// each other, and so a layer's cycles, then do not depend on what ran before.
std::uint32_t common_period(const arch::TiledConfig& config) {
  const base::Rational &a = config.clock_mhz, &b = config.port_mhz;
  const std::int64_t fabric = a.numerator * b.denominator, port = b.numerator * a.denominator;
  return static_cast<std::uint32_t>(fabric / std::gcd(fabric, port));
}

// One layer of the host's program: its words, the start, and the interrupt, for each of its jobs.
class HostSteps {
 public:
  explicit HostSteps(const arch::TiledConfig& config) : host_(config.host), period_(common_period(config)) {}

  void layer(int index, const std::vector<TiledJob>& jobs) {
    add(Kind::align, 0, period_);
    add(Kind::begin_layer, 0, static_cast<std::uint32_t>(index));
    add(Kind::software, 0, static_cast<std::uint32_t>(host_.layer_setup));
    for (const TiledJob& job : jobs) {
      const arch::JobImage image = arch::encode(job);
      for (std::uint32_t word = 0; word < image.size(); ++word) add(Kind::write_core, 4 * word, image[word]);
      add(Kind::write_core, TiledJob::kStart, 1);
      add(Kind::wait_output);
    }
    add(Kind::end_layer, 0, static_cast<std::uint32_t>(index));
  }
  std::vector<arch::HostOp> take() { return std::move(ops_); }

 private:
  using Kind = arch::HostOp::Kind;
  void add(Kind kind, std::uint32_t address = 0, std::uint32_t value = 0) { ops_.push_back({kind, address, value}); }

  arch::HostConfig host_;
  std::uint32_t period_;
  std::vector<arch::HostOp> ops_;
};

class TiledCompiler {
 public:
  TiledCompiler(const network::Network& network, const arch::TiledConfig& config, const Options& options)
      : network_(network),
        config_(config),
        options_(options),
        fusion_(network, options.layers, true),
        memory_(object_alignment(config.ddr)) {}

  std::variant<arch::Program, Unschedulable> run() {
    if (auto failed = place_tensors()) return *failed;
    HostSteps host(config_);
    arch::Program program;
    for (const int index : fusion_.chosen) {
      Fit<std::vector<TiledJob>> fit = jobs_of(index);
      if (auto* failed = std::get_if<Misfit>(&fit)) return unschedulable(failed->reason, index);
      const auto& jobs = std::get<std::vector<TiledJob>>(fit);
      if (!jobs.empty()) host.layer(static_cast<int>(program.layers.size()), jobs);
      program.layers.push_back(plan(index, jobs));
    }
    if (memory_.size() > memory_capacity(config_.ddr))
      return unschedulable(fmt::format("DDR: the network needs {} B of {}", grouped(memory_.size()),
                                       grouped(memory_capacity(config_.ddr))),
                           Layer::kInput);
    program.ops = host.take();
    if (options_.memory) program.memory = memory_.image(options_.values);
    return program;
  }

 private:
  const Layer& at(int index) const { return network_.layers[static_cast<std::size_t>(index)]; }

  Unschedulable unschedulable(const std::string& reason, int index) const {
    if (index < 0) return {"", {}, reason};
    return {at(index).name, at(index).where, reason};
  }

  // Every tensor that a chosen layer reads or writes.
  std::optional<Unschedulable> place_tensors() {
    for (const int index : fusion_.chosen) {
      if (auto failed = place(fusion_.root(at(index).source), index)) return failed;
      if (at(index).type == LayerType::flatten || fusion_.fused_into(index) >= 0) continue;
      if (auto failed = place(index, index)) return failed;
    }
    return std::nullopt;
  }

  std::optional<Unschedulable> place(int producer, int index) {
    if (fusion_.fused_into(producer) >= 0 || maps_.count(producer) != 0) return std::nullopt;
    Fit<EncodedMap> fit = layout(producer, network_, fusion_, config_);
    if (auto* failed = std::get_if<Misfit>(&fit)) return unschedulable(failed->reason, producer < 0 ? index : producer);
    EncodedMap& map = maps_[producer] = std::get<EncodedMap>(fit);
    const bool computed = fusion_.is_chosen(producer) || !options_.values;
    reserve(map, memory_, computed ? nullptr : &supplied(producer));
    return std::nullopt;
  }

  // A tensor from outside the program; a flattened one has the same values.
  const network::Tensor& supplied(int producer) const {
    if (producer == Layer::kInput) return network_.input;
    for (const auto& [index, tensor] : options_.tensors)
      if (fusion_.root(index) == producer) return tensor;
    throw std::logic_error("compile: no tensor for skipped layer " + at(producer).name);
  }

  Fit<std::vector<TiledJob>> jobs_of(int index) {
    const Layer& layer = at(index);
    if (layer.type == LayerType::flatten || fusion_.is_fused_pool(index)) return std::vector<TiledJob>{};
    if (layer.type == LayerType::maxpool || layer.type == LayerType::avgpool)
      return Misfit{"a pooling runs on the tiled accelerator only behind a convolution that nothing else reads"};
    if (layer.type != LayerType::conv && layer.type != LayerType::fc)
      return Misfit{fmt::format("the tiled accelerator has no engine for {}", network::type_name(layer.type))};
    const int pool = fusion_.fused_into(index);
    return layer_jobs(layer, pool < 0 ? nullptr : &at(pool), maps_.at(fusion_.root(layer.source)),
                      maps_.at(pool < 0 ? index : pool), config_, memory_);
  }

  arch::LayerPlan plan(int index, const std::vector<TiledJob>& jobs) const {
    const Layer& layer = at(index);
    arch::LayerPlan plan;
    plan.name = layer.name;
    plan.type = network::type_name(layer.type);
    plan.layer = index;
    plan.macs = layer.macs();
    plan.jobs = jobs;
    for (const TiledJob& job : jobs) {
      const arch::TileNest nest(job, config_.engine(job.engine));
      plan.passes += nest.fc_engine() ? 1 : nest.output_tiles();
      plan.pass_columns += nest.points();
    }
    plan.fused_into = fusion_.fused_into(index);
    if (plan.fused_into < 0) plan.map = maps_.at(fusion_.root(index));
    if (!jobs.empty() && options_.values) plan.codes = code_book(layer);
    return plan;
  }

  const network::Network& network_;
  const arch::TiledConfig& config_;
  const Options& options_;
  Fusion fusion_;
  Memory memory_;
  std::map<int, EncodedMap> maps_;  // by producer
};

}  // namespace

std::variant<arch::Program, Unschedulable> compile(const network::Network& network, const arch::TiledConfig& config,
                                                   const Options& options) {
  return TiledCompiler(network, config, options).run();
}

}  // namespace fansim::compile
