// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/line_chart.h"
#include "report/reproduction.h"
#include "report/span.h"

// Each publication has one function, which sets its figures beside the simulated ones.
namespace fansim::papers {

struct Reproduction {
  std::vector<report::Row> rows;
  std::string text;  // printed below the rows; may be empty
  std::vector<report::LineChart> charts;
};

// Returns how the headlines of a paper, or of all, change with constants that the paper leaves open.
std::vector<report::Turn> sensitivities(const std::string& paper);

// Returns the ranges of the headlines of a paper, or of all, over the ranges of the constants that it leaves open.
std::vector<report::HeadlineSpan> headline_spans(const std::string& paper);

Reproduction reproduce_uestc();
Reproduction reproduce_faq();
Reproduction reproduce_faq_bandwidth();
Reproduction reproduce_pg021();
Reproduction reproduce_kassel();
Reproduction reproduce_wp490();
Reproduction reproduce_float_trainer();

}  // namespace fansim::papers
