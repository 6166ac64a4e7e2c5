// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fansim::report {

// exact: equal; within, outside: a tolerance was promised; lost: the publication's figure cannot be read any more;
// info: shown side by side, nothing promised.
enum class Status { exact, within, outside, lost, info };
const char* name(Status status);

// One published quantity beside the simulated one.
struct Row {
  std::string paper;
  std::string quantity;
  std::string unit;
  std::optional<double> published;
  std::optional<double> simulated;
  std::optional<double> tolerance_percent;  // empty: info
  std::string source;                       // where the published figure stands

  std::optional<double> error_percent() const;
  Status status() const;
};

bool any_outside(const std::vector<Row>& rows);
std::string text(const std::vector<Row>& rows);
std::string json(const std::vector<Row>& rows);

}  // namespace fansim::report
