// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <variant>

#include "accelerators/trainer/compile/prepare.h"
#include "accelerators/trainer/config/phases.h"
#include "base/data.h"
#include "papers/float_trainer_parts.h"
#include "training/data/digits.h"
#include "training/train.h"

namespace fansim::papers {
namespace {

using report::derived;
using report::Row;

using float_trainer::Image;
using float_trainer::kPaper;

const char* const kNetwork = "models/digits.yaml";
constexpr int kEpochs = 2;
constexpr std::uint64_t kSeed = 1;

training::Result learned(const training::DataSet& data, const std::vector<std::string>& overrides,
                         int epochs = kEpochs) {
  training::Request request;
  request.config = base::data_path(float_trainer::kConfig);
  request.network = base::data_path(kNetwork);
  request.overrides = overrides;
  request.seed = kSeed;
  request.data = data.source;
  request.height = data.train.height;
  request.width = data.train.width;
  request.train = {data.train.pixels.data(), data.train.labels.data(), data.train.size()};
  request.test = {data.test.pixels.data(), data.test.labels.data(), data.test.size()};
  request.epochs = epochs;
  return training::train(request);
}

std::vector<std::string> everywhere(const arith::FloatFormat& format) {
  std::vector<std::string> set;
  const auto add = [&](const std::string& key) {
    set.push_back(fmt::format("{}exponent={}", key, format.exponent_bits));
    set.push_back(fmt::format("{}mantissa={}", key, format.mantissa_bits));
  };
  add("pooling.");
  add("softmax.");
  for (const char* block : {"convolution", "fc1", "fc2"})
    for (const char* of : {"forward", "backward", "sum", "weights"}) add(fmt::format("{}.{}_", block, of));
  return set;
}

// One image is enough, because every image takes equally long.
Image image_of(const std::vector<std::string>& overrides) {
  const training::Result one = learned(training::drawn_digits(kSeed, 1, 1), overrides, 1);
  return {overrides, one.training_image.cycles};
}

double multiplies(const trainer::Job& job, std::initializer_list<trainer::PhaseKind> kinds) {
  std::int64_t sum = 0;
  for (const trainer::Phase& phase : trainer::phases_of(job))
    for (const trainer::PhaseKind kind : kinds)
      if (phase.kind == kind) {
        const trainer::Products products{kind, job.layer(phase.layer)};
        sum += products.sums() * products.terms();
      }
  return static_cast<double>(sum);
}

trainer::Job training_job() {
  const trainer::Config config = trainer::Config::read(base::data_path(float_trainer::kConfig), {});
  network::LoadOptions none;
  none.values = false;
  trainer::Job job =
      std::get<trainer::Job>(trainer::describe(network::load_network(base::data_path(kNetwork), none), config));
  job.command = trainer::Command::train;
  return job;
}

void add_counts(std::vector<Row>& rows, const trainer::Job& job) {
  const auto source = derived("sizes of the layers as stated; stride 2, which 196 = 7 x 7 x 4 implies");
  using K = trainer::PhaseKind;
  rows.push_back({kPaper, "multiply-accumulates forward", "", 9116, multiplies(job, {K::forward}), 0, source});
  rows.push_back({kPaper, "multiply-accumulates back", "", 11176,
                  multiplies(job, {K::input_gradient, K::weight_gradient}), 0, source});
  rows.push_back({kPaper, "weights updated", "", 2096, static_cast<double>(job.weights()), 0, source});
}

void add_training(std::vector<Row>& rows) {
  const training::DataSet data = training::drawn_digits(kSeed, 12'000, 2'000);
  const std::string other =
      "stated, on MNIST; simulated on digits that the project draws, two epochs, rounded to nearest even";
  const training::Result mixed = learned(data, {}), custom = learned(data, everywhere(arith::kCustom24));
  rows.push_back({kPaper, "accuracy, custom-24, at least", "%", 93, custom.accuracy_percent(), {}, other});
  rows.push_back({kPaper,
                  "accuracy, 24 bits in the convolution and 16 elsewhere, at least",
                  "%",
                  93,
                  mixed.accuracy_percent(),
                  {},
                  other});
  const auto cycles = static_cast<double>(mixed.training_image.cycles);
  rows.push_back({kPaper, "cycles of a training image, at least", "cycles", 8.5e-6 / 30e-3 * 100e6, cycles, 10,
                  derived("8.5 uJ at custom-24's 30 mW and 100 MHz; the image that it is of is not said")});
  rows.push_back({kPaper,
                  "cycles of a training image, at most",
                  "cycles",
                  8.5e-6 / (30e-3 / 1.58) * 100e6,
                  cycles,
                  {},
                  derived("8.5 uJ at the power of 16 bits, 30 mW / 1.58")});
  rows.push_back({kPaper,
                  "energy of a training image, mixed",
                  "uJ",
                  8.5,
                  mixed.energy_uj(mixed.training_image),
                  {},
                  "stated, of 55 nm cells; simulated: dynamic, of the ZCU102's fabric"});
}

void add_lost(std::vector<Row>& rows) {
  rows.push_back(
      {kPaper, "custom-16: bits of the exponent (Table 1)", "bits", {}, 6, 0, "the cell is lost; a parameter"});
  rows.push_back({kPaper,
                  "energy of other accelerators over this (Table 8), most",
                  "",
                  1140,
                  {},
                  {},
                  "stated, without the accelerators' own figures; 81 and 555 for the others"});
}

}  // namespace

Reproduction reproduce_float_trainer() {
  Reproduction reproduction;
  const trainer::Job job = training_job();
  add_counts(reproduction.rows, job);
  add_training(reproduction.rows);
  float_trainer::add_operators(reproduction.rows);
  float_trainer::add_power(reproduction.rows, job, image_of(everywhere(arith::kCustom24)),
                           image_of(everywhere(arith::kBrain16)), image_of(everywhere(arith::kCustom16)), image_of({}));
  add_lost(reproduction.rows);
  reproduction.text =
      "float-trainer: operators are counted in cells by formula and as Yosys makes gates of their twins "
      "(docs/float.md); "
      "of Tables 1 to 8 the text's words are left.\n";
  return reproduction;
}

}  // namespace fansim::papers
