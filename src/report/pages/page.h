// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/campaign.h"
#include "report/comparison.h"
#include "report/exploration.h"
#include "report/line_chart.h"
#include "report/reproduction.h"
#include "report/run_report.h"
#include "report/sweep.h"

namespace fansim::report {

// What a page is made of. It needs nothing beside itself: charts are drawn by Chart.js, which it has inside.
struct Page {
  std::string title;
  std::string body;          // HTML, with places for what the adapter fills in
  std::string data;          // JSON, which the adapter reads
  std::string_view adapter;  // JavaScript
};
std::string html(const Page& page);

// A picture beside others: what it shows, and a PNG file.
struct ShownPicture {
  std::string caption, png;
};

// Everything a run has to say, in charts, tables and pictures.
std::string run_page(const RunReport& report, const std::vector<ShownPicture>& pictures);

// A search's front to look around in.
std::string front_page(const Exploration& exploration);

// A plot of every metric over what was varied, and the points.
std::string sweep_page(const Sweep& sweep);

// What differs between reports, the largest first.
std::string compare_page(const Comparison& comparison, const std::string& command);

// What came of a campaign's faults, place by place.
std::string campaign_page(const Campaign& campaign);

// Published figures beside simulated ones, and plots.
std::string rows_page(const std::vector<Row>& rows, const std::vector<LineChart>& charts, const std::string& command);

}  // namespace fansim::report
