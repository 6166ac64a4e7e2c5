// SPDX-License-Identifier: Apache-2.0
#include "training/formats/format_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/table.h"

namespace fansim::training::formats {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(const FormatSpace& space, const Trial& trial) {
  return trial.widened ? space.layers[*trial.widened].name : "";
}

// Returns whether a trial is shown: the one with a common format for all layers that is the first and best of its
// width, and those that meet the target.
bool is_shown(const FormatResult& result, std::size_t i) {
  const Trial& trial = result.trials[i];
  if (trial.meets || trial.widened) return trial.meets;
  for (std::size_t k = 0; k < result.trials.size(); ++k) {
    const Trial& other = result.trials[k];
    if (other.bits != trial.bits || other.widened) continue;
    const double more = other.score.accuracy_percent - trial.score.accuracy_percent;
    if (more > 0 || (more == 0 && k < i)) return false;
  }
  return true;
}

std::vector<std::string> cells(const Score& score) {
  return {fmt::format("{:.2f}", score.accuracy_percent), fmt::format("{:.1f}", 1e3 * score.power_w),
          fmt::format("{:.2f}", score.energy_uj)};
}

Json score_json(const Score& score) {
  return {{"accuracy_percent", score.accuracy_percent},
          {"power_w", score.power_w},
          {"energy_uj_per_training_image", score.energy_uj},
          {"cycles_per_training_image", score.cycles}};
}

}  // namespace

std::string text(const FormatSpace& space, const FormatResult& result) {
  std::string all;
  if (result.best) {
    const Trial& best = result.trials[*result.best];
    all = fmt::format("{}: least power that meets {:g} %: {}: {:.2f} %, {:.1f} mW, {:.2f} uJ a training image\n",
                      space.name, space.target_percent, space.text(best.combination), best.score.accuracy_percent,
                      1e3 * best.score.power_w, best.score.energy_uj);
  } else {
    all = fmt::format("{}: no combination meets {:g} %\n", space.name, space.target_percent);
  }
  all += fmt::format("{} combinations, {} of them from the store; {} images, {} epoch{}, {} held out\n\n",
                     result.trained + result.from_store, result.from_store, report::grouped(space.images), space.epochs,
                     space.epochs == 1 ? "" : "s", report::grouped(space.test));
  report::Table table(3);
  table.row({"bits", "widened", "formats (exponent.mantissa)", "accuracy %", "mW", "uJ/image", "meets"});
  table.rule();
  const auto row = [&](std::vector<std::string> head, const Score& score, const std::string& last) {
    for (const std::string& cell : cells(score)) head.push_back(cell);
    head.push_back(last);
    table.row(std::move(head));
  };
  for (std::size_t i = 0; i < result.trials.size(); ++i) {
    const Trial& trial = result.trials[i];
    if (!is_shown(result, i)) continue;
    row({std::to_string(trial.bits), name_of(space, trial), space.text(trial.combination)}, trial.score,
        i == result.best ? "picked"
        : trial.meets    ? "yes"
                         : "no");
  }
  table.rule();
  row({"", "", "the configuration as it is"}, result.as_configured,
      result.as_configured.accuracy_percent >= space.target_percent ? "yes" : "no");
  return all + table.text();
}

std::string json(const FormatSpace& space, const FormatResult& result, const std::string& version,
                 const std::string& command) {
  Json json{{"schema", 1},
            {"tool", {{"name", "fansim"}, {"version", version}, {"command", command}}},
            {"space", space.name},
            {"target_percent", space.target_percent},
            {"trained", result.trained},
            {"from_store", result.from_store},
            {"configured", score_json(result.as_configured)},
            {"best", nullptr},
            {"trials", Json::array()}};
  for (const Trial& trial : result.trials) {
    Json one{{"bits", trial.bits},
             {"widened", nullptr},
             {"formats", Json::object()},
             {"set", space.overrides(trial.combination)},
             {"score", score_json(trial.score)},
             {"meets", trial.meets}};
    if (trial.widened) one["widened"] = space.layers[*trial.widened].name;
    for (std::size_t i = 0; i < space.layers.size(); ++i)
      one["formats"][space.layers[i].name] = {{"exponent", trial.combination[i].exponent},
                                              {"mantissa", trial.combination[i].mantissa}};
    json["trials"].push_back(std::move(one));
  }
  if (result.best) json["best"] = *result.best;
  return json.dump(2) + "\n";
}

}  // namespace fansim::training::formats
