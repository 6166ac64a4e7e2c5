// SPDX-License-Identifier: Apache-2.0
#include "sim/timeline.h"

#include <algorithm>

namespace fansim::sim {
namespace {

bool ends_in(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Appends a span. It is joined to the last one if the two touch and have the same word.
void append(std::vector<Timeline::Span>& spans, const Timeline::Span& span) {
  if (!spans.empty() && spans.back().to == span.from && spans.back().word == span.word)
    spans.back().to = span.to;
  else
    spans.push_back(span);
}

std::size_t most(const std::vector<Edge>& votes) {
  return static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

// Returns the track with `resolution` edges merged into one span of the word that most of them had.
std::vector<Timeline::Span> coarse(const Timeline::Track& track, Edge resolution) {
  std::vector<Timeline::Span> spans;
  std::vector<Edge> votes(track.words.size());
  Edge begin = 0, end = 0;  // the edges whose votes are counted
  const auto settle = [&] {
    if (end > begin) append(spans, {begin, end, most(votes)});
    std::fill(votes.begin(), votes.end(), 0);
    begin = end;
  };
  for (const Timeline::Span& span : track.spans)
    for (Edge from = span.from; from < span.to;) {
      if (from != end || from % resolution == 0) {
        settle();
        begin = from;
      }
      const Edge whole = from % resolution == 0 ? (span.to - from) / resolution * resolution : 0;
      end = whole > 0 ? from + whole : std::min(span.to, (from / resolution + 1) * resolution);
      votes[span.word] += end - from;
      from = end;
    }
  settle();
  return spans;
}

}  // namespace

void Timeline::watch(std::vector<Watched> watched) {
  for (Watched& one : watched) add(one.name, one.words, std::move(one.at));
}

void Timeline::add(const std::string& name, const std::vector<std::string>& words, std::function<std::size_t()> at) {
  live_.push_back({{name, words, {}}, std::move(at), std::vector<Edge>(words.size())});
}

void Timeline::wire(const std::string&, const bool&) {}

void Timeline::wire(const std::string& name, const std::uint64_t& value, int) {
  if (!ends_in(name, "_claimed")) return;
  add(name, {"free", "claimed"}, [&value] { return static_cast<std::size_t>(value); });
  occupy(name.substr(0, name.rfind('.')), value);
}

void Timeline::occupy(const std::string& name, const std::uint64_t& claimed) {
  if (occupancies_.empty() || occupancies_.back().name != name) {
    occupancies_.push_back({name, {}, 0});
    add_count(name + ".occupancy", "claimed halves", [&edges = occupancies_.back().edges] { return edges; });
  }
  occupancies_.back().claims.push_back(&claimed);
}

void Timeline::add_count(const std::string& name, const std::string& unit, std::function<std::int64_t()> value) {
  const std::int64_t before = value();
  counts_.push_back({{name, unit, {}}, std::move(value), before});
}

void Timeline::word(const std::string& name, const std::uint64_t& code, const std::vector<std::string>& words) {
  add(name, words, [&code] { return static_cast<std::size_t>(code); });
}

void Timeline::collect(const std::vector<Module*>& modules) {
  for (Module* module : modules) {
    for (RegBase* reg : module->registers()) {
      const std::size_t before = live_.size();
      reg->trace(*this);
      if (live_.size() > before) registers_.push_back(reg);
    }
    for (const Counter* counter : module->counters()) {
      const std::string name = counter->name, unit = counter->unit;
      const bool moves = unit == "bytes" || name == "read_beats" || name == "write_beats";
      if (!moves && name != "refreshes" && name != "row_misses") continue;
      add_count(std::string(module->name()) + "." + name, unit, [counter] { return counter->value(); });
      if (name != "read_beats" && name != "write_beats") continue;
      add(std::string(module->name()) + (name == "read_beats" ? ".reads" : ".writes"), {"idle", "beat"},
          [counter, before = counter->value()]() mutable {
            return std::size_t{std::exchange(before, counter->value()) != counter->value()};
          });
    }
  }
}

void Timeline::sample(Edge edge, const std::vector<Module*>& modules) {
  if (first_ == 0) {
    collect(modules);
    first_ = begin_ = edge;
  } else if (edge % resolution_ == 0) {
    settle(edge);
  }
  if ((edge - first_) % step_ == 0 && edge > first_) count(edge);
  for (RegBase* reg : registers_) reg->sample();
  for (Live& live : live_) ++live.votes[live.at()];
  for (Occupancy& one : occupancies_)
    for (const std::uint64_t* claimed : one.claims) one.edges += *claimed != 0;
  last_ = edge;
}

// Stores what was counted at the edges before this one.
void Timeline::count(Edge) {
  for (LiveCount& one : counts_) {
    const std::int64_t value = one.value();
    one.count.counts.push_back(value - one.before);
    one.before = value;
  }
  if (!counts_.empty() && counts_.front().count.counts.size() >= kMostCounts) coarsen_counts();
}

void Timeline::settle(Edge to) {
  if (to == begin_) return;
  spans_ = 0;
  for (Live& live : live_) {
    append(live.track.spans, {begin_, to, most(live.votes)});
    std::fill(live.votes.begin(), live.votes.end(), 0);
    spans_ += live.track.spans.size();
  }
  begin_ = to;
  while (spans_ > kMostSpans) coarsen();
}

void Timeline::coarsen() {
  resolution_ *= 2;
  spans_ = 0;
  for (Live& live : live_) {
    live.track.spans = coarse(live.track, resolution_);
    spans_ += live.track.spans.size();
  }
}

void Timeline::coarsen_counts() {
  step_ *= 2;
  for (LiveCount& one : counts_) {
    std::vector<std::int64_t>& counts = one.count.counts;
    for (std::size_t i = 0; i + 1 < counts.size(); i += 2) counts[i / 2] = counts[i] + counts[i + 1];
    counts.resize(counts.size() / 2);
  }
}

void Timeline::finish() {
  if (first_ > 0) {
    settle(last_ + 1);
    count(last_ + 1);
  }
}

std::vector<Timeline::Track> Timeline::tracks() const {
  std::vector<Track> tracks;
  for (const Live& live : live_) tracks.push_back(live.track);
  return tracks;
}

std::vector<Timeline::Count> Timeline::counts() const {
  std::vector<Count> counts;
  for (const LiveCount& one : counts_) counts.push_back(one.count);
  return counts;
}

}  // namespace fansim::sim
