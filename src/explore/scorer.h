// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <map>
#include <vector>

#include "base/work/workers.h"
#include "explore/search.h"

namespace fansim::explore {

// Thrown where work is given up because SearchOptions::stop_requested says so.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

// What an outcome is worth by the space's objectives and constraints.
Scored scored(const Space& space, const Point& point, Outcome outcome);

// Evaluates points, each once, on all workers, and keeps the front.
class Scorer {
 public:
  Scorer(const Space& space, const Model& model, const base::Workers& workers, const SearchOptions& options)
      : space_(space), model_(model), workers_(workers), options_(options) {}

  // In the order of `points`; the pointers stay valid. Throws Stopped.
  std::vector<const Scored*> score(const std::vector<Point>& points);
  // Of a search that comes to no point twice: nothing is remembered but the front, the failures and their number.
  void pass(std::vector<Point> points);

  const Front& front() const { return front_; }
  void add_counts(Counts& counts) const;
  const std::vector<Scored>& failures() const { return failures_; }

 private:
  std::vector<Scored> evaluated(std::vector<Point>& points);
  void note(const Scored& scored);
  Outcome outcome(const Point& point, bool& from_store) const;
  Outcome evaluate(const Point& point) const;

  const Space& space_;
  const Model& model_;
  const base::Workers& workers_;
  const SearchOptions& options_;
  std::map<Point, Scored> all_;  // of score()
  Front front_;
  std::vector<Scored> failures_;
  Counts counts_;  // of those evaluated
};

}  // namespace fansim::explore
