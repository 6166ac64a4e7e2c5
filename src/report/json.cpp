// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "report/energy.h"
#include "report/resolved.h"
#include "report/run_report.h"
#include "report/saturation.h"
#include "report/timing.h"

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;

Json figure_json(const contract::Statistic& statistic, const contract::LayerResult& layer, const RunReport& report) {
  if (statistic.counted) return statistic.counted->of(layer);
  const double value = statistic.of(layer, report.design);
  return statistic.whole() ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

// A layer that did not run has no cycles in any bucket.
void add_figures(Json& json, const contract::LayerResult& layer, const RunReport& report) {
  for (const contract::Statistic& statistic : report.account.statistics())
    if (statistic.in_reports()) json[statistic.key()] = figure_json(statistic, layer, report);
  const base::Cycles host = report.account.host_cycles(layer), fabric = layer.cycles - host;
  json["host_cycles"] = host;
  json["host_seconds"] = static_cast<double>(host) / report.design.clock_hz;
  json["fabric_cycles"] = fabric;
  json["fabric_seconds"] = static_cast<double>(fabric) / report.design.clock_hz;
  for (std::size_t b = 0; b < report.account.buckets.size(); ++b)
    json["buckets"][report.account.buckets[b].name] = layer.buckets.empty() ? 0 : layer.buckets[b];
}

Json mapping_json(const contract::Mapping& mapping) {
  Json json{{"tile", Json::object()}, {"tiles", mapping.tiles}, {"passes", mapping.passes}};
  for (const auto& [name, extent] : mapping.tile) json["tile"][name] = extent;
  json["operands"] = Json::array();
  for (const contract::OperandTraffic& one : mapping.operands) {
    Json operand{{"name", one.operand}, {"written", one.written}, {"ddr_bytes", one.ddr}};
    operand["buffers_bytes"] = one.buffers ? Json(*one.buffers) : Json();
    operand["array_bytes"] = one.array ? Json(*one.array) : Json();
    operand["reuse"] = one.reuse() ? Json(*one.reuse()) : Json();
    json["operands"].push_back(std::move(operand));
  }
  json["buffers"] = Json::array();
  for (const contract::BufferUse& one : mapping.buffers)
    json["buffers"].push_back(
        {{"name", one.buffer}, {"unit", one.unit}, {"most", one.most}, {"capacity", one.capacity}});
  return json;
}

Json layer_json(const contract::LayerResult& layer, const RunReport& report) {
  Json json;
  json["name"] = layer.name;
  json["type"] = layer.type;
  if (layer.on_host) json["on_host"] = true;
  add_figures(json, layer, report);
  for (const contract::StageResult& stage : layer.stages)
    json["stages"][stage.name] = {{"tiles", stage.tiles}, {"beats", stage.beats}, {"cycles", stage.cycles}};
  if (layer.saturation) json["saturation"] = saturation_json(*layer.saturation);
  if (report.mapping && layer.mapping) json["mapping"] = mapping_json(*layer.mapping);
  if (!layer.output_hash.empty()) json["output_hash"] = layer.output_hash;
  return json;
}

// Prints a whole number of blocks without a fraction.
Json blocks(double bram36) {
  const auto whole = static_cast<std::int64_t>(bram36);
  return static_cast<double>(whole) == bram36 ? Json(whole) : Json(bram36);
}

Json batch_json(const BatchReport& batch) {
  const auto count = static_cast<double>(batch.count);
  Json json{{"count", batch.count}, {"read", batch.read}};
  if (batch.begin) json["begin"] = *batch.begin;
  if (batch.as_floats) json["as_floats_percent"] = 100 * static_cast<double>(*batch.as_floats) / count;
  if (!batch.labelled) return json;
  if (batch.as_floats) json["floats_top1_percent"] = 100 * static_cast<double>(batch.floats_first) / count;
  json["top1_percent"] = 100 * static_cast<double>(batch.first) / count;
  json["top5_percent"] = 100 * static_cast<double>(batch.first_five) / count;
  json["confusion"] = batch.confusion;
  return json;
}

Json frames_json(const FrameReport& frames, const contract::Design& design) {
  return {{"count", frames.count},
          {"total_cycles", frames.total},
          {"first_cycles", frames.first},
          {"steady_cycles", frames.steady},
          {"beside_cycles", frames.beside},
          {"waited_cycles", frames.waited},
          {"frames_per_s", design.clock_hz * frames.count / static_cast<double>(frames.total)},
          {"steady_frames_per_s", design.pictures * design.clock_hz / static_cast<double>(frames.steady)}};
}

Json faults_json(const contract::FaultLog& faults) {
  Json json{{"events", Json::array()}, {"attempts", faults.attempts}};
  for (const contract::FaultEvent& event : faults.events) {
    Json one{{"cycle", event.cycle}, {"source", event.source_name()}, {"what", event.what}};
    if (!event.layer.empty()) one["layer"] = event.layer;
    json["events"].push_back(std::move(one));
  }
  if (!faults.gave_up.empty()) json["gave_up"] = faults.gave_up;
  return json;
}

}  // namespace

std::string json(const RunReport& report) {
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "fansim"}, {"version", report.tool.version}, {"command", report.tool.command}};
  json["config"] = {{"name", report.config.name},
                    {"hash", report.config.hash},
                    {"resolved", resolved_json(report.resolved)},
                    {"costs", costs_json(report.resolved)}};
  json["network"] = {{"name", report.network.name}, {"hash", report.network.hash}};
  json["engine"] = report.engine;
  json["seed"] = report.seed;
  json["clock_hz"] = report.design.clock_hz;
  json["pictures"] = report.design.pictures;
  if (report.loading.cycles > 0) json["loading"] = {{"bytes", report.loading.bytes}, {"cycles", report.loading.cycles}};
  json["layers"] = Json::array();
  for (const contract::LayerResult& layer : report.layers) json["layers"].push_back(layer_json(layer, report));
  const contract::LayerResult sum = total(report);
  add_figures(json["total"], sum, report);
  if (sum.saturation) {
    json["saturation"] = saturation_json(*sum.saturation);
    if (const Json widths = widths_json(report); !widths.is_null()) json["saturation"]["would_hold"] = widths;
  }
  if (const base::Cycles cycles = host_cycles(report); cycles > 0) json["total"]["on_host_cycles"] = cycles;
  const contract::Resources& use = report.resources;
  json["resources"] = {{"dsp", use.dsp},       {"lut", use.lut},  {"ff", use.ff}, {"bram36", blocks(use.bram36)},
                       {"lutram", use.lutram}, {"uram", use.uram}};
  const contract::Device& device = report.device;
  json["device"] = {{"name", device.name},     {"dsp", device.dsp},       {"lut", device.lut},  {"ff", device.ff},
                    {"bram36", device.bram36}, {"lutram", device.lutram}, {"uram", device.uram}};
  json["fits"] = report.misfits.empty() && !report.timing.missed();
  json["fmax_hz"] = report.timing.fmax_hz;
  json["timing"] = timing_json(report.timing, report.slack_allowed);
  json["power_w"] = report.power_w;
  if (report.whole) {
    json["frames_per_s"] = frames_per_s(report);
    json["energy_mj"] = energy_mj(report);
    if (report.energy) json["energy"] = energy_json(*report.energy, report.processing_system_source);
  }
  if (report.batch) json["batch"] = batch_json(*report.batch);
  if (report.frames) json["frames"] = frames_json(*report.frames, report.design);
  if (report.faults) json["faults"] = faults_json(*report.faults);
  if (report.span) json["ranges"] = span_json(*report.span);
  if (report.reach && !report.reach->keys.empty()) json["time_range"] = reach_json(*report.reach);
  return json.dump(2) + "\n";
}

}  // namespace fansim::report
