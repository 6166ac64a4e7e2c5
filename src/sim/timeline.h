// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "sim/module.h"
#include "sim/waveform.h"

namespace fansim::sim {

// What a design did over time. Everything that a waveform shows in words, and every claimed half of a buffer, is a
// track of spans of edges. Every counter of bytes and beats, and the number of claimed halves of every buffer, is a row
// of counts. The size is bounded: if there are too many spans, edges are merged, twice as many each time, and the word
// that most of them had counts for all.
class Timeline final : private Tracer {
 public:
  static constexpr std::size_t kMostSpans = 60'000, kMostCounts = 1'000;

  struct Span {
    Edge from = 0, to = 0;  // [from, to)
    std::size_t word = 0;
  };
  struct Track {
    std::string name;
    std::vector<std::string> words;
    std::vector<Span> spans;
  };
  // What was counted in each [from + i * step, from + (i + 1) * step). In the unit `claimed halves` it is the number of
  // edges of claimed halves.
  struct Count {
    std::string name, unit;
    std::vector<std::int64_t> counts;
  };

  explicit Timeline(WaveformWindow window) : window_(std::move(window)) {}

  WaveformWindow& window() { return window_; }
  bool looks(Edge edge) const { return edge >= window_.from && (window_.to == 0 || edge < window_.to); }
  // To be called before the first edge.
  void watch(std::vector<Watched> watched);
  // To be called after each edge for which looks() is true, in order.
  void sample(Edge edge, const std::vector<Module*>& modules);
  // To be called after the last edge, while the watched objects still exist.
  void finish();

  std::vector<Track> tracks() const;
  std::vector<Count> counts() const;
  Edge resolution() const { return resolution_; }  // edges that are merged into one
  Edge counts_from() const { return first_; }
  Edge counts_step() const { return step_; }
  Edge to() const { return last_ + 1; }  // end of the last step, which may be shorter
  bool empty() const { return first_ == 0; }

 private:
  struct Live {
    Track track;
    std::function<std::size_t()> at;
    std::vector<Edge> votes;  // by word, of the edges that are being merged
  };
  struct LiveCount {
    Count count;
    std::function<std::int64_t()> value;
    std::int64_t before;
  };
  // The halves of one buffer that are claimed, summed over the edges.
  struct Occupancy {
    std::string name;
    std::vector<const std::uint64_t*> claims;
    std::int64_t edges;
  };

  void wire(const std::string& name, const bool& value) override;
  void wire(const std::string& name, const std::uint64_t& value, int bits) override;
  void word(const std::string& name, const std::uint64_t& code, const std::vector<std::string>& words) override;

  void add(const std::string& name, const std::vector<std::string>& words, std::function<std::size_t()> at);
  void add_count(const std::string& name, const std::string& unit, std::function<std::int64_t()> value);
  void occupy(const std::string& name, const std::uint64_t& claimed);
  void collect(const std::vector<Module*>& modules);
  void count(Edge edge);
  void settle(Edge to);
  void coarsen();
  void coarsen_counts();

  WaveformWindow window_;
  std::deque<Live> live_;
  std::deque<LiveCount> counts_;
  std::deque<Occupancy> occupancies_;
  std::vector<RegBase*> registers_;
  Edge first_ = 0, last_ = 0;
  Edge begin_ = 0;  // first of the edges that are being merged
  Edge resolution_ = 1, step_ = 16;
  std::size_t spans_ = 0;
};

}  // namespace fansim::sim
