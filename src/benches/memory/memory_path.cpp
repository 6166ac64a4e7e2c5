// SPDX-License-Identifier: Apache-2.0
#include "benches/memory/memory_path.h"

#include "rules/clock_ratio.h"

namespace fansim::benches {
namespace {

std::vector<int> controller_ports(const PathConfig& config) {
  std::vector<int> ports;
  for (const BoardPort& port : config.ports) ports.push_back(port.controller_port);
  return ports;
}

}  // namespace

MemoryPath::MemoryPath(const PathConfig& config, const std::vector<Traffic>& traffic)
    : config_(config), controller_(config.front, config.memory, controller_ports(config)) {
  for (const Traffic& one : traffic)
    streams_.push_back({{one, config_.generator.outstanding, std::int64_t{one.port} * config_.generator.start_gap},
                        {config_, one.port, one.write}});
}

void MemoryPath::step_port(Stream& stream, Edge now) {
  Generator& generator = stream.generator;
  const Traffic& traffic = generator.traffic();
  if (traffic.write) {
    if (stream.side.response(now)) generator.complete(cycle_);
    if (stream.beats_due > 0 && stream.side.can_write_beat()) {
      stream.side.write_beat(now);
      --stream.beats_due;
    }
  } else {
    bool last = false;
    if (stream.side.read_beat(now, last) && last) generator.complete(cycle_);
  }
  if (generator.can_request(cycle_) && stream.side.can_request()) {
    stream.side.request(generator.request(cycle_), traffic.burst_bytes, now);
    if (traffic.write) stream.beats_due += traffic.burst_bytes / config_.beat_bytes();
  }
  generator.count_cycle();
}

void MemoryPath::run(std::int64_t cycles) {
  const rules::ClockRatio ratio(config_.memory.clock_mhz, config_.clock_mhz);
  for (; cycle_ < cycles; ++cycle_) {
    const Edge now = ratio.fast_at(cycle_);
    for (; clock_ <= now; clock_ += config_.front.memory_clocks) {
      for (Stream& stream : streams_) stream.side.step(controller_, clock_);
      controller_.step(clock_);
    }
    for (Stream& stream : streams_) step_port(stream, now);
  }
}

std::vector<GeneratorTotals> MemoryPath::totals() const {
  std::vector<GeneratorTotals> result;
  for (const Stream& stream : streams_) result.push_back(stream.generator.totals());
  return result;
}

}  // namespace fansim::benches
