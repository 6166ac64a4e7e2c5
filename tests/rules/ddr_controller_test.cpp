// SPDX-License-Identifier: Apache-2.0
// These tests compare the controller with pick() alone, called at every edge.
#include <catch2/catch.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "rules/ddr_bench.h"

namespace fansim::ddr_controller_test {

using test::ddr_part;
using Edge = std::int64_t;

namespace {

constexpr Edge kEdges = 20000;
using Picked = std::tuple<int, Edge, Edge, Edge, Edge, Edge, Edge, int>;

Picked summary(const rules::DdrPick& pick) {
  return {pick.id,        pick.edge,   pick.precharge, pick.activate,
          pick.row_ready, pick.column, pick.end,       static_cast<int>(pick.wait)};
}

// Consists of queues and pick(), nothing else.
class Plain {
 public:
  explicit Plain(const contract::DdrPart& part) : part_(part) { rules::quiesce(state, part_, 0); }

  void push(bool write, const rules::DdrRequest& request) { queues_[write].push_back(request); }
  void decide(Edge edge, std::vector<Picked>& picked) {
    const rules::DdrPick pick = rules::pick(state, part_, {queue(false), queue(true)}, edge);
    if (!pick.found) return;
    picked.push_back(summary(pick));
    queues_[pick.write].erase(queues_[pick.write].begin() + pick.index);
  }

  rules::BankedDdrState state;

 private:
  rules::DdrQueue queue(bool write) const { return {queues_[write].data(), static_cast<int>(queues_[write].size())}; }

  const contract::DdrPart part_;
  std::vector<rules::DdrRequest> queues_[2];
};

// Streams of reads, seldom broken off, and writes now and then.
struct Traffic {
  base::Random& random;
  const contract::DdrPart& part;
  int writes;  // per cent
  std::uint64_t read = 0, written = 1 << 24;

  rules::DdrRequest next(bool write, Edge edge, int id) {
    std::uint64_t& address = write ? written : read;
    address += 64;
    if (random.chance(2)) address = static_cast<std::uint64_t>(random.uniform(0, 1 << 16)) * 64;
    return {edge, part.mapping(address), 0, id};
  }
};

// Returns how many accesses were picked.
std::size_t compare(const contract::DdrPart& part, base::Random& random) {
  rules::DdrController controller(part);
  Plain plain(part);
  std::vector<Picked> first, second;
  Traffic traffic{random, part, random.chance(50) ? 0 : random.uniform(1, 10)};
  bool flows = true;
  for (Edge edge = 1, id = 0; edge < kEdges; ++edge) {
    if (random.chance(1)) flows = !flows;
    const bool write = random.chance(traffic.writes);
    if (controller.can_push(write) && random.chance(flows ? 60 : 5)) {
      const rules::DdrRequest request = traffic.next(write, edge, static_cast<int>(id++));
      controller.push(write, request);
      plain.push(write, request);
    }
    for (auto pick = controller.decide(edge); pick.found; pick = controller.decide(edge))
      first.push_back(summary(pick));
    plain.decide(edge, second);
  }
  REQUIRE((first == second));
  CHECK(controller.state().row_hits == plain.state.row_hits);
  CHECK(controller.state().row_conflicts == plain.state.row_conflicts);
  CHECK(controller.state().turnarounds == plain.state.turnarounds);
  return first.size();
}

}  // namespace

TEST_CASE("the controller decides as pick() does when asked at every edge") {
  std::size_t picked = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    picked += compare(
        ddr_part({std::string("mapping=") + (random.chance(50) ? "zcu102_rev_1_1" : "zcu102_rev_1_0"),
                  "trefi=" + std::to_string(random.uniform(1000, 8320)),
                  "trfc=" + std::to_string(random.chance(20) ? 0 : 276),
                  "read_queue=" + std::to_string(random.uniform(1, 40)),
                  "starvation_bound=" + std::to_string(random.uniform(16, 400)),
                  "tccd_l=" + std::to_string(random.uniform(6, 12)), "tccd_s=" + std::to_string(random.uniform(4, 6)),
                  "row_hit_limit=" + std::to_string(random.uniform(1, 8)),
                  std::string("page_policy=") + (random.chance(80) ? "open" : "adaptive")}),
        random);
  }
  CHECK(picked > 100'000);
}

}  // namespace fansim::ddr_controller_test
