// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/escape.h"
#include "report/pages/assets.h"
#include "report/pages/page.h"

namespace fansim::report {

std::string compare_page(const Comparison& comparison, const std::string& command) {
  using Json = nlohmann::ordered_json;
  Page page;
  page.title = "What differs between reports";
  page.adapter = assets::compare;
  page.data = Json{{"comparison", Json::parse(json(comparison))}}.dump() + "\n";
  std::string files;
  for (std::size_t i = 0; i < comparison.files.size(); ++i)
    files += fmt::format("<li><b>{}</b>: {} <span class=\"soft\">{}</span> <b>{}</b></li>\n",
                         static_cast<char>('A' + i % 26), escaped(comparison.designs[i]), escaped(comparison.files[i]),
                         escaped(comparison.timing[i]));
  page.body = fmt::format(
      "<h1>{}</h1>\n<ul class=\"plain\">\n{}</ul>\n{}<div class=\"cards\" id=\"cards\"></div>\n"
      "<div class=\"charts\" id=\"charts\"></div>\n<div id=\"tables\"></div>\n<h2>Command</h2>\n<pre>{}</pre>\n",
      page.title, files, comparison.same() ? "<p>Nothing differs.</p>\n" : "", escaped(command));
  return html(page);
}

}  // namespace fansim::report
