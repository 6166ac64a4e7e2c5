// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "program.h"

namespace fansim::timeline_test {

using nlohmann::json;
using test::config;
using test::model;
using test::Outcome;
using test::run_program;

namespace {

struct Followed {
  json timeline, report;
};

Followed follow(const char* machine, const char* network, const std::vector<std::string>& options = {}) {
  const test::ScratchDirectory folder;
  std::vector<std::string> arguments{"run",        config(machine),   model(network), "--timing-only",
                                     "--timeline", folder / "t.json", "--json",       folder / "r.json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome outcome = run_program(arguments);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return {json::parse(base::read_file(folder / "t.json")), json::parse(base::read_file(folder / "r.json"))};
}

struct Slice {
  std::string name;
  double begin = 0, end = 0;  // microseconds
  std::int64_t edges = 0;
};

// Checks what Chrome's format requires: a phase, a process and a time for every event, a name for every thread, and
// slices of a thread that do not overlap. It holds the slices by thread name, and the counters summed by their names.
struct Read {
  std::map<std::string, std::vector<Slice>> slices;
  std::map<std::string, std::vector<double>> counters;

  explicit Read(const json& timeline) {
    std::map<int, std::string> threads;
    for (const json& event : timeline.at("traceEvents")) {
      const std::string phase = event.at("ph");
      CHECK(event.at("pid").is_number_integer());
      CHECK(event.at("name").is_string());
      if (phase == "M") {
        if (event.at("name") == "thread_name") threads[event.at("tid")] = event.at("args").at("name");
        continue;
      }
      CHECK(event.at("ts").get<double>() >= 0);
      if (phase == "C") {
        REQUIRE(event.at("args").size() == 1);
        counters[event.at("name")].push_back(event.at("args").begin()->get<double>());
        continue;
      }
      REQUIRE(phase == "X");
      REQUIRE(threads.count(event.at("tid")) == 1);
      std::vector<Slice>& thread = slices[threads.at(event.at("tid"))];
      const double begin = event.at("ts"), duration = event.at("dur");
      CHECK(duration > 0);
      if (!thread.empty()) CHECK(begin >= thread.back().end);
      thread.push_back({event.at("name"), begin, begin + duration, event.at("args").at("edges")});
    }
  }
};

std::string refusal(const std::vector<std::string>& options) {
  const test::ScratchDirectory folder;
  std::vector<std::string> arguments{"run", config("tiny_stream"), model("tiny_conv")};
  for (const std::string& option : options) arguments.push_back(option == "F" ? folder / "t.json" : option);
  const Outcome outcome = run_program(arguments);
  CHECK(outcome.code == 2);
  CHECK(test::files_in(folder.path()).empty());
  return outcome.err;
}

}  // namespace

TEST_CASE("a timeline has the same bytes every time to its last count") {
  const test::ScratchDirectory folder;
  std::string first;
  for (const char* name : {"a.json", "b.json", "c.json"}) {
    REQUIRE(run_program({"run", "tiny_stream", "tiny_conv", "--timeline", folder / name}).code == 0);
    const std::string content = base::read_file(folder / name);
    if (first.empty()) first = content;
    CHECK(content == first);
  }
  // The timeline shows the machine as it was: no counter counts more in its last microseconds than in all the time
  // before.
  const Read read(json::parse(first));
  for (const auto& [name, counts] : read.counters) {
    CAPTURE(name);
    CHECK(counts.back() < 1000);
  }
}

TEST_CASE("a timeline's buckets are the report's on every machine in its layers' time") {
  const std::pair<const char*, const char*> machines[] = {{"tiny_stream", "tiny_conv"},
                                                          {"faq_zcu102_dorefa8", "lenet5"},
                                                          {"vision_zcu102", "pipelines/edge"},
                                                          {"float_trainer", "digits"},
                                                          {"tiny_decoupled", "tiny_conv"}};
  for (const auto& [machine, network] : machines) {
    CAPTURE(machine);
    const Followed followed = follow(machine, network);
    const Read read(followed.timeline);
    std::map<std::string, std::int64_t> counted, reported, layers, cycles;
    for (const Slice& slice : read.slices.at("bucket")) counted[slice.name] += slice.edges;
    for (const Slice& slice : read.slices.at("layer")) layers[slice.name] += slice.edges;
    for (const json& layer : followed.report.at("layers")) {
      if (layer.at("cycles") > 0) cycles[layer.at("name")] = layer.at("cycles");
      for (const auto& [bucket, count] : layer.at("buckets").items())
        if (count > 0) reported[bucket] += count.get<std::int64_t>();
    }
    if (followed.timeline.at("otherData").at("edges_put_together") == 1) {
      CHECK(counted == reported);
      CHECK(layers == cycles);
    }
    CHECK(read.slices.count("top.host.step") == 1);
    CHECK(followed.timeline.at("traceEvents").size() < 100'000);
  }
}

TEST_CASE("a timeline shows DMA channels and memory and buffer halves and sequencer and array and counts every byte") {
  const Followed followed = follow("tiny_stream", "tiny_conv");
  const Read read(followed.timeline);
  for (const char* track : {"top.dma.mm2s.state", "top.dma.s2mm.state", "top.ddr.reads", "top.ddr.writes",
                            "top.ddr.read_wait", "top.input_buffer.half0_claimed", "top.weight_buffer.half1_claimed",
                            "top.sequencer.state", "top.array.state", "top.writer.state"}) {
    CAPTURE(track);
    CHECK(read.slices.count(track) == 1);
  }
  double bytes = 0, step = 0;
  std::vector<double> at;
  for (const json& event : followed.timeline.at("traceEvents"))
    if (event.at("name") == "top.dma.mm2s.bytes") at.push_back(event.at("ts"));
  REQUIRE(at.size() > 2);
  step = at[1] - at[0];
  for (const double rate : read.counters.at("top.dma.mm2s.bytes")) bytes += rate * step * 1000;  // GB/s
  CHECK(bytes == Approx(followed.report.at("total").at("bytes_read").get<double>()));
}

TEST_CASE("spans touch in a viewer's nanoseconds and doubles at any clock and idle ones are there") {
  const auto nanoseconds = [](double us) { return static_cast<std::int64_t>(std::floor(us * 1000 + 0.5)); };
  for (const char* clock : {"300", "250", "1000/3", "123.7"}) {
    CAPTURE(clock);
    const Followed followed =
        follow("zcu102_stream", "lenet5", {"--allow-slack", "--set", std::string("clock_mhz=") + clock});
    std::map<int, std::vector<std::pair<double, double>>> threads;  // begin and duration
    int idle = 0, overlaps = 0;
    for (const json& event : followed.timeline.at("traceEvents")) {
      if (event.at("ph") != "X") continue;
      threads[event.at("tid")].emplace_back(event.at("ts"), event.at("dur"));
      idle += event.at("name") == "idle";
    }
    for (const auto& [thread, spans] : threads)
      for (std::size_t i = 0; i + 1 < spans.size(); ++i) {
        const auto& [begin, duration] = spans[i];
        const double first = spans.front().first, next = spans[i + 1].first;
        overlaps += (begin - first) + duration > next - first || begin + duration > next ||
                    nanoseconds(begin) + nanoseconds(duration) > nanoseconds(next);
        CHECK(std::abs(begin * 1000 - std::round(begin * 1000)) < 1e-6);
      }
    CHECK(overlaps == 0);
    CHECK(idle > 0);
  }
}

TEST_CASE("a buffer's occupancy over time is what its halves were claimed") {
  const Followed followed = follow("tiny_stream", "tiny_conv");
  REQUIRE(followed.timeline.at("otherData").at("edges_put_together") == 1);
  const double mhz = followed.timeline.at("otherData").at("clock_mhz");
  const Read read(followed.timeline);
  double end = 0;
  for (const auto& [name, slices] : read.slices) end = std::max(end, slices.back().end);
  for (const std::string buffer : {"top.input_buffer", "top.weight_buffer", "top.output_buffer"}) {
    CAPTURE(buffer);
    double claimed = 0, shown = 0;
    for (const char* half : {".half0_claimed", ".half1_claimed", ".resident_claimed"})
      if (const auto found = read.slices.find(buffer + half); found != read.slices.end())
        for (const Slice& slice : found->second) claimed += static_cast<double>(slice.edges);
    std::vector<double> at;
    for (const json& event : followed.timeline.at("traceEvents"))
      if (event.at("name") == buffer + ".occupancy") at.push_back(event.at("ts"));
    at.push_back(end);
    const std::vector<double>& halves = read.counters.at(buffer + ".occupancy");
    for (std::size_t i = 0; i < halves.size(); ++i) {
      CHECK((halves[i] >= 0 && halves[i] <= 3));
      shown += halves[i] * (at[i + 1] - at[i]) * mhz;
    }
    CHECK(claimed > 0);
    CHECK(shown == Approx(claimed));
  }
}

TEST_CASE("a timeline of a layer and of a window of it has that alone") {
  const auto layer = Read(follow("tiny_stream", "tiny_conv", {"--timeline-layer", "conv3"}).timeline).slices;
  REQUIRE_FALSE(layer.at("layer").empty());
  CHECK(layer.at("layer").front().name == "conv3");
  const auto window =
      Read(follow("tiny_stream", "tiny_conv", {"--timeline-layer", "conv3", "--timeline-window", "100:150"}).timeline)
          .slices.at("layer");
  REQUIRE(window.size() == 1);
  CHECK(window.front().edges == 50);
  CHECK(window.front().begin > layer.at("layer").front().begin);
}

TEST_CASE("a timeline that would be empty or of no clocked run is refused before it") {
  CHECK_THAT(refusal({"--timeline", "F", "--timeline-layer", "conv7"}), Catch::Contains("did you mean 'conv"));
  CHECK_THAT(refusal({"--timeline", "F", "--timeline-window", "25453:25454"}), Catch::Contains("would record nothing"));
  CHECK_THAT(refusal({"--timeline", "F", "--engine", "fast"}), Catch::Contains("follows the clocked engine"));
  CHECK_THAT(refusal({"--timeline-layer", "conv1"}), Catch::Contains("--timeline-layer needs --timeline"));
}

}  // namespace fansim::timeline_test
