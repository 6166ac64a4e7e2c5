// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "explore/methods.h"
#include "explore/moves.h"

namespace fansim::explore {
namespace {

using Individuals = std::vector<const Scored*>;

// A feasible individual wins against an infeasible one. Between two infeasible ones the smaller violation wins, between
// two feasible ones the one that dominates.
bool constrained_dominates(const Scored& a, const Scored& b) {
  if (a.feasible() != b.feasible()) return a.feasible();
  if (!a.feasible()) return a.violation < b.violation;
  return dominates(a.goals, b.goals);
}

struct Ranked {
  const Scored* individual;
  int rank = 0;
  double crowding = 0;
  bool better_than(const Ranked& other) const {
    return rank != other.rank ? rank < other.rank : crowding > other.crowding;
  }
};

// Adds up the distances between each individual's neighbours over all goals. The first and the last individual of a
// goal are at an infinite distance.
void measure_crowding(std::vector<Ranked>& front) {
  const std::size_t goals = front.front().individual->goals.size();
  for (std::size_t g = 0; g < goals; ++g) {
    const auto goal = [g](const Ranked& r) { return r.individual->goals[g]; };
    std::stable_sort(front.begin(), front.end(), [&](const Ranked& a, const Ranked& b) { return goal(a) < goal(b); });
    const double span = goal(front.back()) - goal(front.front());
    front.front().crowding = front.back().crowding = Interval::kInfinity;
    for (std::size_t i = 1; i + 1 < front.size() && span > 0; ++i)
      front[i].crowding += (goal(front[i + 1]) - goal(front[i - 1])) / span;
  }
}

// Selects the best `size` individuals: front after front, and within a front the less crowded ones first.
std::vector<Ranked> select(const Individuals& individuals, std::size_t size) {
  std::vector<std::size_t> left(individuals.size());
  std::iota(left.begin(), left.end(), 0);
  std::vector<Ranked> chosen;
  for (int rank = 0; !left.empty() && chosen.size() < size; ++rank) {
    std::vector<Ranked> front;
    std::vector<std::size_t> rest;
    for (const std::size_t i : left) {
      const bool beaten = std::any_of(left.begin(), left.end(), [&](std::size_t j) {
        return constrained_dominates(*individuals[j], *individuals[i]);
      });
      if (beaten) {
        rest.push_back(i);
      } else {
        front.push_back({individuals[i], rank, 0});
      }
    }
    measure_crowding(front);
    std::stable_sort(front.begin(), front.end(),
                     [](const Ranked& a, const Ranked& b) { return a.crowding > b.crowding; });
    chosen.insert(chosen.end(), front.begin(), front.end());
    left = std::move(rest);
  }
  chosen.resize(std::min(size, chosen.size()));
  return chosen;
}

class Breeder {
 public:
  explicit Breeder(Search& search)
      : moves_(search.space), crossover_(search.space.search.crossover), random_(search.options.seed, "nsga2") {}

  Point anything() { return moves_.anywhere(random_); }
  Point child(const std::vector<Ranked>& parents) {
    Point point = winner(parents).point;
    const Point& other = winner(parents).point;
    if (moves_.fraction(random_) < crossover_) {
      for (std::size_t i = 0; i < point.size(); ++i)
        if (random_.chance(50)) point[i] = other[i];
    }
    return moves_.mutated(point, random_);
  }

 private:
  const Scored& winner(const std::vector<Ranked>& parents) {
    const Ranked& a = one_of(parents);
    const Ranked& b = one_of(parents);
    return b.better_than(a) ? *b.individual : *a.individual;
  }
  const Ranked& one_of(const std::vector<Ranked>& parents) {
    return parents[static_cast<std::size_t>(random_.uniform(0, static_cast<int>(parents.size()) - 1))];
  }

  Moves moves_;
  const double crossover_;
  base::Random random_;
};

}  // namespace

void nsga2(Search& search) {
  const SearchConfig& config = search.space.search;
  const auto size = static_cast<std::size_t>(config.population);
  Breeder breeder(search);
  std::vector<Point> points(size);
  for (Point& point : points) point = breeder.anything();
  std::vector<Ranked> parents = select(search.scorer.score(points), size);
  for (int generation = 0; generation < config.generations; ++generation) {
    for (Point& point : points) point = breeder.child(parents);
    Individuals all;
    for (const Ranked& parent : parents) all.push_back(parent.individual);
    for (const Scored* child : search.scorer.score(points)) all.push_back(child);
    std::stable_sort(all.begin(), all.end(), [](const Scored* a, const Scored* b) { return a->point < b->point; });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    parents = select(all, size);
    search.progress((generation + 1.0) / config.generations);
  }
}

}  // namespace fansim::explore
