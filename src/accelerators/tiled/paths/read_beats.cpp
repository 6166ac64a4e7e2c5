// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/read_beats.h"

#include <algorithm>

namespace fansim::tiled {

timing::Edge ReadBeats::decode(const Decoding& run, timing::Edge pushed) {
  scattered_ = run.scattered;
  per_beat_ = run.per_beat;
  at_.values_left = run.values, at_.skip = run.skip;
  return at_.decode_from = std::max(pushed + 1, at_.decoded.last + 1);
}

void ReadBeats::pass(int beats, timing::Edge from, Burst& burst) {
  Stages at = at_;
  for (int k = 0; k < beats; ++k) {
    at.sent = std::max({from + k, at.sent + 1, at.returned.room()});
    at.returned.add(std::max({at.sent + 1, at.returned.last + 1, at.geared.room()}));
    if (config_.up())
      spread(at, burst);
    else if (gather(at, burst) && at.sent == from + k)
      k += skip(at, beats - k - 1, burst);
  }
  at_ = at;
}

// One beat of the port makes several of the manager.
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

// Several beats of the port make one of the manager; true if this was the last of them.
inline bool ReadBeats::gather(Stages& at, Burst& burst) {
  at.geared.add(std::max({at.returned.last + 1, at.geared.last + 1, at.lanes == 0 ? at.narrow : timing::kLongAgo}));
  at.lanes += config_.port_bytes;
  if (at.lanes < config_.manager_bytes) return false;
  at.lanes = 0;
  --burst.beats;
  narrow(at, std::max(at.geared.last + 1, at.written.room()));
  return true;
}

// A beat of the manager's width, which leaves the width converter at `sent`, through clock crossing and reader.
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

// Where the manager takes beats as fast as they come, none ever waits, and none has to be looked at. Of the `beats`
// that follow one per edge, so many are left out; those before the end of a burst are not.
int ReadBeats::skip(Stages& at, int beats, Burst& burst) {
  if (!outruns_ || scattered_) return 0;
  const int ratio = config_.manager_bytes / config_.port_bytes;
  const int count = std::min(burst.beats, beats / ratio) - kLookedAt;
  if (count <= 0 || !unobstructed(at)) return 0;
  at.sent += count * ratio;
  for (timing::Pops* edges : {&at.returned, &at.geared, &at.written, &at.taken, &at.decoded}) *edges = {};
  at.narrow = at.crossed = timing::kLongAgo;
  places_.add_same(count, timing::kLongAgo);
  burst.beats -= count;
  return count * ratio;
}

// The last beat waited nowhere, and places of the crossing will be free when the next ones need them.
bool ReadBeats::unobstructed(const Stages& at) const {
  const timing::Edge written = at.written.last, ratio = config_.manager_bytes / config_.port_bytes;
  if (written != at.sent + 4 || at.crossed != config_.clocks.seen_by_fabric(written) ||
      at.decoded.last != at.crossed + 2)
    return false;
  for (int back = 0; back < config_.depth; ++back)
    if (places_[places_.count() - 1 - back] > written + ratio * (config_.depth - back)) return false;
  return true;
}

// The next beat is sent behind the last one, written into the crossing four edges later at the earliest, and then seen
// by the fabric. When the last one was decoded matters to the next run, too.
template <class Picture>
void ReadBeats::show(Picture& picture) {
  const timing::Edge sent = at_.sent;
  const bool any = picture.taken() && sent >= 0;
  const timing::Edge port = any ? sent : timing::kLongAgo;
  const timing::Edge fabric = any ? config_.clocks.seen_by_fabric(sent + 5) - 1 : timing::kLongAgo;
  picture.port(at_.sent);
  picture.port(at_.returned.before, port), picture.port(at_.returned.last, port);
  picture.port(at_.geared.before, port), picture.port(at_.geared.last, port);
  picture.number(at_.lanes);
  picture.port(at_.narrow, port);
  picture.port(at_.written.before, port), picture.port(at_.written.last, port);
  const std::int64_t places = picture.taken() ? places_.count() : 0;
  picture.port(places_, places - config_.depth, places, port);
  picture.fabric(at_.crossed, fabric);
  picture.fabric(at_.taken.before, fabric), picture.fabric(at_.taken.last, fabric);
  picture.fabric(at_.decoded.before, fabric), picture.fabric(at_.decoded.last);
  picture.fabric(at_.take_from, fabric), picture.fabric(at_.decode_from, fabric);
  picture.number(scattered_);
  if (!scattered_) return;
  picture.number(at_.values_left), picture.number(at_.skip), picture.number(per_beat_);
}

template void ReadBeats::show(TakenPicture&);
template void ReadBeats::show(PutBackPicture&);

}  // namespace fansim::tiled
