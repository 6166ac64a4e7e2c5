// SPDX-License-Identifier: Apache-2.0
#include "training/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "accelerators/registry.h"
#include "base/build_id.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "network/reference/training.h"
#include "platform/clocked_machine.h"
#include "runs/layer_differences.h"
#include "timing/engine_options.h"

namespace fansim::training {
namespace {

using accelerators::Batch;
using accelerators::BatchProgram;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatch = 200;
constexpr double kDiverged = 2;  // times the loss of guessing

// Holds the result of a batch, for each image in order.
struct Outcome {
  std::vector<contract::LayerResult> layers;  // one per image
  std::vector<std::vector<float>> probabilities;
  std::vector<std::uint32_t> weights;  // after the batch
};

float number_at(const std::uint8_t* memory, std::uint32_t address) {
  float value = 0;
  std::memcpy(&value, memory + address, sizeof value);
  // On the machine single precision's highest exponent is an ordinary number, so an infinite value becomes the largest
  // float.
  return std::isfinite(value) ? value : std::numeric_limits<float>::max();
}

class Training {
 public:
  explicit Training(const Request& request) : request_(request) {}

  Result run() {
    load();
    if (!result_.unschedulable) learn();
    return std::move(result_);
  }

 private:
  std::size_t pictures() const { return request_.train.count; }
  std::int64_t whole() const { return static_cast<std::int64_t>(pictures()) * request_.epochs; }
  std::size_t pixels() const {
    return static_cast<std::size_t>(request_.height) * static_cast<std::size_t>(request_.width);
  }

  void load() {
    result_.accelerator = accelerators::read_faultless("train", request_.config, request_.overrides);
    trainer_ = result_.accelerator->trainer();
    if (!trainer_)
      throw base::UserError(base::Location{request_.config, 0, 0},
                            fmt::format("{} runs networks and trains none", result_.accelerator->config().name));
    network::LoadOptions options;
    options.seed = request_.seed;
    if (!request_.checkpoint.empty()) file_.emplace(request_.checkpoint);
    Checkpoint& state = result_.state;
    const bool resumes = !request_.checkpoint.empty() && std::filesystem::exists(request_.checkpoint);
    if (resumes) options.checkpoint = request_.checkpoint;
    network_ = network::load_network(request_.network, options);
    require_shape();
    result_.accelerator->prepare(network_, options);
    result_.network_name = network_.name;
    result_.network_hash = network_.hash;
    if (resumes) state = read_checkpoint(request_.checkpoint);
    require_same_training(resumes);
    state.build = base::build_id();
    state.network = network_.name;
    state.design = trainer_->design();
    state.data = request_.data;
    state.seed = request_.seed;
    const std::uint8_t none = 0;
    std::vector<std::uint8_t> blank(pixels());
    const std::vector<std::uint32_t> weights = all_weights();
    const auto tried = trainer_->compile_batch(network_, {blank.data(), &none, 1, &weights, true});
    if (const auto* misfit = std::get_if<compile::Unschedulable>(&tried)) result_.unschedulable = *misfit;
  }

  void require_shape() const {
    const network::Shape& shape = network_.input.shape;
    if (shape.sequence || shape.channels != 1 || shape.height != request_.height || shape.width != request_.width)
      throw base::UserError(base::Location{request_.network, 0, 0},
                            fmt::format("the network's input is {}, the pictures are of 1 x {} x {}", shape.text(),
                                        request_.height, request_.width));
    const std::int64_t classes = network_.layers.back().out.elements();
    for (const Pictures& set : {request_.train, request_.test})
      for (std::size_t i = 0; i < set.count; ++i)
        if (set.labels[i] >= classes)
          throw base::UserError(fmt::format("train: label {} of picture {}, but the network has {} classes: 0..{}",
                                            set.labels[i], i, classes, classes - 1));
  }

  void require_same_training(bool resumes) const {
    const Checkpoint& state = result_.state;
    if (!resumes) return;
    const auto fail = [this](const std::string& what) {
      throw base::UserError(base::Location{request_.checkpoint, 0, 0}, what);
    };
    if (state.build.empty())
      fail("written before builds were told apart: `run` takes its weights; to go on learning, name another file");
    if (state.build != base::build_id())
      fail(
          fmt::format("of another build: '{}', not '{}'; two builds may learn otherwise: name another file, or use the "
                      "build whose `fansim --version` says that",
                      state.build, base::build_id()));
    if (state.network != network_.name) fail(fmt::format("of network {}, not {}", state.network, network_.name));
    if (state.data != request_.data) fail(fmt::format("trained on {}, not on {}", state.data, request_.data));
    if (state.seed != request_.seed) fail(fmt::format("of seed {}, not {}", state.seed, request_.seed));
    if (state.images > whole())
      fail(fmt::format("{} images are learned already; {} epochs of {} are {}", state.images, request_.epochs,
                       pictures(), whole()));
    if (state.epochs.size() != static_cast<std::size_t>(state.images) / pictures())
      fail(fmt::format("{} images are not {} epochs of {}", state.images, state.epochs.size(), pictures()));
  }

  std::vector<std::uint32_t> all_weights() const {
    std::vector<std::uint32_t> words;
    for (const network::Layer& layer : network_.layers)
      if (layer.floating())
        words.insert(words.end(), layer.floating()->weights.begin(), layer.floating()->weights.end());
    return words;
  }

  // Every epoch has its own order.
  std::vector<std::size_t> order(std::int64_t epoch) const {
    std::vector<std::size_t> order(pictures());
    std::iota(order.begin(), order.end(), std::size_t{0});
    base::Random random(request_.seed, fmt::format("epoch {}", epoch));
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(random.uniform(0, static_cast<int>(i) - 1))]);
    return order;
  }

  void learn() {
    Checkpoint& state = result_.state;
    std::vector<std::uint32_t> weights = all_weights();
    if (request_.verify) judge_ = std::make_unique<network::ReferenceTraining>(network_);
    const Clock::time_point begin = Clock::now();
    Clock::time_point written = begin;
    const bool in_one = request_.engine == runs::Engine::clocked || request_.cross_check;
    while (state.images < whole()) {
      const auto epoch = state.images / static_cast<std::int64_t>(pictures());
      const auto at = static_cast<std::size_t>(state.images % static_cast<std::int64_t>(pictures()));
      const std::vector<std::size_t> pictures_in_order = order(epoch);
      const std::size_t count = in_one ? pictures() - at : std::min(kBatch, pictures() - at);
      gather(request_.train, pictures_in_order, at, count);
      const Outcome outcome = run_batch({batch_.data(), labels_.data(), count, &weights, true}, request_.engine);
      if (base::interrupted()) keep(weights);  // keeps what is complete
      base::stop_if_interrupted();
      weights = outcome.weights;
      account(outcome);
      if (request_.verify && !verified(weights)) break;
      const bool ended = at + count == pictures();
      if (ended) end_epoch(weights);
      const bool last = state.images == whole();
      if (ended || Clock::now() - written > std::chrono::duration<double>(request_.every_seconds)) {
        keep(weights);
        written = Clock::now();
      }
      if (request_.on_progress) request_.on_progress(state, fraction());
      if (in_one && !last) throw base::UserError("train: the clocked engine learns one epoch");
    }
    result_.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (result_.confusion.empty()) evaluate(weights);
    if (result_.learned == 0) {  // measures an image even if none was left to train
      gather(request_.train, order(0), 0, 1);
      result_.training_image =
          run_batch({batch_.data(), labels_.data(), 1, &weights, true}, runs::Engine::fast).layers.back();
    }
    const double guessing = std::log(static_cast<double>(result_.confusion.size()));
    result_.diverged = !state.epochs.empty() && state.epochs.back().loss > kDiverged * guessing;
    store(weights);
  }

  double fraction() const { return static_cast<double>(result_.state.images) / static_cast<double>(whole()); }

  void gather(const Pictures& set, const std::vector<std::size_t>& order, std::size_t from, std::size_t count) {
    batch_.resize(count * pixels());
    labels_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t picture = order[from + i];
      std::memcpy(&batch_[i * pixels()], set.pixels + picture * pixels(), pixels());
      labels_[i] = set.labels[picture];
    }
  }

  // Only the first layer of the program and, in a training, the last one transfer weights.
  Outcome run_batch(const Batch& batch, runs::Engine engine) {
    auto compiled = trainer_->compile_batch(network_, batch);
    auto& program = std::get<BatchProgram>(compiled);
    Outcome outcome;
    const auto look = [&](const contract::LayerPlan& plan, const std::uint8_t* memory, contract::LayerResult& layer) {
      const auto number = static_cast<std::size_t>(plan.layer);
      if (number >= 1 && number <= batch.count) {
        outcome.layers.push_back(layer);
        outcome.probabilities.emplace_back();
        for (int i = 0; i < program.classes; ++i)
          outcome.probabilities.back().push_back(
              number_at(memory, program.results + static_cast<std::uint32_t>(number - 1) * program.result_pitch +
                                    static_cast<std::uint32_t>(4 * i)));
      } else if (number > batch.count) {
        outcome.weights.resize(batch.weights->size());
        std::memcpy(outcome.weights.data(), memory + program.weights, 4 * outcome.weights.size());
      }
    };
    const std::vector<contract::LayerResult> layers = simulate(program.program, engine, look);
    if (request_.cross_check && batch.train) {
      Outcome first = std::move(outcome);
      outcome = {};
      const auto other = engine == runs::Engine::fast ? runs::Engine::clocked : runs::Engine::fast;
      const std::vector<contract::LayerResult> others = simulate(program.program, other, look);
      const bool fast = engine == runs::Engine::fast;
      for (std::string& difference :
           runs::layer_differences(result_.accelerator->account(), fast ? others : layers, fast ? layers : others))
        result_.differences.push_back(std::move(difference));
      if (first.weights != outcome.weights) result_.differences.emplace_back("the engines' weights differ");
      outcome = std::move(first);
    }
    return outcome;
  }

  template <class Look>
  std::vector<contract::LayerResult> simulate(contract::Program program, runs::Engine engine, const Look& look) {
    if (engine == runs::Engine::fast) {
      timing::EngineOptions options;
      options.on_layer = look;
      options.stop_requested = base::interrupted;
      return result_.accelerator->run(std::move(program), options);
    }
    platform::MachineOptions options;
    options.on_layer = look;
    options.stop_requested = base::interrupted;
    const auto machine = result_.accelerator->machine(std::move(program), std::move(options));
    machine->run();
    return machine->layers();
  }

  void account(const Outcome& outcome) {
    Checkpoint& state = result_.state;
    for (std::size_t i = 0; i < outcome.layers.size(); ++i) {
      const contract::LayerResult& layer = outcome.layers[i];
      state.loss_of_epoch -= std::log(std::max(1e-30, double{outcome.probabilities[i][labels_[i]]}));
      state.cycles += layer.cycles;
      state.saturations += count_of(layer, "saturations");
      state.underflows += count_of(layer, "underflows");
    }
    state.images += static_cast<std::int64_t>(outcome.layers.size());
    result_.learned += static_cast<std::int64_t>(outcome.layers.size());
    result_.training_image = outcome.layers.back();
  }

  static std::int64_t count_of(const contract::LayerResult& layer, const std::string& key) {
    const auto found = layer.own.find(key);
    return found == layer.own.end() ? 0 : found->second;
  }

  bool verified(const std::vector<std::uint32_t>& weights) {
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      base::stop_if_interrupted();
      judge_->learn(&batch_[i * pixels()], labels_[i], learning_rate());
    }
    const std::vector<std::uint32_t> expected = judge_->weights();
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] == expected[i]) continue;
      result_.differences.push_back(fmt::format("after {} images weight {} is {:08x}, of the reference {:08x}",
                                                result_.state.images, i, weights[i], expected[i]));
      return false;
    }
    return true;
  }

  std::uint32_t learning_rate() const {
    const auto rate = static_cast<float>(trainer_->learning_rate());
    std::uint32_t word = 0;
    std::memcpy(&word, &rate, sizeof word);
    return word;
  }

  void evaluate(const std::vector<std::uint32_t>& weights) {
    const auto classes = static_cast<std::size_t>(network_.layers.back().out.elements());
    result_.confusion.assign(classes, std::vector<std::int64_t>(classes, 0));
    std::vector<std::size_t> as_they_are(request_.test.count);
    std::iota(as_they_are.begin(), as_they_are.end(), std::size_t{0});
    for (std::size_t at = 0; at < request_.test.count; at += kBatch) {
      const std::size_t count = std::min(kBatch, request_.test.count - at);
      gather(request_.test, as_they_are, at, count);
      const Outcome outcome = run_batch({batch_.data(), labels_.data(), count, &weights, false}, runs::Engine::fast);
      base::stop_if_interrupted();
      for (std::size_t i = 0; i < count; ++i) {
        const std::vector<float>& p = outcome.probabilities[i];
        const auto read = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
        ++result_.confusion[labels_[i]][read];
      }
      result_.inference = outcome.layers.back();
    }
  }

  void end_epoch(const std::vector<std::uint32_t>& weights) {
    Checkpoint& state = result_.state;
    evaluate(weights);
    state.epochs.push_back({result_.accuracy_percent(), state.loss_of_epoch / static_cast<double>(pictures())});
    state.loss_of_epoch = 0;
  }

  void store(const std::vector<std::uint32_t>& weights) {
    result_.state.weights.clear();
    auto from = weights.begin();
    for (const network::Layer& layer : network_.layers) {
      if (!layer.floating() || layer.floating()->weights.empty()) continue;
      const auto count = static_cast<std::ptrdiff_t>(layer.floating()->weights.size());
      result_.state.weights.push_back({layer.name, {from, from + count}});
      from += count;
    }
  }

  void keep(const std::vector<std::uint32_t>& weights) {
    store(weights);
    if (file_) file_->write(result_.state);
  }

  const Request& request_;
  std::optional<CheckpointFile> file_;
  Result result_;
  const accelerators::Trainer* trainer_ = nullptr;  // the trainer of the result's accelerator
  network::Network network_;
  std::unique_ptr<network::ReferenceTraining> judge_;
  std::vector<std::uint8_t> batch_, labels_;
};

}  // namespace

double Result::accuracy_percent() const {
  std::int64_t right = 0, all = 0;
  for (std::size_t shown = 0; shown < confusion.size(); ++shown)
    for (std::size_t read = 0; read < confusion.size(); ++read) {
      all += confusion[shown][read];
      if (shown == read) right += confusion[shown][read];
    }
  return all == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(all);
}

double Result::power_w() const { return accelerator->estimate().power.blocks_w(); }

Result train(const Request& request) { return Training(request).run(); }

}  // namespace fansim::training
