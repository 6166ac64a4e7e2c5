// SPDX-License-Identifier: Apache-2.0
#include "blocks/reload_controller.h"

#include "support/blocks.h"
#include "support/lut_kernel.h"

namespace fansim::reload_controller_test {

using blocks::Coefficients;
using blocks::ReloadBeat;
using blocks::ReloadController;

namespace {

constexpr std::uint64_t kSeed = 41;

using Controllers = test::Lanes<ReloadController, Coefficients, ReloadBeat>;

std::vector<Coefficients> random_sets(const contract::LutKernelConfig& config, int n, base::Random& random) {
  std::vector<Coefficients> sets;
  for (int i = 0; i < n; ++i) sets.push_back(test::random_coefficients(config, random));
  return sets;
}

// Checks the published stream, written as products: 15c, 14c, ... 0, then -1c, ... -8c, 7c, ... 0; odd bits first, then
// even ones.
void require_stream(const contract::LutKernelConfig& config, const std::vector<Coefficients>& sets,
                    const std::vector<ReloadBeat>& beats) {
  const int bits = config.format.coefficient_bits + 4;
  const std::uint32_t mask = (1u << bits) - 1;
  REQUIRE(beats.size() == 32 * sets.size());
  for (std::size_t k = 0; k < beats.size(); ++k) {
    const int step = static_cast<int>(k % 32), address = 15 - step % 16;
    for (std::size_t i = 0; i < static_cast<std::size_t>(config.format.inputs); ++i) {
      const int c = sets[k / 32].values[i];
      const auto word = [&](int factor) {
        return ((static_cast<std::uint32_t>(factor * c) ^ 1u << (bits - 1)) & mask) << (step < 16 ? 0 : 1);
      };
      REQUIRE(beats[k].lower[i] == word(address));
      REQUIRE(beats[k].top[i] == word(address < 8 ? address : address - 16));
    }
  }
}

}  // namespace

TEST_CASE("the reload controller sends 15c to 0 then -c to -8c and 7c to 0 with odd bits before even ones") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Controllers lanes(bench, &ReloadController::coefficients, &ReloadController::reload);
  const auto sizes = test::kernel_sizes();
  std::vector<std::vector<Coefficients>> sets;
  for (const auto& config : sizes) {
    sets.push_back(random_sets(config, 5, random));
    lanes.add(sets.back(), 160, {0, 0}, config);
  }
  lanes.run();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    INFO(test::text(sizes[i]));
    require_stream(sizes[i], sets[i], lanes[i].sink.items());
  }
}

TEST_CASE("the first bits leave one cycle after their coefficients and the last 32 cycles after: set upon set") {
  base::Random random(kSeed);
  test::Bench bench;
  Controllers lanes(bench, &ReloadController::coefficients, &ReloadController::reload);
  const contract::LutKernelConfig config = test::kernel_sizes()[0];
  lanes.add(random_sets(config, 5, random), 160, {0, 0}, config);
  lanes.run();
  CHECK(lanes[0].latency(0, 0) == 1);
  CHECK(test::back_to_back(lanes[0].sink.edges()));
}

TEST_CASE("random stalls change no bit of a reload and the controller's cycles add up") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Controllers lanes(bench, &ReloadController::coefficients, &ReloadController::reload);
  const contract::LutKernelConfig config = test::kernel_sizes()[1];
  std::vector<std::vector<Coefficients>> sets;
  for (const test::Stalls stalls : test::kStallGrid) {
    sets.push_back(random_sets(config, 6, random));
    lanes.add(sets.back(), 192, stalls, config);
  }
  lanes.run();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    require_stream(config, sets[i], lanes[i].sink.items());
    CHECK(test::count(lanes[i].block, "sets") == 6);
    CHECK(test::count(lanes[i].block, "beats") == lanes[i].out.pushes());
    const std::int64_t bubbles = lanes[i].account.edges - lanes[i].out.pushes() - test::count(lanes[i].block, "stalls");
    CHECK(bubbles >= 6);  // a set is popped at the edge before its first bit, or at that of the last bit before
  }
}

}  // namespace fansim::reload_controller_test
