// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/escape.h"
#include "report/pages/assets.h"
#include "report/pages/page.h"

namespace fansim::report {

std::string sweep_page(const Sweep& sweep) {
  using Json = nlohmann::ordered_json;
  Page page;
  page.title = fmt::format("{} on {}, swept", sweep.network.name, sweep.config.name);
  page.adapter = assets::sweep;
  Json metrics = Json::array();
  for (const SweepMetric& metric : kSweepMetrics) metrics.push_back({{"name", metric.name}, {"head", metric.head}});
  page.data = Json{{"sweep", Json::parse(json(sweep))}, {"metrics", metrics}}.dump() + "\n";
  std::string keys;
  for (const std::string& key : sweep.keys) keys += (keys.empty() ? "" : ", ") + key;
  page.body = fmt::format(
      "<h1>{}</h1>\n<p class=\"soft\">over {}; a cross marks a point that does not fit the device or its clock</p>\n"
      "<div class=\"cards\" id=\"cards\"></div>\n<div class=\"charts\" id=\"charts\"></div>\n"
      "<h2>Points</h2>\n<div id=\"points\"></div>\n<h2>Command</h2>\n<pre>{}</pre>\n",
      escaped(page.title), escaped(keys), escaped(sweep.tool.command));
  return html(page);
}

}  // namespace fansim::report
