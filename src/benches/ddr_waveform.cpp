// SPDX-License-Identifier: Apache-2.0
#include "benches/ddr_waveform.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/interrupt.h"
#include "waveforms/waveform_file.h"

namespace fansim::benches {
namespace {

constexpr int kAddressBits = 40, kBytesBits = 32, kCountBits = 16;

struct StreamWires {
  bool issue = false;  // for one edge: the burst below goes to the controller
  bool write = false;
  std::uint64_t address = 0, bytes = 0;
  std::uint64_t outstanding = 0;  // bursts that have not ended
  std::uint64_t state = 0;        // index in kStates
  int on_bus = 0;                 // how many of them
  bool writes_bus = false;

  void settle() { state = on_bus > 0 ? (writes_bus ? 3 : 2) : outstanding > 0 ? 1 : 0; }
};
const std::vector<std::string> kStates{"idle", "wait", "read_data", "write_data"};

enum class Kind { last, quiet, first, issue };  // the order within an edge

struct Event {
  std::int64_t edge;
  Kind kind;
  const DdrBurst* burst;
};

std::vector<Event> events_of(const std::vector<DdrBurst>& bursts) {
  std::vector<Event> events;
  for (const DdrBurst& burst : bursts) {
    events.push_back({burst.issue, Kind::issue, &burst});
    events.push_back({burst.issue + 1, Kind::quiet, &burst});
    events.push_back({burst.first, Kind::first, &burst});
    events.push_back({burst.last, Kind::last, &burst});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.edge != b.edge ? a.edge < b.edge : a.kind < b.kind; });
  return events;
}

void apply(const Event& event, StreamWires& wires) {
  const DdrBurst& burst = *event.burst;
  switch (event.kind) {
    case Kind::issue:
      wires.issue = true;
      wires.write = burst.write;
      wires.address = burst.address;
      wires.bytes = static_cast<std::uint64_t>(burst.bytes);
      ++wires.outstanding;
      break;
    case Kind::quiet:
      wires.issue = false;
      break;
    case Kind::first:
      ++wires.on_bus;
      wires.writes_bus = burst.write;
      break;
    case Kind::last:
      --wires.on_bus;
      --wires.outstanding;
      break;
  }
  wires.settle();
}

std::int64_t time_of(std::int64_t edge, const contract::DdrPart& part) {  // ps
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>(static_cast<Wide>(edge) * 1'000'000 * part.clock_mhz.denominator /
                                   part.clock_mhz.numerator);
}

void declare(const std::string& name, waveforms::WaveWriter& writer) {
  writer.declare(name + ".issue", 1);
  writer.declare(name + ".write", 1);
  writer.declare(name + ".address", kAddressBits);
  writer.declare(name + ".bytes", kBytesBits);
  writer.declare(name + ".outstanding", kCountBits);
  writer.declare(name + ".state", kStates);
}

// Sets the variables in the order in which they were declared, from `variable` on. Returns the number of the next
// variable.
std::size_t set(const StreamWires& wires, std::size_t variable, waveforms::WaveWriter& writer) {
  for (const std::uint64_t value : {std::uint64_t{wires.issue}, std::uint64_t{wires.write}, wires.address, wires.bytes,
                                    wires.outstanding, wires.state})
    writer.set(variable++, value);
  return variable;
}

}  // namespace

void write_ddr_waveform(const std::string& path, waveforms::Words words, const contract::DdrPart& part,
                        const std::vector<DdrBurst>& bursts) {
  waveforms::WaveformFile file(path, waveforms::WaveformFile::Unit::ps, words);
  waveforms::WaveWriter& writer = file.writer();
  std::map<int, StreamWires> streams;
  for (const DdrBurst& burst : bursts) streams[burst.stream];
  for (const auto& [number, wires] : streams) declare(fmt::format("ddr.stream{}", number), writer);
  const std::vector<Event> events = events_of(bursts);
  for (std::size_t i = 0; i < events.size(); ++i) {
    apply(events[i], streams[events[i].burst->stream]);
    if (i + 1 < events.size() && events[i + 1].edge == events[i].edge) continue;
    base::stop_if_interrupted();
    const std::int64_t time = time_of(events[i].edge, part);
    if (!writer.begun() && time > 0) writer.at(0);  // all streams are idle up to the first burst
    writer.at(time);
    std::size_t variable = 0;
    for (const auto& [number, wires] : streams) variable = set(wires, variable, writer);
  }
  file.keep();
}

}  // namespace fansim::benches
