// SPDX-License-Identifier: Apache-2.0
#include "benches/ddr_waveform.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <systemc>

#include "base/interrupt.h"
#include "waveforms/waveform_file.h"

namespace fansim::benches {
namespace {

constexpr int kAddressBits = 40, kBytesBits = 32, kCountBits = 16;

struct StreamWires {
  bool issue = false;  // for one edge: the burst below is handed to the controller
  bool write = false;
  std::uint64_t address = 0, bytes = 0;
  std::uint64_t outstanding = 0;  // bursts that have not ended
  std::uint64_t state = 0;        // index in kStates
  int on_bus = 0;                 // of them
  bool writes_bus = false;

  void settle() { state = on_bus > 0 ? (writes_bus ? 3 : 2) : outstanding > 0 ? 1 : 0; }
};
const std::vector<std::string> kStates{"idle", "wait", "read_data", "write_data"};

enum class Kind { last, quiet, first, issue };  // the order within an edge

struct Event {
  std::int64_t edge;
  Kind kind;
  const rules::DdrBurst* burst;
};

std::vector<Event> events_of(const std::vector<rules::DdrBurst>& bursts) {
  std::vector<Event> events;
  for (const rules::DdrBurst& burst : bursts) {
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
  const rules::DdrBurst& burst = *event.burst;
  switch (event.kind) {
    case Kind::issue:
      wires.issue = true;
      wires.write = burst.write, wires.address = burst.address;
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
      --wires.on_bus, --wires.outstanding;
      break;
  }
  wires.settle();
}

sc_core::sc_time time_of(std::int64_t edge, const contract::DdrPart& part) {
  __extension__ using Wide = __int128;
  return sc_core::sc_time::from_value(static_cast<std::uint64_t>(
      static_cast<Wide>(edge) * 1'000'000 * part.clock_mhz.denominator / part.clock_mhz.numerator));
}

// The signals while SystemC writes them.
class Trace {
 public:
  explicit Trace(waveforms::WaveformFile& file) : file_(file) {
    const std::string& pipe = file.pipe();
    trace_ = sc_core::sc_create_vcd_trace_file(pipe.substr(0, pipe.size() - 4).c_str());  // SystemC appends ".vcd"
    trace_->set_time_unit(1, sc_core::SC_PS);
  }
  ~Trace() { sc_core::sc_close_vcd_trace_file(trace_); }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  void declare(const std::string& name, const StreamWires& wires) {
    file_.words().add(name + ".state", kStates);
    sc_core::sc_trace(trace_, wires.issue, name + ".issue");
    sc_core::sc_trace(trace_, wires.write, name + ".write");
    sc_core::sc_trace(trace_, wires.address, name + ".address", kAddressBits);
    sc_core::sc_trace(trace_, wires.bytes, name + ".bytes", kBytesBits);
    sc_core::sc_trace(trace_, wires.outstanding, name + ".outstanding", kCountBits);
    sc_core::sc_trace(trace_, wires.state, name + ".state", kCountBits);
  }

 private:
  waveforms::WaveformFile& file_;
  sc_core::sc_trace_file* trace_;
};

}  // namespace

void write_ddr_waveform(const std::string& path, const contract::DdrPart& part,
                        const std::vector<rules::DdrBurst>& bursts) {
  waveforms::WaveformFile file(path);
  {
    std::map<int, StreamWires> streams;
    for (const rules::DdrBurst& burst : bursts) streams[burst.stream];
    Trace trace(file);
    for (const auto& [number, wires] : streams) trace.declare(fmt::format("ddr.stream{}", number), wires);
    const std::vector<Event> events = events_of(bursts);
    for (std::size_t i = 0; i < events.size(); ++i) {
      apply(events[i], streams[events[i].burst->stream]);
      const std::int64_t next = i + 1 < events.size() ? events[i + 1].edge : events[i].edge + 1;
      if (next == events[i].edge) continue;
      base::stop_if_interrupted();
      file.check();
      sc_core::sc_start(time_of(next, part) - sc_core::sc_time_stamp());
    }
  }
  file.keep();
}

}  // namespace fansim::benches
