// SPDX-License-Identifier: Apache-2.0
#include "training/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/table.h"

namespace fansim::training {
namespace {

using Json = nlohmann::ordered_json;
using report::grouped;

// Says where an image's cycles went: each bucket in both modes.
std::string cycles_text(const Result& result) {
  const contract::Account& account = result.accelerator->account();
  report::Table table(1);
  table.row({"cycles", "training", "inference"});
  table.rule();
  for (std::size_t i = 0; i < account.buckets.size(); ++i)
    table.row({account.buckets[i].name, grouped(result.training_image.buckets.at(i)),
               grouped(result.inference.buckets.at(i))});
  table.rule();
  table.row({"an image", grouped(result.training_image.cycles), grouped(result.inference.cycles)});
  table.row({"microseconds",
             fmt::format("{:.1f}", 1e6 * static_cast<double>(result.training_image.cycles) / result.clock_hz()),
             fmt::format("{:.1f}", 1e6 * static_cast<double>(result.inference.cycles) / result.clock_hz())});
  table.row({"microjoules (estimated)", fmt::format("{:.2f}", result.energy_uj(result.training_image)),
             fmt::format("{:.2f}", result.energy_uj(result.inference))});
  return table.text();
}

std::string curve_text(const Result& result) {
  report::Table table(0);
  table.row({"epoch", "mean loss", "accuracy %"});
  table.rule();
  for (std::size_t i = 0; i < result.state.epochs.size(); ++i)
    table.row({fmt::format("{}", i + 1), fmt::format("{:.4f}", result.state.epochs[i].loss),
               fmt::format("{:.2f}", result.state.epochs[i].accuracy_percent)});
  return table.text();
}

std::string confusion_text(const Result& result) {
  report::Table table(1);
  std::vector<std::string> head{"shown / read"};
  for (std::size_t i = 0; i < result.confusion.size(); ++i) head.push_back(std::to_string(i));
  table.row(head);
  table.rule();
  for (std::size_t shown = 0; shown < result.confusion.size(); ++shown) {
    std::vector<std::string> row{std::to_string(shown)};
    for (const std::int64_t count : result.confusion[shown]) row.push_back(grouped(count));
    table.row(row);
  }
  return table.text();
}

}  // namespace

std::string progress_text(const Checkpoint& state) {
  if (state.epochs.empty()) return fmt::format("{} images", grouped(state.images));
  return fmt::format("{} images, {:.2f} % after epoch {}", grouped(state.images), state.epochs.back().accuracy_percent,
                     state.epochs.size());
}

std::string text(const Result& result) {
  const contract::ConfigBase& config = result.accelerator->config();
  const Checkpoint& state = result.state;
  std::string all = fmt::format(
      "{} on {}: {:.2f} % of the held-out images after {} training images, {} cycles and {:.2f} uJ each at {} MHz\n\n",
      result.network_name, config.name, result.accuracy_percent(), grouped(state.images),
      grouped(result.training_image.cycles), result.energy_uj(result.training_image), config.clock_mhz.text());
  all += fmt::format("data: {}\narithmetic: {}\n\n", state.data, state.design);
  all += curve_text(result) + "\n" + cycles_text(result) + "\n" + confusion_text(result) + "\n";
  all += fmt::format("{} results saturated, {} underflowed; no word is infinite or no number\n",
                     grouped(state.saturations), grouped(state.underflows));
  if (result.diverged)
    all += fmt::format("diverged: the mean loss of the last epoch, {:.4f}, is more than twice that of guessing\n",
                       state.epochs.back().loss);
  return all;
}

std::string json(const Result& result, const std::string& version, const std::string& command) {
  const contract::ConfigBase& config = result.accelerator->config();
  const Checkpoint& state = result.state;
  Json json{{"schema", 1},
            {"tool", {{"name", "fansim"}, {"version", version}, {"command", command}}},
            {"config", {{"name", config.name}, {"hash", config.hash}}},
            {"network", {{"name", result.network_name}, {"hash", result.network_hash}}},
            {"design", state.design},
            {"data", state.data},
            {"seed", state.seed},
            {"accuracy_percent", result.accuracy_percent()},
            {"images", state.images},
            {"cycles", state.cycles},
            {"cycles_per_training_image", result.training_image.cycles},
            {"cycles_per_inference", result.inference.cycles},
            {"power_w", result.power_w()},
            {"energy_uj_per_training_image", result.energy_uj(result.training_image)},
            {"energy_uj_per_inference", result.energy_uj(result.inference)},
            {"saturations", state.saturations},
            {"underflows", state.underflows},
            {"diverged", result.diverged},
            {"epochs", Json::array()},
            {"confusion", result.confusion}};
  for (const Epoch& epoch : state.epochs)
    json["epochs"].push_back({{"accuracy_percent", epoch.accuracy_percent}, {"loss", epoch.loss}});
  const contract::Account& account = result.accelerator->account();
  for (const auto& [key, layer] :
       {std::pair{"training_buckets", &result.training_image}, {"inference_buckets", &result.inference}})
    for (std::size_t i = 0; i < account.buckets.size(); ++i) json[key][account.buckets[i].name] = layer->buckets.at(i);
  return json.dump(2) + "\n";
}

}  // namespace fansim::training
