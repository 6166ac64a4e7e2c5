// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/read_beats.h"

#include <algorithm>

#include "timing/replay/snapshot.h"

namespace fansim::tiled {

using timing::Clock;

timing::Edge ReadBeats::decode(const Decoding& run, timing::Edge pushed) {
  scattered_ = run.scattered;
  per_beat_ = run.per_beat;
  at_.values_left = run.values;
  at_.skip = run.skip;
  return at_.decode_from = std::max(pushed + 1, at_.decoded.last + 1);
}

void ReadBeats::pass(int beats, timing::Edge from, Burst& burst) {
  Stages at = at_;
  for (int k = 0; k < beats; ++k) {
    at.sent = std::max({from + k, at.sent + 1, at.returned.room()});
    at.returned.add(std::max({at.sent + 1, at.returned.last + 1, at.geared.room()}));
    if (config_.up())
      spread(at, burst);
    else if (gather(at, burst) && outruns_ && at.sent == from + k)
      k += skip(at, beats - k - 1, burst);
  }
  at_ = at;
}

// Spreads one beat of the port over several of the manager.
inline void ReadBeats::spread(Stages& at, Burst& burst) {
  at.geared.add(std::max({at.returned.last + 1, at.geared.last + 1, at.narrow}));
  timing::Edge earliest = at.geared.last + 1;
  const int count = std::min(burst.beats, (config_.port_bytes - burst.lane) / config_.manager_bytes);
  burst.lane = 0;
  burst.beats -= count;
  for (int i = 0; i < count; ++i) {
    narrow(at, std::max(earliest, at.written.room()));
    earliest = at.narrow + 1;
  }
}

// Gathers several beats of the port into one of the manager. Returns whether this was the last of them.
inline bool ReadBeats::gather(Stages& at, Burst& burst) {
  at.geared.add(std::max({at.returned.last + 1, at.geared.last + 1, at.lanes == 0 ? at.narrow : timing::kLongAgo}));
  at.lanes += config_.port_bytes;
  if (at.lanes < config_.manager_bytes) return false;
  at.lanes = 0;
  --burst.beats;
  narrow(at, std::max(at.geared.last + 1, at.written.room()));
  return true;
}

// A beat of the manager's width leaves the width converter at `sent` and passes clock crossing and reader.
inline void ReadBeats::narrow(Stages& at, timing::Edge sent) {
  at.narrow = sent;
  at.written.add(std::max({sent + 1, at.written.last + 1, places_[places_.count() - config_.depth]}));
  at.crossed = std::max({config_.clocks.seen_by_fabric(at.written.last), at.crossed + 1, at.taken.room()});
  places_.add(config_.clocks.seen_by_port(at.crossed));
  at.taken.add(std::max({at.crossed + 1, at.taken.last + 1, at.take_from, at.decoded.room()}));
  timing::Edge decoded = std::max({at.taken.last + 1, at.decoded.last + 1, at.decode_from});
  if (scattered_) {
    const int values = std::min(at.values_left, per_beat_ - at.skip);
    decoded += values - 1;
    at.values_left -= values;
    at.skip = 0;
  }
  at.decoded.add(decoded);
}

// The next beat is sent behind the last one, is written into the crossing at least four edges later, and is then seen
// by the fabric: edges before that do not matter. The next run also asks when the last beat was decoded.
template <class V>
void ReadBeats::visit(V& v) {
  const timing::Edge sent = at_.sent;
  v.edge(Clock::port, at_.sent);
  for (timing::Pops* pops : {&at_.returned, &at_.geared, &at_.written}) {
    v.edge(Clock::port, pops->before, sent);
    v.edge(Clock::port, pops->last, sent);
  }
  v.edge(Clock::port, at_.narrow, sent);
  v.number(at_.lanes);
  std::int64_t places = places_.count();
  v.counter(places);
  v.history(Clock::port, places_, places - config_.depth, places, sent);
  const timing::Edge crossed = sent < 0 ? timing::kLongAgo : config_.clocks.seen_by_fabric(sent + 5) - 1;
  v.edge(at_.crossed, crossed);
  v.edge(at_.taken.before, crossed);
  v.edge(at_.taken.last, crossed);
  v.edge(at_.decoded.before, crossed);
  v.edge(at_.decoded.last);
  v.edge(at_.take_from, crossed);
  v.edge(at_.decode_from, crossed);
  v.number(scattered_);
  if (!scattered_) return;
  v.number(at_.values_left);
  v.number(at_.skip);
  v.number(per_beat_);
}

template void ReadBeats::visit(timing::SnapshotWriter&);
template void ReadBeats::visit(timing::SnapshotReader&);

}  // namespace fansim::tiled
