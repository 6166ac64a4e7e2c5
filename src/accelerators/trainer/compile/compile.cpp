// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/compile/compile.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "accelerators/trainer/compile/prepare.h"
#include "accelerators/trainer/config/phases.h"
#include "accelerators/trainer/config/transfers.h"
#include "compile/layer_walk.h"
#include "compile/memory.h"
#include "contract/job_steps.h"

namespace fansim::trainer {
namespace {

using compile::Misfit;
using network::Layer;

// Collects the host's steps. It writes the addresses and the label for every job, even if they are unchanged, so that
// each image takes the same number of cycles. It writes the network only once.
class Steps : public contract::JobSteps {
 public:
  using JobSteps::JobSteps;

  void run(const Job& job) {
    const JobRegisters registers = encode(job);
    this->job(registers, written_ ? &*written_ : nullptr, kOfEveryJob);
    written_ = registers;
  }

 private:
  static constexpr std::size_t kOfEveryJob = 3;
  std::optional<JobRegisters> written_;
};

// Describes the last layer's results, which are words in single precision.
struct StoredWords final : contract::StoredTensor {
  std::uint32_t address = 0;
  std::size_t count = 0;

  std::vector<std::int32_t> values(const std::uint8_t* memory) const override {
    std::vector<std::int32_t> words(count);
    std::memcpy(words.data(), memory + address, 4 * count);
    return words;
  }
};

void put(std::uint8_t* object, const std::vector<std::uint32_t>& words) {
  std::memcpy(object, words.data(), 4 * words.size());
}

std::int64_t whole_beats(std::int64_t bytes, const Config& config) { return transfer(0, bytes, config.axi).row_bytes; }

// Every layer's output goes to the next layer on the chip; only that of the last layer is in memory.
std::vector<int> into_the_next(const network::Network& network) {
  std::vector<int> into;
  for (std::size_t i = 0; i + 1 < network.layers.size(); ++i) into.push_back(static_cast<int>(i) + 1);
  into.push_back(-1);
  return into;
}

accelerators::CompiledBatch unschedulable(const network::Network& network, const LayerMisfit& misfit) {
  accelerators::CompiledBatch refused = compile::Unschedulable{};
  auto& at = std::get<compile::Unschedulable>(refused);
  at.reason = misfit.misfit.reason;
  if (misfit.layer >= 0) {
    at.layer = network.layers[static_cast<std::size_t>(misfit.layer)].name;
    at.where = network.layers[static_cast<std::size_t>(misfit.layer)].where;
  }
  return refused;
}

class Compiler final : public compile::LayerWalk {
 public:
  Compiler(const network::Network& network, const Config& config, const compile::Fusion& fusion,
           const compile::Options& options)
      : LayerWalk(network, fusion, config.ddr, options), config_(config), steps_(config.host) {}

 private:
  bool takes_softmax() const override { return true; }
  std::optional<Misfit> refusal() const override {
    const auto described = describe(network_, config_);
    const auto* misfit = std::get_if<LayerMisfit>(&described);
    if (misfit == nullptr || misfit->layer >= 0) return std::nullopt;
    return misfit->misfit;
  }
  std::optional<Misfit> refusal_of(const Layer& layer) const override {
    const auto described = describe(network_, config_);
    const auto* misfit = std::get_if<LayerMisfit>(&described);
    if (misfit == nullptr || &at(misfit->layer) != &layer) return std::nullopt;
    return misfit->misfit;
  }

  std::optional<Misfit> place(int producer, const network::Tensor* values) override {
    if (producer == Layer::kInput) {
      source_ = memory_.reserve(whole_beats(network_.input.shape.elements(), config_), [values](std::uint8_t* object) {
        if (values) std::memcpy(object, values->bytes.data(), values->bytes.size());
      });
    } else {
      result_.count = static_cast<std::size_t>(at(producer).out.elements());
      result_.address = memory_.reserve(whole_beats(static_cast<std::int64_t>(4 * result_.count), config_));
    }
    return std::nullopt;
  }

  std::optional<Misfit> compile(int index, int number, contract::LayerPlan& plan) override {
    if (plan.fused_into < 0) plan.output = std::make_shared<const StoredWords>(result_);
    if (index > 0) return std::nullopt;  // one job covers all layers, and it belongs to the first
    Job job = std::get<Job>(describe(network_, config_));
    for (const Layer& layer : network_.layers) plan.macs += &layer == &at(index) ? 0 : layer.macs();
    plan.passes = 1;
    plan.pass_columns = 1;
    const std::vector<std::uint32_t> words = all_weights(network_);
    const auto weights = memory_.reserve(whole_beats(kWordBytes * job.weights(), config_),
                                         [words](std::uint8_t* object) { put(object, words); });
    steps_.begin_layer(number);
    job.destination = result_.address;
    job.command = Command::load_weights;
    job.source = weights;
    steps_.run(job);
    job.command = Command::infer;
    job.source = source_;
    steps_.run(job);
    steps_.end_layer(number);
    return std::nullopt;
  }

  std::vector<contract::HostOp> take_steps() override { return steps_.take(); }

  const Config& config_;
  Steps steps_;
  std::uint32_t source_ = 0;
  StoredWords result_;
};

}  // namespace

compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options) {
  const compile::Fusion fusion(network, options.layers, into_the_next(network));
  return Compiler(network, config, fusion, options).run();
}

accelerators::CompiledBatch compile_images(const network::Network& network, const Config& config,
                                           const accelerators::Batch& batch) {
  const auto described = describe(network, config);
  if (const auto* misfit = std::get_if<LayerMisfit>(&described)) return unschedulable(network, *misfit);
  Job job = std::get<Job>(described);
  accelerators::BatchProgram program;
  program.classes = static_cast<int>(job.result_words());
  compile::Memory memory(compile::object_alignment(config.ddr));
  program.weights = memory.reserve(whole_beats(kWordBytes * job.weights(), config),
                                   [&batch](std::uint8_t* object) { put(object, *batch.weights); });
  // Images are placed so that every image takes the same bursts, and so the same number of cycles.
  const std::int64_t result = whole_beats(kWordBytes * job.result_words(), config), image = job.image_bytes();
  std::vector<std::uint32_t> images;
  for (std::size_t i = 0; i < batch.count; ++i)
    images.push_back(memory.reserve(whole_beats(image, config), [&batch, image, i](std::uint8_t* object) {
      std::memcpy(object, batch.images + static_cast<std::int64_t>(i) * image, static_cast<std::size_t>(image));
    }));
  std::vector<std::uint32_t> results;
  for (std::size_t i = 0; i < batch.count; ++i) results.push_back(memory.reserve(result));
  program.results = results.empty() ? 0 : results.front();
  program.result_pitch = results.size() < 2 ? 0 : results[1] - results[0];

  Steps steps(config.host);
  int number = 0;
  const auto add = [&](const std::string& name, const char* type, std::int64_t macs) {
    contract::LayerPlan plan;
    plan.name = name;
    plan.type = type;
    plan.layer = number;
    plan.macs = macs;
    plan.passes = plan.pass_columns = 1;
    program.program.layers.push_back(std::move(plan));
    steps.begin_layer(number);
    steps.run(job);
    steps.end_layer(number++);
  };
  job.command = Command::load_weights;
  job.source = program.weights;
  add("load", "weights", 0);
  std::int64_t macs = 0;
  for (const Layer& layer : network.layers) macs += layer.macs();
  job.command = batch.train ? Command::train : Command::infer;
  for (std::size_t i = 0; i < batch.count; ++i) {
    job.source = images[i];
    job.destination = results[i];
    job.label = batch.labels[i];
    add(fmt::format("image{}", i), batch.train ? "train" : "infer", macs);
  }
  if (batch.train) {
    job.command = Command::store_weights;
    job.destination = program.weights;
    add("store", "weights", 0);
  }
  program.program.ops = steps.take();
  program.program.memory = memory.image(true);
  return program;
}

}  // namespace fansim::trainer
