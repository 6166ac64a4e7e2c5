// SPDX-License-Identifier: Apache-2.0
#include "sim/timeline.h"

#include <catch2/catch.hpp>

namespace fansim::timeline_test {

using sim::Edge;
using sim::Timeline;

namespace {

struct Watching {
  Timeline timeline{{}};
  std::size_t fast = 0, slow = 0;

  Watching() {
    timeline.watch({{"fast", {"a", "b"}, [this] { return fast; }}, {"slow", {"x", "y", "z"}, [this] { return slow; }}});
  }
  // `fast` is a for one edge in four; `slow` gets another word every 1000 edges.
  void run(Edge from, Edge to) {
    for (Edge edge = from; edge < to; ++edge) {
      fast = edge % 4 == 0 ? 0 : 1;
      slow = static_cast<std::size_t>(edge / 1000 % 3);
      timeline.sample(edge, {});
    }
    timeline.finish();
  }
};

}  // namespace

TEST_CASE("a short timeline has every edge as it was") {
  Watching watching;
  watching.run(10, 19);
  const auto tracks = watching.timeline.tracks();
  REQUIRE(tracks.size() == 2);
  std::vector<std::tuple<Edge, Edge, std::size_t>> spans;
  for (const Timeline::Span& span : tracks[0].spans) spans.emplace_back(span.from, span.to, span.word);
  CHECK(spans == decltype(spans){{10, 12, 1}, {12, 13, 0}, {13, 16, 1}, {16, 17, 0}, {17, 19, 1}});
  CHECK(watching.timeline.resolution() == 1);
}

TEST_CASE("a long timeline is bounded: spans that are too short give way to what the edges around them mostly were") {
  Watching watching;
  constexpr Edge kEdges = 500'000;
  watching.run(1, kEdges + 1);
  std::size_t spans = 0;
  for (const Timeline::Track& track : watching.timeline.tracks()) {
    spans += track.spans.size();
    CHECK(track.spans.front().from == 1);
    CHECK(track.spans.back().to == kEdges + 1);
    for (std::size_t i = 1; i < track.spans.size(); ++i) CHECK(track.spans[i].from == track.spans[i - 1].to);
  }
  CHECK(spans <= Timeline::kMostSpans);
  CHECK(watching.timeline.resolution() == 4);
  // Every thousandth edge is the first of four: the slow track loses nothing.
  const Timeline::Track slow = watching.timeline.tracks()[1];
  for (const Timeline::Span& span : slow.spans) {
    CHECK((span.from == 1 || span.from % 1000 == 0));
    CHECK(span.word == static_cast<std::size_t>(span.from / 1000 % 3));
  }
}

}  // namespace fansim::timeline_test
