// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explore/methods.h"
#include "explore/moves.h"

namespace fansim::explore {
namespace {

// Holds the state of one walk through the space: where it stands, its weights and its random numbers.
class Walk {
 public:
  Walk(const Search& search, int number)
      : moves_(search.space), random_(search.options.seed, fmt::format("annealing {}", number)) {
    double sum = 0;
    for (std::size_t i = 0; i < search.space.objectives.size(); ++i) {
      weights_.push_back(Moves::fraction(random_) + 1e-3);
      sum += weights_.back();
    }
    for (double& weight : weights_) weight /= sum;
  }

  Point start() { return moves_.anywhere(random_); }
  Point proposal() { return moves_.neighbour(at_->point, random_); }
  void stand(const Scored* place) { at_ = place; }
  void consider(const Scored* place, double temperature) {
    const double worse = worsening(*at_, *place);
    const double draw = Moves::fraction(random_);
    if (worse <= 0 || draw < std::exp(-worse / temperature)) at_ = place;
  }

 private:
  // Returns by how much `to` is worse than `from`: relative to the goals of `from`, plus a penalty for broken
  // constraints.
  double worsening(const Scored& from, const Scored& to) const {
    if (!std::isfinite(to.violation)) return std::isfinite(from.violation) ? Interval::kInfinity : 0;
    if (!std::isfinite(from.violation)) return -1;
    double worse = kViolationWeight * (to.violation - from.violation);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double scale = std::max(std::abs(from.goals[i]), 1e-9);
      worse += weights_[i] * (to.goals[i] - from.goals[i]) / scale;
    }
    return worse;
  }

  static constexpr double kViolationWeight = 10;

  Moves moves_;
  base::Random random_;
  std::vector<double> weights_;
  const Scored* at_ = nullptr;
};

}  // namespace

void annealing(Search& search) {
  const SearchConfig& config = search.space.search;
  std::vector<Walk> walks;
  const auto [index, of] = search.options.share;
  for (int i = index; i < config.chains; i += of) walks.emplace_back(search, i);
  std::vector<Point> points;
  for (Walk& walk : walks) points.push_back(walk.start());
  std::vector<const Scored*> places = search.scorer.score(points);
  for (std::size_t i = 0; i < walks.size(); ++i) walks[i].stand(places[i]);
  double temperature = config.first_temperature;
  for (int step = 0; step < config.steps; ++step, temperature *= config.cooling) {
    for (std::size_t i = 0; i < walks.size(); ++i) points[i] = walks[i].proposal();
    places = search.scorer.score(points);
    for (std::size_t i = 0; i < walks.size(); ++i) walks[i].consider(places[i], temperature);
    search.progress((step + 1.0) / config.steps);
  }
}

}  // namespace fansim::explore
