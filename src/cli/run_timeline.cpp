// SPDX-License-Identifier: Apache-2.0
#include "cli/run_timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace fansim::cli {
namespace {

using nlohmann::json;

constexpr int kProcess = 1;

bool rests(const std::string& word) { return word == "idle" || word == "none" || word == "free" || word == "finished"; }

json named(const char* what, int thread, json value, const char* key = "name") {
  return {{"name", what}, {"ph", "M"}, {"pid", kProcess}, {"tid", thread}, {"args", {{key, std::move(value)}}}};
}

}  // namespace

std::string timeline_json(const sim::Timeline& timeline, const std::string& title, const base::Rational& clock_mhz) {
  const double mhz = clock_mhz.value();
  const auto microseconds = [mhz](sim::Edge edge) { return static_cast<double>(edge) / mhz; };
  json events = json::array();
  events.push_back(named("process_name", 0, title));
  int thread = 0;
  for (const sim::Timeline::Track& track : timeline.tracks()) {
    ++thread;
    events.push_back(named("thread_name", thread, track.name));
    events.push_back(named("thread_sort_index", thread, thread, "sort_index"));
    for (const sim::Timeline::Span& span : track.spans)
      if (!rests(track.words[span.word]))
        events.push_back({{"name", track.words[span.word]},
                          {"ph", "X"},
                          {"pid", kProcess},
                          {"tid", thread},
                          {"ts", microseconds(span.from)},
                          {"dur", microseconds(span.to - span.from)},
                          {"args", {{"from_edge", span.from}, {"edges", span.to - span.from}}}});
  }
  for (const sim::Timeline::Count& count : timeline.counts()) {
    const bool bytes = count.unit == "bytes", halves = count.unit == "claimed halves";
    sim::Edge at = timeline.counts_from();
    for (const std::int64_t counted : count.counts) {
      const sim::Edge edges = std::min(timeline.counts_step(), timeline.to() - at);
      // Bytes per nanosecond are GB/s. Claimed halves are averaged over the edges.
      const double of = bytes ? microseconds(edges) * 1000 : halves ? static_cast<double>(edges) : 1;
      events.push_back({{"name", count.name},
                        {"ph", "C"},
                        {"pid", kProcess},
                        {"ts", microseconds(at)},
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
