// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "report/run_report.h"

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;

void add_counts(Json& json, const arch::LayerResult& layer, const RunReport& report) {
  const Rates r = rates(layer, report);
  json["cycles"] = layer.cycles;
  json["macs"] = layer.macs;
  json["ops"] = r.ops;
  json["seconds"] = r.seconds;
  json["gops"] = r.gops;
  json["mac_utilisation"] = r.mac_utilisation;
  json["bytes_read"] = layer.bytes_read;
  json["bytes_written"] = layer.bytes_written;
  json["read_gb_per_s"] = r.read_gb_per_s;
  json["write_gb_per_s"] = r.write_gb_per_s;
  for (int b = 0; b < arch::kBuckets; ++b)
    json["buckets"][name(static_cast<arch::Bucket>(b))] = layer.buckets[static_cast<std::size_t>(b)];
}

Json layer_json(const arch::LayerResult& layer, const RunReport& report) {
  Json json;
  json["name"] = layer.name;
  json["type"] = layer.type;
  add_counts(json, layer, report);
  for (const arch::StageResult& stage : layer.stages)
    json["stages"][stage.name] = {{"tiles", stage.tiles}, {"beats", stage.beats}, {"cycles", stage.cycles}};
  if (!layer.output_hash.empty()) json["output_hash"] = layer.output_hash;
  return json;
}

// A whole number of blocks prints without a fraction.
Json blocks(double bram36) {
  const auto whole = static_cast<std::int64_t>(bram36);
  return static_cast<double>(whole) == bram36 ? Json(whole) : Json(bram36);
}

}  // namespace

std::string json(const RunReport& report) {
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "fansim"}, {"version", report.tool.version}, {"command", report.tool.command}};
  json["config"] = {{"name", report.config.name}, {"hash", report.config.hash}};
  json["network"] = {{"name", report.network.name}, {"hash", report.network.hash}};
  json["engine"] = report.engine;
  json["seed"] = report.seed;
  json["clock_hz"] = report.clock_hz;
  json["layers"] = Json::array();
  for (const arch::LayerResult& layer : report.layers) json["layers"].push_back(layer_json(layer, report));
  add_counts(json["total"], total(report), report);
  const arch::Resources& use = report.resources;
  json["resources"] = {{"dsp", use.dsp}, {"lut", use.lut}, {"ff", use.ff}, {"bram36", blocks(use.bram36)}};
  const arch::Device& device = report.device;
  json["device"] = {
      {"name", device.name}, {"dsp", device.dsp}, {"lut", device.lut}, {"ff", device.ff}, {"bram36", device.bram36}};
  json["fits"] = report.misfits.empty();
  json["fmax_hz"] = report.fmax_hz;
  json["power_w"] = report.power_w;
  return json.dump(2) + "\n";
}

}  // namespace fansim::report
