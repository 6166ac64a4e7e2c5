// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/escape.h"
#include "report/pages/assets.h"
#include "report/pages/page.h"

namespace fansim::report {

std::string rows_page(const std::vector<Row>& rows, const std::vector<LineChart>& charts, const std::string& command) {
  using Json = nlohmann::ordered_json;
  Page page;
  page.title = "Published beside simulated";
  page.adapter = assets::rows;
  Json data = Json::parse(json(rows));
  data["charts"] = Json::array();
  for (const LineChart& chart : charts) {
    Json one{{"title", chart.title}, {"x_label", chart.x_label}, {"y_label", chart.y_label}, {"places", chart.places}};
    for (const LineChart::Line& line : chart.lines)
      one["lines"].push_back({{"name", line.name}, {"values", line.values}});
    data["charts"].push_back(std::move(one));
  }
  page.data = data.dump() + "\n";
  page.body = fmt::format(
      "<h1>{}</h1>\n<p class=\"soft\">{}</p>\n<div class=\"charts\" id=\"charts\"></div>\n<h2>Figures</h2>\n"
      "<div id=\"rows\"></div>\n<h2>Command</h2>\n<pre>{}</pre>\n",
      page.title, escaped(headline(rows)), escaped(command));
  return html(page);
}

}  // namespace fansim::report
