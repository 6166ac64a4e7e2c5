// SPDX-License-Identifier: Apache-2.0
#include "benches/memory/ddr_traffic.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <utility>

#include "base/units.h"
#include "benches/memory/transaction.h"
#include "rules/ddr_controller.h"

namespace fansim::benches {
namespace {

struct Stream {
  std::vector<int> bursts;  // indices, in order
  std::size_t current = 0;  // of `bursts`: the one whose accesses are being handed over
  std::int64_t handed = 0;  // of its accesses
  int in_flight = 0;
};

class ClosedLoop {
 public:
  ClosedLoop(const contract::DdrPart& part, const DdrDriver& driver, std::vector<DdrBurst>& bursts)
      : part_(part), driver_(driver), bursts_(bursts), unpicked_(bursts.size()), controller_(part) {
    std::map<int, Stream> by_number;
    for (std::size_t i = 0; i < bursts.size(); ++i) by_number[bursts[i].stream].bursts.push_back(static_cast<int>(i));
    stream_of_.resize(bursts.size());
    for (auto& [number, stream] : by_number) {
      for (const int index : stream.bursts) stream_of_[static_cast<std::size_t>(index)] = streams_.size();
      streams_.push_back(std::move(stream));
    }
    open_ = bursts.size();
  }

  DdrTotals run(const std::function<void(double)>& progress) {
    constexpr Edge kReport = 1 << 16;
    for (Edge edge = 1; open_ > 0; ++edge) {
      if (edge % kReport == 0) progress(1 - static_cast<double>(open_) / static_cast<double>(bursts_.size()));
      release(edge);
      hand_over(edge);
      for (rules::DdrPick pick = controller_.decide(edge); pick.found; pick = controller_.decide(edge)) take(pick);
    }
    const rules::BankedDdrState& s = controller_.state();
    return {s.row_hits + s.row_misses + s.row_conflicts,
            s.row_hits,
            s.row_misses,
            s.row_conflicts,
            s.refreshes,
            s.turnarounds};
  }

 private:
  std::int64_t accesses(const DdrBurst& burst) const {
    const auto size = static_cast<std::uint64_t>(part_.access_bytes());
    return static_cast<std::int64_t>((burst.address + static_cast<std::uint64_t>(burst.bytes) - 1) / size -
                                     burst.address / size + 1);
  }

  void release(Edge edge) {
    for (; !releases_.empty() && releases_.top().first <= edge; releases_.pop())
      --streams_[releases_.top().second].in_flight;
  }

  void hand_over(Edge edge) {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const std::size_t index = (turn_ + i) % streams_.size();
      const bool handed = hand_over(streams_[index], static_cast<int>(index), edge);
      const bool within = driver_.handover == DdrHandover::burst && streams_[index].handed > 0;
      if (handed) turn_ = within ? index : (index + 1) % streams_.size();
      if (handed || within) return;
    }
  }

  bool hand_over(Stream& stream, int port, Edge edge) {
    if (stream.current == stream.bursts.size()) return false;
    const int id = stream.bursts[stream.current];
    DdrBurst& burst = bursts_[static_cast<std::size_t>(id)];
    if (stream.handed == 0 && stream.in_flight == driver_.outstanding) return false;
    if (!controller_.can_push(burst.write)) return false;
    if (stream.handed == 0) {
      burst.issue = edge;
      unpicked_[static_cast<std::size_t>(id)] = accesses(burst);
      ++stream.in_flight;
    }
    const auto size = static_cast<std::uint64_t>(part_.access_bytes());
    const std::uint64_t address = (burst.address / size + static_cast<std::uint64_t>(stream.handed)) * size;
    controller_.push(burst.write, {edge, part_.mapping(address), port, id});
    if (++stream.handed < accesses(burst)) return true;
    ++stream.current;
    stream.handed = 0;
    if (burst.write && part_.posted_writes) releases_.emplace(edge + 1, stream_of_[static_cast<std::size_t>(id)]);
    return true;
  }

  void take(const rules::DdrPick& pick) {
    const auto index = static_cast<std::size_t>(pick.id);
    DdrBurst& burst = bursts_[index];
    burst.first = burst.last == 0 ? pick.data : std::min(burst.first, pick.data);
    burst.last = std::max(burst.last, pick.end);
    if (--unpicked_[index] > 0) return;
    --open_;
    if (!burst.write || !part_.posted_writes) releases_.emplace(burst.last + 1, stream_of_[index]);
  }

  using Release = std::pair<Edge, std::size_t>;

  const contract::DdrPart& part_;
  const DdrDriver driver_;
  std::vector<DdrBurst>& bursts_;
  std::vector<std::int64_t> unpicked_;
  std::vector<std::size_t> stream_of_;
  std::vector<Stream> streams_;
  std::priority_queue<Release, std::vector<Release>, std::greater<>> releases_;
  rules::DdrController controller_;
  std::size_t turn_ = 0;
  std::size_t open_ = 0;  // bursts with accesses not yet picked
};

}  // namespace

DdrTotals run_closed_loop(const contract::DdrPart& part, const DdrDriver& driver, std::vector<DdrBurst>& bursts,
                          const std::function<void(double)>& progress) {
  return ClosedLoop(part, driver, bursts).run(progress);
}

}  // namespace fansim::benches
