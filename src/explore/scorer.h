// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <map>
#include <vector>

#include "base/workers.h"
#include "explore/search.h"

namespace fansim::explore {

// Is thrown when work is abandoned because SearchOptions::stop_requested says so.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

// Rates an outcome by the space's objectives and constraints.
Scored scored(const Space& space, const Point& point, Outcome outcome);

// Evaluates points on all workers, each point once, and keeps the front.
class Scorer {
 public:
  Scorer(const Space& space, const Model& model, const base::Workers& workers, const SearchOptions& options)
      : space_(space), model_(model), workers_(workers), options_(options) {}

  // Returns the results in the order of `points`; the pointers stay valid. Throws Stopped.
  std::vector<const Scored*> score(const std::vector<Point>& points);
  // Serves a search that never visits a point twice: it keeps only the front, the failures and the counts. Throws
  // Stopped.
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
  std::map<Point, Scored> all_;  // filled by score() only
  Front front_;
  std::vector<Scored> failures_;
  Counts counts_;  // counts of the evaluated points
};

}  // namespace fansim::explore
