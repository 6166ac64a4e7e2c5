// SPDX-License-Identifier: Apache-2.0
// Connects ZipCPU's aximm2s and axis2mm to the pins of the DDR. Transfers have random lengths and addresses, the other
// end of the stream stalls at random, and every byte is compared. Prints one line of counts, and exits with 1 if a byte
// differs or a checker finds something.
#include <memory>

#include "axi/checker/checker.h"
#include "bench.h"
#include "handshakes.h"
#include "memory/pins/ddr_pins.h"
#include "script.h"
#include "sim/waveform.h"
#include "zipcpu_models.h"
#include "zipcpu_movers.h"

namespace against {
namespace {

constexpr std::uint32_t kControl = 0x00, kLength = 0x18;  // the read mover has its address at 8, the other at 16
constexpr std::uint32_t kStart = 0x80000000, kBusy = 0x80000000, kError = 0x40000000;
constexpr int kMemory = 1 << 20;
constexpr sim::Edge kReset = 20;

// Has everything except the movers: memory, wires, checkers, host.
template <int Data>
struct Bench {
  using W = axi::Widths<Data>;

  explicit Bench(const Options& options)
      : options(options),
        random(static_cast<std::uint64_t>(options.number("seed", 1))),
        clock(scheduler.domain("pl", {250, 1})),
        ddr("ddr", ddr_config(options.text("ddr", "fixed")), axi_config(Data), random_bytes(kMemory, random)) {
    axi::bind(ddr.s_axi, port);
    axi::bind(checker.pins, port);
    axi::bind(handshakes.pins, port);
    to_lite.request(requests);
    script.request(requests);
    to_lite.response(responses);
    script.response(responses);
    axi::bind(lite_checker.pins, lite);
    axi::bind(stream_checker.pins, stream);
    handshakes.clk(clock.clk());
    watch(checker);
    watch(lite_checker);
    watch(stream_checker);
    if (const std::string file = options.text("vcd", ""); !file.empty())
      scheduler.record(std::make_unique<sim::Waveform>(file, sim::WaveformWindow{}));
    script.call([this](sim::Edge edge) {
      resetn.write(edge >= kReset);
      return edge >= 2 * kReset;
    });
  }
  template <class Checker>
  void watch(Checker& its) {
    its.aclk(clock.clk());
    its.aresetn(resetn);
    its.findings().handler = [this, &its](const axi::Finding& finding) {
      ++findings;
      std::printf("%s: %s: %s, cycle %lld\n", its.name(), finding.rule.c_str(), finding.text.c_str(),
                  static_cast<long long>(finding.cycle));
    };
  }
  // Draws a transfer's first byte and its length: mostly short, sometimes many bursts.
  void draw() {
    constexpr int kBytes = Data / 8;
    const int longest = random.chance(20) ? 1500 : random.chance(50) ? 300 : 20;
    length = kBytes * options.number("words", random.uniform(1, longest));
    address = kBytes * options.number("from", random.uniform(0, (kMemory - length) / kBytes - 1));
    if (options.text("mover", "") == "aximm2s_unaligned") address += random.uniform(0, kBytes - 1);
  }
  void program(std::uint32_t address_register) {
    script.write(address_register, static_cast<std::uint32_t>(address));
    script.write(kLength, static_cast<std::uint32_t>(length));
    script.write(kControl, kStart);
    script.call([this](sim::Edge edge) {
      started = edge;
      return true;
    });
  }
  int finish(const char* what) {
    scheduler.each_edge = [this](sim::Edge edge) {
      if (edge == options.number("limit", 10'000'000)) {
        ++wrong;
        scheduler.finish();
        std::puts("stuck");
      }
    };
    scheduler.run();
    const auto first = [](const std::vector<sim::Edge>& edges) {
      return static_cast<long long>(edges.empty() ? 0 : edges.front());
    };
    const auto last = [](const std::vector<sim::Edge>& edges) {
      return static_cast<long long>(edges.empty() ? 0 : edges.back());
    };
    std::printf("%s %d: %d transfers, %lld bytes, %d wrong, %lld edges, %lld+%lld+%lld beats checked, %d findings\n",
                what, Data, transfers, static_cast<long long>(moved), wrong, static_cast<long long>(clock.edge),
                static_cast<long long>(checker.beats()), static_cast<long long>(lite_checker.beats()),
                static_cast<long long>(stream_checker.beats()), findings);
    if (options.number("transfers", 0) == 1)
      std::printf("edges: started %lld ar %lld..%lld r %lld..%lld aw %lld..%lld w %lld..%lld b %lld..%lld\n",
                  static_cast<long long>(started), first(handshakes.ar), last(handshakes.ar), first(handshakes.r),
                  last(handshakes.r), first(handshakes.aw), last(handshakes.aw), first(handshakes.w),
                  last(handshakes.w), first(handshakes.b), last(handshakes.b));
    return wrong + findings > 0 ? 1 : 0;
  }
  bool last() { return ++transfers == options.number("transfers", 100); }

  const Options& options;
  base::Random random;
  sim::Scheduler scheduler{"scheduler"};
  sim::ClockDomain& clock;
  memory::DdrPins<Data> ddr;
  axi::WireBundle<axi::Axi4Pins<axi::WiresRole, W>> port{"m_axi"};
  axi::WireBundle<axi::LitePins<axi::WiresRole>> lite{"s_axil"};
  axi::WireBundle<axi::StreamPins<axi::WiresRole, Data>> stream{"axis"};
  sc_core::sc_signal<bool> resetn{"resetn"};
  sim::Stream<axi::LiteRequest> requests{"requests"};
  sim::Stream<axi::LiteResponse> responses{"responses"};
  sim::Stream<axi::StreamBeat> beats{"beats"};
  Script script{"script"};
  axi::LiteToPins<decltype(lite)> to_lite{"to_lite", lite};
  axi::Axi4Checker<W> checker{"checker", axi::CheckerConfig{Data}};
  axi::LiteChecker lite_checker{"lite_checker"};
  axi::StreamChecker<Data> stream_checker{"stream_checker", axi::CheckerConfig{Data}};
  Handshakes<W> handshakes{"handshakes"};

  int address = 0, length = 0, transfers = 0, wrong = 0, findings = 0;
  std::int64_t moved = 0;
  sim::Edge started = 0;
};

template <class Model, int Data>
int read(const Options& options) {
  Bench<Data> bench(options);
  Aximm2s<Model, Data> mover("aximm2s");
  Sink sink("sink", options.number("stall", 0), 1);
  axi::FromPins<axi::StreamBeat, decltype(bench.stream.t)> from("from", bench.stream.t);
  from.out(bench.beats);
  sink.in(bench.beats);
  mover.clk(bench.clock.clk());
  mover.resetn(bench.resetn);
  axi::bind(mover.m_axi, bench.port);
  axi::bind(mover.s_axil, bench.lite);
  axi::bind(mover.m_axis, bench.stream);
  bench.script.idle = [&] {
    bench.draw();
    bench.program(0x08);
    bench.script.poll(
        kControl, [&](std::uint32_t status) { return bench.wrong += (status & kError) != 0, (status & kBusy) == 0; });
    bench.script.call([&](sim::Edge) {
      const auto wanted = static_cast<std::size_t>(bench.length);
      if (sink.bytes.size() < wanted && sink.ends.empty()) return false;
      const std::uint8_t* from_memory = bench.ddr.ddr().data() + bench.address;
      bench.wrong += sink.bytes.size() != wanted || sink.ends != std::vector<std::size_t>{wanted} ||
                     !std::equal(sink.bytes.begin(), sink.bytes.end(), from_memory);
      bench.moved += bench.length;
      sink.bytes.clear(), sink.ends.clear();
      if (bench.last()) bench.scheduler.finish();
      return true;
    });
  };
  return bench.finish("aximm2s");
}

template <class Model, int Data>
int write(const Options& options) {
  Bench<Data> bench(options);
  Axis2mm<Model, Data> mover("axis2mm");
  Source source("source", options.number("stall", 0), 1);
  axi::ToPins<axi::StreamBeat, decltype(bench.stream.t)> to("to", bench.stream.t);
  source.out(bench.beats);
  to.in(bench.beats);
  mover.clk(bench.clock.clk());
  mover.resetn(bench.resetn);
  axi::bind(mover.m_axi, bench.port);
  axi::bind(mover.s_axil, bench.lite);
  axi::bind(mover.s_axis, bench.stream);
  // With --early 1 data are offered before the mover is started.
  const bool early = options.number("early", 0) != 0;
  std::vector<std::uint8_t> image(bench.ddr.ddr().data(), bench.ddr.ddr().data() + kMemory), sent;
  bench.script.idle = [&] {
    const auto send = [&](sim::Edge) {
      sent = random_bytes(static_cast<std::size_t>(bench.length), bench.random);
      source.send(packet(sent, Data / 8));
      return true;
    };
    bench.draw();
    if (early) bench.script.call(send);
    bench.program(0x10);
    if (!early) bench.script.call(send);
    bench.script.poll(
        kControl, [&](std::uint32_t status) { return bench.wrong += (status & kError) != 0, (status & kBusy) == 0; });
    bench.script.call([&](sim::Edge) {
      std::copy(sent.begin(), sent.end(), image.begin() + bench.address);
      bench.wrong += !std::equal(image.begin(), image.end(), bench.ddr.ddr().data());
      bench.moved += bench.length;
      if (bench.last()) bench.scheduler.finish();
      return true;
    });
  };
  return bench.finish("axis2mm");
}

int run(const Options& options) {
  const bool wide = options.number("width", 128) == 128;
  if (options.text("mover", "aximm2s") == "aximm2s_unaligned") return read<aximm2s_unaligned_128, 128>(options);
  if (options.text("mover", "aximm2s") == "aximm2s")
    return wide ? read<aximm2s_128, 128>(options) : read<aximm2s_32, 32>(options);
  return wide ? write<axis2mm_128, 128>(options) : write<axis2mm_32, 32>(options);
}

}  // namespace
}  // namespace against

// Called when an assertion of the models fails; these models have none.
void vl_stop(const char* file, int line, const char*) { std::printf("%s:%d\n", file, line); }

int sc_main(int count, char** words) { return against::run(against::Options(count, words)); }
