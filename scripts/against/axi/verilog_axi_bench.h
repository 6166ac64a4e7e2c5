// SPDX-License-Identifier: Apache-2.0
// This file has the managers' side of verilog_axi.cpp: wires, checkers, both DMAs, and the packets that they move.
#pragma once

#include <functional>
#include <memory>

#include "axi/checker/checker.h"
#include "axi/interconnect.h"
#include "axi/pins/dma_pins.h"
#include "axi/ram.h"
#include "axi/width_converter.h"
#include "bench.h"
#include "handshakes.h"
#include "hop.h"
#include "memory/pins/ddr_pins.h"
#include "script.h"
#include "sim/waveform.h"
#include "verilog_axi_parts.h"

namespace against {

constexpr int kMemory = 1 << 16;
constexpr sim::Edge kReset = 20;

// Holds the wires between manager and memory, and streams of 32 bits in both directions.
struct Bench {
  using W = axi::Widths<32>;

  explicit Bench(const Options& o)
      : options(o),
        random(static_cast<std::uint64_t>(o.number("seed", 1)), "bench"),
        clock(scheduler.domain("pl", {250, 1})),
        source("source", o.number("stall", 0), random.next()),
        sink("sink", o.number("stall", 0), random.next()) {
    axi::bind(checker.pins, port);
    axi::bind(handshakes.pins, port);
    handshakes.clk(clock.clk());
    watch(checker);
    source.out(sent);
    to.in(sent);
    from.out(received);
    sink.in(received);
    if (const std::string file = options.text("vcd", ""); !file.empty())
      scheduler.record(std::make_unique<sim::Waveform>(file, sim::WaveformWindow{}));
  }
  std::vector<std::uint8_t> image() { return random_bytes(kMemory, random); }
  template <class Checker>
  void watch(Checker& its) {
    its.aclk(clock.clk());
    its.aresetn(resetn);
    its.findings().handler = [this, &its](const axi::Finding& finding) {
      if (++findings > 10) return;
      std::printf("%s: %s: %s, cycle %lld\n", its.name(), finding.rule.c_str(), finding.text.c_str(),
                  static_cast<long long>(finding.cycle));
    };
  }
  void draw() {
    const int align = options.number("aligned", 0) != 0 ? 16 : 1;
    length = options.number("bytes", random.uniform(1, random.chance(30) ? 3000 : 100));
    address = random.uniform(0, (kMemory - length) / align) * align;
    if (options.number("from", -1) >= 0) address = options.number("from", 0);
    bytes = random_bytes(static_cast<std::size_t>(length), random);
  }
  // Compares what came back and, if it is accessible, what the memory holds.
  void check() {
    wrong += sink.bytes != bytes || sink.ends.size() != 1;
    if (memory) wrong += !std::equal(bytes.begin(), bytes.end(), memory() + address);
    sink.bytes.clear();
    sink.ends.clear();
    moved += length;
    if (++packets == options.number("packets", 100)) scheduler.finish();
  }
  int run(const char* manager, const char* path) {
    scheduler.each_edge = [this](sim::Edge edge) {
      if (edge == options.number("limit", 5'000'000)) {
        ++wrong;
        scheduler.finish();
        std::puts("stuck");
      }
    };
    scheduler.run();
    std::printf("%s on %s: %d packets, %lld bytes, %d wrong, %lld edges, %lld beats checked, %d findings\n", manager,
                path, packets, static_cast<long long>(moved), wrong, static_cast<long long>(clock.edge),
                static_cast<long long>(checker.beats()), findings);
    if (options.number("packets", 100) == 1) show("write", handshakes.aw, handshakes.w, handshakes.b);
    if (options.number("packets", 100) == 1) show("read", handshakes.ar, handshakes.r, handshakes.r);
    return wrong + findings > 0 ? 1 : 0;
  }
  void show(const char* what, const std::vector<sim::Edge>& a, const std::vector<sim::Edge>& d,
            const std::vector<sim::Edge>& e) const {
    if (a.empty() || d.empty() || e.empty()) return;
    std::printf("%s: order at %lld, %zu bursts %lld..%lld, beats %lld..%lld, over %lld\n", what,
                static_cast<long long>(what[0] == 'w' ? write_at : read_at), a.size(),
                static_cast<long long>(a.front()), static_cast<long long>(a.back()), static_cast<long long>(d.front()),
                static_cast<long long>(d.back()), static_cast<long long>(e.back()));
  }

  const Options& options;
  base::Random random;
  sim::Scheduler scheduler{"scheduler"};
  sim::ClockDomain& clock;
  axi::WireBundle<axi::Axi4Pins<axi::WiresRole, W>> port{"m_axi"};
  axi::WireBundle<axi::StreamPins<axi::WiresRole, 32>> in{"s_axis"}, out{"m_axis"};
  sc_core::sc_signal<bool> resetn{"resetn"}, reset{"reset", true};
  Source source;
  Sink sink;
  sim::Stream<axi::StreamBeat> sent{"sent"}, received{"received"};
  axi::ToPins<axi::StreamBeat, decltype(in.t)> to{"to", in.t};
  axi::FromPins<axi::StreamBeat, decltype(out.t)> from{"from", out.t};
  axi::Axi4Checker<W> checker{"checker", axi::CheckerConfig{32}};
  Handshakes<W> handshakes{"handshakes"};
  std::function<const std::uint8_t*()> memory;

  int address = 0, length = 0, packets = 0, wrong = 0, findings = 0;
  std::int64_t moved = 0;
  sim::Edge write_at = 0, read_at = 0;
  std::vector<std::uint8_t> bytes;
};

// Writes a packet, then reads it back.
class TheirManager {
 public:
  explicit TheirManager(Bench& bench) : bench_(bench) {
    dma_.clk(bench.clock.clk());
    dma_.rst(bench.reset);
    axi::bind(dma_.m_axi, bench.port);
    axi::bind(dma_.s_axis, bench.in);
    axi::bind(dma_.m_axis, bench.out);
    script_.request(requests_);
    script_.response(responses_);
    script_.call([&bench](sim::Edge edge) {
      bench.resetn.write(edge >= kReset), bench.reset.write(edge < kReset);
      return edge >= 2 * kReset;
    });
    script_.idle = [this] { packet(); };
  }
  int run(const char* path) { return bench_.run("axi_dma", path); }

 private:
  void packet() {
    bench_.draw();
    script_.call([this](sim::Edge edge) {
      bench_.write_at = edge;
      dma_.write(static_cast<std::uint32_t>(bench_.address), bench_.length);
      bench_.source.send(against::packet(bench_.bytes, 4));
      return true;
    });
    script_.call([this](sim::Edge edge) {
      if (dma_.writing) return false;
      bench_.read_at = edge;
      dma_.read(static_cast<std::uint32_t>(bench_.address), bench_.length);
      return true;
    });
    script_.call([this](sim::Edge) { return !dma_.reading && !bench_.sink.ends.empty(); });
    script_.call([this](sim::Edge) {
      bench_.wrong += dma_.errors;
      bench_.check();
      return true;
    });
  }

  Bench& bench_;
  AxiDma dma_{"dma"};
  Script script_{"script"};
  sim::Stream<axi::LiteRequest> requests_{"requests"};
  sim::Stream<axi::LiteResponse> responses_{"responses"};
};

class OurManager {
 public:
  explicit OurManager(Bench& bench) : bench_(bench), dma_("dma", {}, config(bench.options)) {
    axi::bind(dma_.m_axi_mm2s, bench.port);
    axi::bind(dma_.m_axi_s2mm, bench.port);
    axi::bind(dma_.s_axis_s2mm, bench.in);
    axi::bind(dma_.m_axis_mm2s, bench.out);
    axi::bind(dma_.s_axi_lite, lite_);
    dma_.mm2s_introut(mm2s_);
    dma_.s2mm_introut(s2mm_);
    to_.request(requests_);
    to_.response(responses_);
    script_.request(requests_);
    script_.response(responses_);
    script_.call([&bench](sim::Edge edge) {
      bench.resetn.write(edge >= kReset), bench.reset.write(edge < kReset);
      return edge >= 2 * kReset;
    });
    script_.write(kS2mmDmacr, kCrRunStop);
    script_.write(kMm2sDmacr, kCrRunStop);
    script_.idle = [this] { packet(); };
  }
  int run(const char* path) { return bench_.run("axi::Dma", path); }

 private:
  static constexpr auto kMm2sDmacr = contract::dma_map::kMm2sDmacr, kS2mmDmacr = contract::dma_map::kS2mmDmacr,
                        kCrRunStop = contract::dma_map::kCrRunStop;
  static contract::AxiConfig config(const Options& options) {
    contract::AxiConfig config = axi_config(32);
    config.burst_beats = 16;
    config.outstanding = options.number("outstanding", 4);
    return config;
  }
  void packet() {
    using namespace contract::dma_map;
    const auto idle = [](std::uint32_t value) { return (value & kSrIdle) != 0; };
    bench_.draw();
    script_.write(kS2mmDa, static_cast<std::uint32_t>(bench_.address));
    script_.write(kS2mmLength, static_cast<std::uint32_t>(bench_.length));
    script_.call([this](sim::Edge edge) {
      bench_.write_at = edge;
      bench_.source.send(against::packet(bench_.bytes, 4));
      return true;
    });
    script_.poll(kS2mmDmasr, idle);
    script_.write(kMm2sSa, static_cast<std::uint32_t>(bench_.address));
    script_.write(kMm2sLength, static_cast<std::uint32_t>(bench_.length));
    script_.call([this](sim::Edge edge) {
      bench_.read_at = edge;
      return true;
    });
    script_.poll(kMm2sDmasr, idle);
    script_.call([this](sim::Edge) { return !bench_.sink.ends.empty(); });
    script_.call([this](sim::Edge) {
      bench_.check();
      return true;
    });
  }

  Bench& bench_;
  axi::DmaPins<32> dma_;
  axi::WireBundle<axi::LitePins<axi::WiresRole>> lite_{"s_axi_lite"};
  sc_core::sc_signal<bool> mm2s_{"mm2s_introut"}, s2mm_{"s2mm_introut"};
  sim::Stream<axi::LiteRequest> requests_{"requests"};
  sim::Stream<axi::LiteResponse> responses_{"responses"};
  axi::LiteToPins<axi::WireBundle<axi::LitePins<axi::WiresRole>>> to_{"to_lite", lite_};
  Script script_{"script"};
};

}  // namespace against
