// SPDX-License-Identifier: Apache-2.0
#include "cli/run_timeline.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace fansim::cli {
namespace {

using nlohmann::json;

constexpr int kProcess = 1;

// Returns whether a word says that there is nothing to show.
bool is_gap(const std::string& word) { return word == "none" || word == "free" || word == "finished"; }

// Times of edges in microseconds. Viewers round them to nanoseconds, so they are rounded here, down.
class Clock {
 public:
  explicit Clock(const base::Rational& mhz) : mhz_(mhz) {}

  double microseconds(sim::Edge edge) const {
    __extension__ using Wide = __int128;
    constexpr Wide kNanoseconds = 1000;
    return static_cast<double>(static_cast<std::int64_t>(kNanoseconds * edge * mhz_.denominator / mhz_.numerator)) /
           static_cast<double>(kNanoseconds);
  }
  // Returns how long a span lasts in a thread that begins at `first`. A viewer that adds this to the span's begin, or
  // to its begin after `first`, gets no more than the span's end in doubles.
  double duration(sim::Edge first, const sim::Timeline::Span& span) const {
    const double zero = microseconds(first), from = microseconds(span.from), to = microseconds(span.to);
    const auto over = [&](double duration) { return from + duration > to || (from - zero) + duration > to - zero; };
    double duration = std::round((to - from) * 1000) / 1000;
    if (over(duration)) duration = std::min(to - from, (to - zero) - (from - zero));
    while (over(duration)) duration = std::nextafter(duration, 0);
    return duration;
  }

 private:
  base::Rational mhz_;
};

json named(const char* what, int thread, json value, const char* key = "name") {
  return {{"name", what}, {"ph", "M"}, {"pid", kProcess}, {"tid", thread}, {"args", {{key, std::move(value)}}}};
}

}  // namespace

std::string timeline_json(const sim::Timeline& timeline, const std::string& title, const base::Rational& clock_mhz) {
  const double mhz = clock_mhz.value();
  const Clock clock(clock_mhz);
  json events = json::array();
  events.push_back(named("process_name", 0, title));
  int thread = 0;
  for (const sim::Timeline::Track& track : timeline.tracks()) {
    ++thread;
    events.push_back(named("thread_name", thread, track.name));
    events.push_back(named("thread_sort_index", thread, thread, "sort_index"));
    std::optional<sim::Edge> first;
    for (const sim::Timeline::Span& span : track.spans) {
      if (is_gap(track.words[span.word])) continue;
      if (!first) first = span.from;
      events.push_back({{"name", track.words[span.word]},
                        {"ph", "X"},
                        {"pid", kProcess},
                        {"tid", thread},
                        {"ts", clock.microseconds(span.from)},
                        {"dur", clock.duration(*first, span)},
                        {"args", {{"from_edge", span.from}, {"edges", span.to - span.from}}}});
    }
  }
  for (const sim::Timeline::Count& count : timeline.counts()) {
    const bool bytes = count.unit == "bytes", halves = count.unit == "claimed halves";
    sim::Edge at = timeline.counts_from();
    for (const std::int64_t counted : count.counts) {
      const sim::Edge edges = std::min(timeline.counts_step(), timeline.to() - at);
      // Bytes per nanosecond are GB/s. Claimed halves are averaged over the edges.
      const double of = bytes ? static_cast<double>(edges) / mhz * 1000 : halves ? static_cast<double>(edges) : 1;
      events.push_back({{"name", count.name},
                        {"ph", "C"},
                        {"pid", kProcess},
                        {"ts", clock.microseconds(at)},
                        {"args", {{bytes ? "GB/s" : count.unit, static_cast<double>(counted) / of}}}});
      at += edges;
    }
  }
  const json all = {{"traceEvents", std::move(events)},
                    {"displayTimeUnit", "ns"},
                    {"otherData", {{"clock_mhz", mhz}, {"edges_put_together", timeline.resolution()}}}};
  return all.dump() + "\n";
}

}  // namespace fansim::cli
