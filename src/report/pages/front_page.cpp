// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/escape.h"
#include "report/pages/assets.h"
#include "report/pages/page.h"

namespace fansim::report {

std::string front_page(const Exploration& exploration) {
  using Json = nlohmann::ordered_json;
  Page page;
  page.title = fmt::format("{} over {}", exploration.network.name, exploration.space);
  page.adapter = assets::front;
  page.data = Json{{"exploration", Json::parse(json(exploration))}}.dump() + "\n";
  page.body = fmt::format(
      "<h1>{}</h1>\n<p class=\"soft\">{} on {}</p>\n<div class=\"cards\" id=\"cards\"></div>\n"
      "<div class=\"filters\" id=\"controls\"></div>\n<div class=\"filters\" id=\"filters\"></div>\n"
      "<div class=\"charts\" id=\"charts\"></div>\n<h2>The point picked</h2>\n<pre id=\"command\"></pre>\n"
      "<h2>Points</h2>\n<div id=\"points\"></div>\n<div id=\"neighbours\"></div>\n<h2>Command</h2>\n<pre>{}</pre>\n"
      "<details><summary>The search in words</summary>\n<pre>{}</pre></details>\n",
      escaped(page.title), escaped(exploration.config.name), escaped(exploration.device),
      escaped(exploration.tool.command), escaped(text(exploration)));
  return html(page);
}

}  // namespace fansim::report
