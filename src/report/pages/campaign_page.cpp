// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/escape.h"
#include "report/pages/assets.h"
#include "report/pages/page.h"

namespace fansim::report {

std::string campaign_page(const Campaign& campaign) {
  Page page;
  page.title = fmt::format("{} on {}, faults of kind {}", campaign.network.name, campaign.config.name, campaign.kind);
  page.adapter = assets::campaign;
  page.data = json(campaign);
  page.body = fmt::format(
      "<h1>{}</h1>\n<p class=\"soft\">{}, seed {}; bars: what came of the faults of each place, and the share that "
      "counts against it with the interval of 95 % (Wilson)</p>\n"
      "<div class=\"cards\" id=\"cards\"></div>\n<div class=\"charts\" id=\"charts\"></div>\n"
      "<h2>Places</h2>\n<div id=\"places\"></div>\n<h2>Faults</h2>\n<div id=\"faults\"></div>\n"
      "<h2>Command</h2>\n<pre>{}</pre>\n",
      escaped(page.title), escaped(campaign.engine), campaign.seed, escaped(campaign.tool.command));
  return html(page);
}

}  // namespace fansim::report
