// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <variant>

#include "accelerators/trainer/compile/prepare.h"
#include "accelerators/trainer/config/phases.h"
#include "base/data.h"
#include "digits/digits.h"
#include "estimate/float_cells.h"
#include "papers/papers.h"
#include "training/train.h"

namespace fansim::papers {
namespace {

using report::derived;
using report::Row;

const char* const kPaper = "float-trainer";
const char* const kConfig = "configs/systems/float_trainer.yaml";
const char* const kNetwork = "models/digits.yaml";
constexpr int kEpochs = 2;
constexpr std::uint64_t kSeed = 1;

training::Result learned(const digits::DataSet& data, const std::vector<std::string>& overrides) {
  training::Request request;
  request.config = base::data_path(kConfig), request.network = base::data_path(kNetwork);
  request.overrides = overrides;
  request.seed = kSeed;
  request.data = data.source;
  request.height = data.train.height, request.width = data.train.width;
  request.train = {data.train.pixels.data(), data.train.labels.data(), data.train.size()};
  request.test = {data.test.pixels.data(), data.test.labels.data(), data.test.size()};
  request.epochs = kEpochs;
  return training::train(request);
}

std::vector<std::string> everywhere(int mantissa) {
  std::vector<std::string> set{fmt::format("pooling.mantissa={}", mantissa),
                               fmt::format("softmax.mantissa={}", mantissa)};
  for (const char* block : {"convolution", "fc1", "fc2"})
    for (const char* of : {"forward", "backward", "sum", "weights"})
      set.push_back(fmt::format("{}.{}_mantissa={}", block, of, mantissa));
  return set;
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

void add_counts(std::vector<Row>& rows) {
  const trainer::Config config = trainer::Config::read(base::data_path(kConfig), {});
  network::LoadOptions none;
  none.values = false;
  trainer::Job job =
      std::get<trainer::Job>(trainer::describe(network::load_network(base::data_path(kNetwork), none), config));
  job.command = trainer::Command::train;
  const auto source = derived("sizes of the layers as stated; stride 2, which 196 = 7 x 7 x 4 implies");
  using K = trainer::PhaseKind;
  rows.push_back({kPaper, "multiply-accumulates forward", "", 9116, multiplies(job, {K::forward}), 0, source});
  rows.push_back({kPaper, "multiply-accumulates back", "", 11176,
                  multiplies(job, {K::input_gradient, K::weight_gradient}), 0, source});
  rows.push_back({kPaper, "weights updated", "", 2096, static_cast<double>(job.weights()), 0, source});
}

void add_training(std::vector<Row>& rows) {
  const digits::DataSet data = digits::drawn(kSeed, 12'000, 2'000);
  const std::string other =
      "stated, on MNIST; simulated on digits that the project draws, two epochs, rounded to nearest even";
  const training::Result mixed = learned(data, {}), custom = learned(data, everywhere(15));
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

void add_dividers(std::vector<Row>& rows) {
  // Of brain-16, whose eight bits two iterations from a table of six give.
  const estimate::OperatorCells array = estimate::float_array_divider(8, 8),
                                reciprocal = estimate::float_reciprocal_divider(8, 8, 11, 6, 2);
  const std::string at =
      "stated of the signed array against the reciprocal, without the width; the quantity is inferred ";
  const double area = reciprocal.gates / array.gates, delay = reciprocal.delay / array.delay;
  const double energy = reciprocal.toggles / array.toggles;
  rows.push_back(
      {kPaper, "divider: area, reciprocal over array, 100 MHz", "", 4.5, area, 15, at + "from the table's title"});
  rows.push_back(
      {kPaper, "divider: area, reciprocal over array, 50 MHz", "", 6.1, area, 15, at + "from the table's title"});
  rows.push_back({kPaper, "divider: delay, reciprocal over array, 50 MHz", "", 3.3, delay, 15, at});
  rows.push_back({kPaper, "divider: delay, reciprocal over array, 100 MHz", "", 6.0, delay, 15, at});
  rows.push_back({kPaper, "divider: energy, reciprocal over array, least", "", 17.5, energy, 15, at});
  rows.push_back({kPaper, "divider: energy, reciprocal over array, most", "", 22.5, energy, 15, at});
}

void add_lost(std::vector<Row>& rows) {
  rows.push_back(
      {kPaper, "custom-16: bits of the exponent (Table 1)", "bits", {}, 6, 0, "the cell is lost; a parameter"});
  rows.push_back(
      {kPaper, "dynamic power of custom-24", "mW", 30, {}, {}, "stated, of 55 nm cells: no such library is here"});
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
  add_counts(reproduction.rows);
  add_training(reproduction.rows);
  add_dividers(reproduction.rows);
  add_lost(reproduction.rows);
  reproduction.text =
      "float-trainer: dividers are counted in cells by formula (docs/float.md); Tables 1 to 8 are lost but for what "
      "the text "
      "repeats.\n";
  return reproduction;
}

}  // namespace fansim::papers
