// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/escape.h"
#include "report/pages/assets.h"
#include "report/pages/page.h"
#include "report/resolved.h"
#include "report/saturation.h"

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;

// Encodes bytes by RFC 4648, section 4.
std::string base64(const std::string& bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string side_by_side(const std::vector<ShownPicture>& pictures) {
  if (pictures.empty()) return "";
  std::string figures;
  for (const ShownPicture& picture : pictures)
    figures += fmt::format(
        "<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
        escaped(picture.caption), base64(picture.png));
  return fmt::format("<h2>Pictures</h2>\n<div class=\"pictures\">\n{}</div>\n", figures);
}

std::string warnings(const RunReport& report) {
  std::string items;
  const auto add = [&items](const std::string& text) { items += fmt::format("<li>{}</li>\n", escaped(text)); };
  for (const std::string& reason : report.misfits) add("does not fit the device: " + reason);
  if (report.timing.missed() && report.slack_allowed) add(timing_text(report));
  if (const std::string line = saturation_warning(report); !line.empty()) add(line.substr(0, line.size() - 1));
  for (const contract::LayerResult& layer : report.layers)
    if (layer.accumulator_overflows > 0)
      add(fmt::format("{}: {} sums did not fit the accumulator", layer.name, layer.accumulator_overflows));
  if (report.verified && !*report.verified) add("outputs differ from the reference executor");
  return items.empty() ? "" : fmt::format("<h2 class=\"bad\">Warnings</h2>\n<ul>\n{}</ul>\n", items);
}

// Returns what the charts need in addition to the report.
Json machine(const RunReport& report) {
  Json json;
  json["verified"] = report.verified ? Json(*report.verified) : Json();
  json["peak_gops"] = 2.0 * report.design.macs_per_cycle * report.design.clock_hz / 1e9;
  json["peak_gb_per_s"] = report.memory_bytes_per_s / 1e9;
  json["blocks"] = Json::array();
  for (const estimate::BlockUse& block : report.blocks)
    json["blocks"].push_back({{"name", block.name},
                              {"dsp", block.use.dsp},
                              {"lut", block.use.lut},
                              {"ff", block.use.ff},
                              {"bram36", block.use.bram36},
                              {"uram", block.use.uram}});
  // Layers with a mapping also show what their buffers hold.
  for (const contract::LayerResult& layer : report.layers) {
    if (!layer.mapping) continue;
    for (const contract::BufferUse& one : layer.mapping->buffers)
      json["buffers"][layer.name].push_back(
          {{"name", one.buffer}, {"unit", one.unit}, {"most", one.most}, {"capacity", one.capacity}});
  }
  return json;
}

}  // namespace

std::string run_page(const RunReport& report, const std::vector<ShownPicture>& pictures) {
  Page page;
  page.title = fmt::format("{} on {}", report.network.name, report.config.name);
  page.adapter = assets::run;
  page.data = Json{{"report", Json::parse(json(report))}, {"machine", machine(report)}}.dump() + "\n";
  page.body = fmt::format(
      "<h1>{}</h1>\n<p class=\"soft\">{}{}{}</p>\n<div class=\"cards\" id=\"cards\"></div>\n{}{}"
      "<h2>Charts</h2>\n<div class=\"charts\" id=\"charts\"></div>\n<h2>Layers</h2>\n<div id=\"layers\"></div>\n{}{}"
      "<h2>Command</h2>\n<pre>{}</pre>\n<details><summary>Resolved configuration</summary>\n<pre>{}</pre></details>\n",
      escaped(page.title), escaped(answer(report)), report.memory.empty() ? "" : "<br>" + escaped(report.memory),
      report.timing.verdict() == estimate::TimingVerdict::cannot_tell ? "<br>" + escaped(timing_text(report)) : "",
      warnings(report), side_by_side(pictures), saturation_table(report),
      report.energy ? "<h2>Energy of a frame</h2>\n<div id=\"energy\"></div>\n" : "", escaped(report.tool.command),
      escaped(resolved_yaml(report.resolved)));
  return html(page);
}

}  // namespace fansim::report
