// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "post_training/quality.h"
#include "report/table.h"

namespace fansim::post_training {
namespace {

using Json = nlohmann::ordered_json;

std::string decibels(const SignalToNoise& sqnr) {
  const std::optional<double> db = sqnr.db();
  if (db) return fmt::format("{:.2f}", *db);
  return sqnr.signal == 0 ? "-" : "exact";
}

Json layer_json(const LayerQuality& layer) {
  const std::optional<double> db = layer.sqnr.db(), cosine = layer.sqnr.cosine();
  return {{"name", layer.name},
          {"type", layer.type},
          {"step", layer.activation.step},
          {"zero_point", layer.activation.format.zero_point},
          {"sqnr_db", db ? Json(*db) : Json()},
          {"cosine", cosine ? Json(*cosine) : Json()}};
}

}  // namespace

std::string layers_text(const std::string& network, const Quality& quality) {
  std::vector<const LayerQuality*> layers;
  for (const LayerQuality& layer : quality.layers) layers.push_back(&layer);
  const auto rank = [](const LayerQuality* layer) { return layer->sqnr.db().value_or(1e9); };
  std::stable_sort(layers.begin(), layers.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  report::Table table(2);
  table.row({"layer", "type", "SQNR, dB", "cosine"});
  table.rule();
  for (const LayerQuality* layer : layers) {
    const std::optional<double> cosine = layer->sqnr.cosine();
    table.row({layer->name, layer->type, decibels(layer->sqnr), cosine ? fmt::format("{:.6f}", *cosine) : "-"});
  }
  return fmt::format(
             "{}{} ({}, weights of {} bits, activations of {}): top-1 agrees with floats for {} of {} inputs\n\n",
             network, quality.machine.empty() ? "" : " in the arithmetic of " + quality.machine, quality.method,
             quality.weight_bits, quality.activation_bits, quality.agreeing, quality.inputs) +
         table.text();
}

std::string text(const std::string& network, const std::vector<Quality>& qualities) {
  report::Table table(2);
  std::vector<std::string> head{"SQNR, dB", ""}, widths{"weights, activations", "bits"},
      agreement{"top-1 agreement", "%"};
  const Quality* whole = nullptr;
  for (const Quality& quality : qualities) {
    head.push_back(quality.method);
    widths.push_back(fmt::format("{}, {}", quality.weight_bits, quality.activation_bits));
    agreement.push_back(quality.refusal.empty() ? fmt::format("{:.1f}", quality.agreement_percent()) : "-");
    if (quality.refusal.empty()) whole = &quality;
  }
  table.row(head);
  table.row(widths);
  table.rule();
  for (std::size_t i = 0; whole != nullptr && i < whole->layers.size(); ++i) {
    std::vector<std::string> row{whole->layers[i].name, whole->layers[i].type};
    for (const Quality& quality : qualities)
      row.push_back(quality.refusal.empty() ? decibels(quality.layers[i].sqnr) : "-");
    table.row(row);
  }
  table.rule();
  table.row(agreement);
  std::string out = fmt::format(
      "{}: {} of {} methods, {} inputs\n\n", network,
      std::count_if(qualities.begin(), qualities.end(), [](const Quality& quality) { return quality.refusal.empty(); }),
      qualities.size(), whole ? whole->inputs : 0);
  out += table.text();
  for (const Quality& quality : qualities)
    if (!quality.refusal.empty()) out += fmt::format("{}: {}\n", quality.method, quality.refusal);
  return out;
}

std::string json(const std::string& network, const std::vector<Quality>& qualities) {
  Json json{{"schema", 1}, {"network", network}, {"methods", Json::array()}};
  for (const Quality& quality : qualities) {
    Json method{
        {"method", quality.method}, {"weight_bits", quality.weight_bits}, {"activation_bits", quality.activation_bits}};
    if (!quality.machine.empty()) method["machine"] = quality.machine;
    if (!quality.refusal.empty()) {
      method["refusal"] = quality.refusal;
    } else {
      method["inputs"] = quality.inputs;
      method["top1_agreement_percent"] = quality.agreement_percent();
      for (const LayerQuality& layer : quality.layers) method["layers"].push_back(layer_json(layer));
    }
    json["methods"].push_back(method);
  }
  return json.dump(2) + "\n";
}

std::string csv(const std::vector<Quality>& qualities) {
  std::string out = "method,weight_bits,activation_bits,layer,type,step,zero_point,sqnr_db,top1_agreement_percent\n";
  for (const Quality& quality : qualities)
    for (const LayerQuality& layer : quality.layers) {
      const std::optional<double> db = layer.sqnr.db();
      out += fmt::format("{},{},{},{},{},{},{},{},{}\n", quality.method, quality.weight_bits, quality.activation_bits,
                         layer.name, layer.type, layer.activation.step, layer.activation.format.zero_point,
                         db ? fmt::format("{}", *db) : "", quality.agreement_percent());
    }
  return out;
}

}  // namespace fansim::post_training
