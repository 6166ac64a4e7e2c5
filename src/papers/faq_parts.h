// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/reproduction.h"

// This file declares the parts of `reproduce faq`.
namespace fansim::papers {

constexpr double kMib = 1024.0 * 1024, kGib = 1024 * kMib;

// Collects the rows of one publication, in the order of its sections.
class FaqRows {
 public:
  void add(const std::string& quantity, const char* unit, std::optional<double> published,
           std::optional<double> simulated, std::optional<double> tolerance, const report::Source& source) {
    rows_.push_back({"faq", quantity, unit, published, simulated, tolerance, source});
  }
  // Adds the model's value for a cell that cannot be read any more.
  void lost(const std::string& quantity, const char* unit, std::optional<double> simulated,
            const report::Source& source) {
    add(quantity, unit, std::nullopt, simulated, 10, source);
  }
  std::vector<report::Row> take() { return std::move(rows_); }

 private:
  std::vector<report::Row> rows_;
};

void add_faq_performance(FaqRows& rows);
void add_faq_loads(FaqRows& rows);
void add_faq_resources(FaqRows& rows);
void add_faq_search(FaqRows& rows);

}  // namespace fansim::papers
