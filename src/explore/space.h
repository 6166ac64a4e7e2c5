// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "explore/expression.h"
#include "explore/metrics.h"
#include "explore/parameter.h"
#include "explore/point.h"

namespace fansim::explore {

// Holds a key of the configuration that is computed from the parameters.
struct Derived {
  std::string path;
  Expression expression;
  base::Location where;
};

struct Constraint {
  Expression expression;  // may use metrics, parameters and derived keys
  base::Location where;
};

struct Objective {
  Metric metric;
  bool maximise = false;
};

enum class Method { branch_and_bound, exhaustive, nsga2, annealing };
const char* name(Method method);

// Says how to search. The settings of other methods keep their defaults.
struct SearchConfig {
  Method method = Method::branch_and_bound;
  double tolerance_percent = 0;                    // branch_and_bound
  int population = 64, generations = 50;           // nsga2
  double crossover = 0.9;                          //
  int chains = 8, steps = 500;                     // annealing
  double first_temperature = 0.3, cooling = 0.99;  //

  template <class V>
  void visit(V&& v) {
    v.choice("method", method,
             {{Method::branch_and_bound, "branch_and_bound"},
              {Method::exhaustive, "exhaustive"},
              {Method::nsga2, "nsga2"},
              {Method::annealing, "annealing"}},
             "branch_and_bound and exhaustive prove their result; nsga2 and annealing are for larger spaces");
    v.field("tolerance_percent", tolerance_percent, 0.0, 50.0,
            "branch_and_bound: what is proved not to be better by more is left out");
    v.field("population", population, 4, 4096, "nsga2: points of a generation, even");
    v.field("generations", generations, 1, 1000000, "nsga2: generations after the first");
    v.field("crossover", crossover, 0.0, 1.0, "nsga2: share of the children that have two parents");
    v.field("chains", chains, 1, 1024, "annealing: independent walks");
    v.field("steps", steps, 1, 10000000, "annealing: moves of each walk");
    v.field("first_temperature", first_temperature, 1e-6, 1e6, "annealing: relative worsening accepted at first");
    v.field("cooling", cooling, 0.01, 1.0, "annealing: factor of the temperature from move to move");
  }
};

// Holds the content of a space file (docs/explore.md).
struct Space {
  std::string name;
  std::string config;            // path of the configuration that every point modifies
  std::vector<std::string> set;  // key.path=value pairs that are the same for every point
  std::vector<Parameter> parameters;
  std::vector<Derived> derived;
  std::vector<Constraint> constraints;
  bool allow_slack = false;  // points whose clock is above their Fmax are points like others
  std::vector<Objective> objectives;
  SearchConfig search;

  double raw_count() const;  // points before least_waste_of
  double count() const;
  Box whole() const;

  // Returns key.path=value for everything that a point sets.
  std::vector<std::string> overrides(const Point& point) const;
  // Returns "conv.tm=128 conv.tn=24": the parameters only.
  std::string text(const Point& point) const;
  // Returns "conv.tm=64..128 conv.tn=24".
  std::string text(const Box& box) const;
  // Return the values of metrics, parameters and derived keys, in the order in which constraints number them.
  std::vector<double> slots(const Point& point, const Metrics& metrics) const;
  std::vector<Interval> slots(const Box& box, const MetricRanges& metrics) const;
  Interval range(std::size_t parameter, const Box& box) const;

  // Returns the names of the slots, as constraints write them.
  Names names() const;

  // Returns parameters, derived keys and fixed settings as text. Two spaces with the same text give a point the same
  // configuration.
  std::string identity() const;
};

// Throws UserError with file, line and column.
Space load_space(const std::string& path);

// Adds the constraint fmax_mhz >= clock_mhz unless the space allows slack or has a constraint of its own that names
// both.
void demand_timing(Space& space);

}  // namespace fansim::explore
