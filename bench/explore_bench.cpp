// SPDX-License-Identifier: Apache-2.0
// Measures the speed of exploration. It draws points of a space at random and scores them one after another on one
// thread, first with empty caches, then with the times of all their layers cached. It prints points per second of CPU
// time.
//   explore_bench [SPACE NETWORK [POINTS]]
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <systemc>

#include "accelerators/registry.h"
#include "base/error.h"
#include "base/random.h"
#include "cli/options/shipped.h"
#include "count.h"
#include "cpu_seconds.h"

using namespace fansim;

namespace {

using bench::cpu_seconds;

constexpr int kPoints = 8000, kMostPoints = 10'000'000;

std::vector<explore::Point> draw(const explore::Space& space, int count) {
  base::Random random(1);
  std::vector<explore::Point> points(static_cast<std::size_t>(count));
  for (explore::Point& point : points)
    for (const explore::Parameter& parameter : space.parameters)
      point.push_back(random.uniform(0, parameter.size() - 1));
  return points;
}

void measure(const accelerators::AcceleratorModel& model, const std::vector<explore::Point>& points, const char* how) {
  const std::int64_t before = model.simulated_layers();
  const double start = cpu_seconds();
  int scored = 0;
  for (const explore::Point& point : points)
    scored += model.evaluate(point).kind == explore::Outcome::Kind::scored ? 1 : 0;
  const double seconds = cpu_seconds() - start;
  fmt::print(
      "{}: {:.0f} simulated points per second of CPU ({} of {} points scheduled, {} layers simulated, {:.3f} s)\n", how,
      scored / seconds, scored, points.size(), model.simulated_layers() - before, seconds);
}

void score(const explore::Space& space, const std::string& network, const std::vector<explore::Point>& points) {
  const auto model = accelerators::read_accelerator(space.config, space.set)->model(space, network);
  measure(*model, points, "cold");
  measure(*model, points, "warm");
}

}  // namespace

// Replaces the main() of SystemC's library, which prints a banner.
int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char* argv[]) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::optional<int> count = words.size() == 3 ? bench::count_of(words[2], kMostPoints) : kPoints;
  if (words.size() == 1 || words.size() > 3 || !count) {
    const std::string problem = count ? "" : fmt::format(": POINTS is '{}'; allowed: 1..{}", words[2], kMostPoints);
    fmt::print(stderr, "explore_bench [SPACE NETWORK [POINTS]]{}\n", problem);
    return 2;
  }
  try {
    const explore::Space space = explore::load_space(cli::space_file(words.empty() ? "faq_alexnet_grid" : words[0]));
    score(space, cli::network_file(words.empty() ? "alexnet" : words[1]), draw(space, *count));
  } catch (const base::UserError& error) {
    fmt::print(stderr, "explore_bench: {}\n", error.what());
    return 2;
  }
  return 0;
}
