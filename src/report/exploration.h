// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/run_report.h"

namespace fansim::report {

// Holds everything that a search reports; the functions below only format it.
struct Exploration {
  struct Point {
    std::vector<std::pair<std::string, std::string>> parameters;
    std::vector<double> metrics;                  // in the order of metric_names
    std::string command;                          // reproduces the point
    std::optional<estimate::Timing> timing = {};  // of points of the front
  };
  // Lists values of a parameter that were refused, with the reason for the first one.
  struct Refused {
    std::string parameter;
    std::vector<std::string> values;
    std::string reason;
  };
  // Describes an excluded point one step of a parameter beside the front. It has no metrics if it cannot be built.
  struct Neighbour {
    std::size_t member = 0;  // index of a point of the front
    std::string parameter;
    Point point;
    std::vector<std::string> reasons;
  };
  struct Failure {
    std::string point, reason;
  };
  Tool tool;
  std::string space, method;
  Named config, network;
  std::string device;
  std::uint64_t seed = 1;
  bool proven = false, stopped = false;
  std::vector<std::string> metric_names;
  std::vector<std::string> objectives;
  double raw_points = 0, points = 0, cannot_meet = 0, cannot_win = 0;
  double tolerance_percent = 0;
  bool allow_slack = false;
  std::int64_t evaluated = 0, feasible = 0, infeasible = 0, misfits = 0, from_store = 0, layers_simulated = 0;
  std::vector<Point> front;
  std::vector<Refused> refused;
  std::vector<Failure> failures;
  std::optional<std::vector<Neighbour>> neighbours;  // none: they were not evaluated
  std::size_t unknown_neighbours = 0;                // neighbours that were not evaluated

  double metric(const Point& point, const std::string& name) const;
};

// Formats the report for people; the first line is the answer.
std::string text(const Exploration& exploration);
// Writes JSON, schema version 1.
std::string json(const Exploration& exploration);
// Writes one row for each point of the front.
std::string csv(const Exploration& exploration);

}  // namespace fansim::report
