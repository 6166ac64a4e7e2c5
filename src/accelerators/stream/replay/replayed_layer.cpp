// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/replay/replayed_layer.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace fansim::stream {

ReplayedLayer::ReplayedLayer(const Config& config, const HostTrace& trace, bool buckets, ReplayTables tables)
    : StreamLayer(config, trace, buckets,
                  std::make_unique<ReplayedCore>(config.array, trace, buckets, std::move(tables.jobs)),
                  std::make_unique<ReplayedDataPath>(config, buckets, std::move(tables.transfers))),
      replayed_core_(static_cast<ReplayedCore&>(*core_)),
      replayed_data_(static_cast<ReplayedDataPath&>(*data_)) {}

// The round as it would be on a quiet machine. `read` says when a transfer is streamed, by the edge at which LENGTH is
// written, its address and its bytes. None: a tile would leave, or the round's job has no outcome yet.
template <class Read>
std::optional<ReplayedLayer::QuietRound> ReplayedLayer::quiet_round(const Act* acts, const Round& round,
                                                                    std::uint32_t time, Read&& read) const {
  QuietRound quiet;
  timing::Edge now = now_;
  for (const Act* act = acts; act != acts + round.acts; ++act) {
    now += timing::Edge{act->works} + act->prepares;
    if (act->kind == Act::Kind::wait_output || (act->kind == Act::Kind::job && quiet.outcome != nullptr)) return {};
    if (act->kind == Act::Kind::job) {
      quiet.outcome = replayed_core_.outcome(act->command);
      if (quiet.outcome == nullptr || quiet.outcome->tile != timing::kNever) return {};
      quiet.job = &trace_.commands[act->command];
      quiet.start = last_act(now) + 1;
    } else if (act->kind == Act::Kind::transfer) {
      now = polled(now, read(last_act(now), act->address + time * act->step, act->bytes));
      quiet.bytes += act->bytes;
    }
  }
  if (quiet.outcome == nullptr) return {};
  quiet.end = std::max(now, quiet.start + quiet.outcome->finished + 1) + host_.interrupt;
  return quiet;
}

// The times that a round comes from `time` on, as many as begin at quiet. All those that no refresh meets do the same;
// of one that a refresh meets only the reads must be followed.
std::uint32_t ReplayedLayer::replay_rounds(const Act* acts, const Round& round, std::uint32_t time) {
  if (account_.kept() || !replayed_data_.quiet()) return 0;
  reads_.clear();
  const auto alone =
      quiet_round(acts, round, time, [&](timing::Edge written, std::uint32_t address, std::uint32_t bytes) {
        reads_.push_back(replayed_data_.alone(written, address, bytes));
        return replayed_data_.streamed(reads_.back(), address, bytes);
      });
  if (!alone) return 0;
  const std::uint32_t most = round.alike ? round.times - time : 1;
  const timing::Edge begin = now_, period = alone->end - begin;
  std::uint32_t done = 0;
  while (done < most && replayed_core_.repeats(*alone->outcome, alone->start + now_ - begin, period)) {
    const timing::Edge before = now_;
    const std::int64_t times = replayed_data_.repeat(reads_, period, std::int64_t{most} - done);
    if (times > 0) {
      take(*alone, before - begin + (times - 1) * period, times);
    } else {
      take(*quiet_round(acts, round, time + done,
                        [&](timing::Edge written, std::uint32_t address, std::uint32_t bytes) {
                          return replayed_data_.read_quiet(written, address, bytes);
                        }),
           0, 1);
    }
    done += static_cast<std::uint32_t>(std::max(times, std::int64_t{1}));
    for (timing::Span& read : reads_) {
      read.from += now_ - before;
      read.to += now_ - before;
    }
  }
  return done;
}

// Takes so many rounds, the last of them `by` edges later than `round`.
void ReplayedLayer::take(const QuietRound& round, timing::Edge by, std::int64_t times) {
  finished_ = replayed_core_.replay(*round.outcome, *round.job, round.start + by).finished;
  now_ = round.end + by;
  bytes_read_ += times * round.bytes;
}

}  // namespace fansim::stream
