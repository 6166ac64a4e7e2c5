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

// Holds the parts of a page. The page needs no other file: it contains Chart.js, which draws its charts.
struct Page {
  std::string title;
  std::string body;          // HTML with places that the adapter fills
  std::string data;          // JSON that the adapter reads
  std::string_view adapter;  // JavaScript of the page
};
std::string html(const Page& page);

// Holds an image that the page shows: its caption and a PNG file.
struct ShownPicture {
  std::string caption, png;
};

// Shows everything that a run reports, in charts, tables and images.
std::string run_page(const RunReport& report, const std::vector<ShownPicture>& pictures);

// Shows the front of a search for exploring.
std::string front_page(const Exploration& exploration);

// Plots every metric over the values that were varied, and lists the points.
std::string sweep_page(const Sweep& sweep);

// Shows what differs between reports, the largest difference first.
std::string compare_page(const Comparison& comparison, const std::string& command);

// Shows the outcomes of a campaign's faults, place by place.
std::string campaign_page(const Campaign& campaign);

// Shows published figures beside simulated ones, and plots.
std::string rows_page(const std::vector<Row>& rows, const std::vector<LineChart>& charts, const std::string& command);

}  // namespace fansim::report
