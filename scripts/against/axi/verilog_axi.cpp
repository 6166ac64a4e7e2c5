// SPDX-License-Identifier: Apache-2.0
// Runs verilog-axi's DMA on the kit's interconnect, width converter and memory, and the kit's DMA on verilog-axi's
// crossbar, adapter and memory. Packets of random lengths go to random addresses and back, and every byte is compared.
// The options are --manager ours|theirs and
// --path ours|adapter|crossbar|ram|our_ram. Prints one line of counts, and exits with 1 if a byte differs or a checker
// finds something.
#include "verilog_axi_bench.h"

namespace against {
namespace {

// Holds the streams of a port between the wires of its manager and blocks of the kit.
struct Entry {
  explicit Entry(axi::WireBundle<axi::Axi4Pins<axi::WiresRole, axi::Widths<32>>>& wires)
      : ar("from_ar", wires.ar), aw("from_aw", wires.aw), w("from_w", wires.w), r("to_r", wires.r), b("to_b", wires.b) {
    ar.out(port.ar);
    aw.out(port.aw);
    w.out(port.w);
    r.in(port.r);
    b.in(port.b);
  }
  using Wires = axi::Axi4Pins<axi::WiresRole, axi::Widths<32>>;
  axi::PortStreams port{"entry"};
  axi::FromPins<axi::ReadBurst, decltype(Wires::ar)> ar;
  axi::FromPins<axi::WriteBurst, decltype(Wires::aw)> aw;
  axi::FromPins<axi::WriteBeat, decltype(Wires::w)> w;
  axi::ToPins<axi::ReadBeat, decltype(Wires::r)> r;
  axi::ToPins<axi::WriteResponse, decltype(Wires::b)> b;
};

contract::InterconnectConfig one_memory() {
  contract::InterconnectConfig config;
  config.managers = 2, config.data_bits = 32, config.subordinates = {{0, kMemory}};
  return config;
}

contract::WidthConverterConfig wider() {
  contract::WidthConverterConfig config;
  config.manager_bits = 32;
  config.subordinate_bits = 128;
  return config;
}

struct OurPath {
  OurPath(Bench& bench, const Options& options)
      : entry(bench.port),
        interconnect("interconnect", one_memory()),
        width("width", wider()),
        ddr(memory::make_ddr("ddr", ddr_config(options.text("ddr", "fixed")), axi_config(128), bench.image())) {
    manager(interconnect.manager(0), entry.port);
    manager(interconnect.manager(1), idle);
    manager(interconnect.subordinate(0), joined);
    manager(*ddr, widened);
    width.s_ar(joined.ar);
    width.s_r(joined.r);
    width.s_aw(joined.aw);
    width.s_w(joined.w);
    width.s_b(joined.b);
    width.m_ar(widened.ar);
    width.m_r(widened.r);
    width.m_aw(widened.aw);
    width.m_w(widened.w);
    width.m_b(widened.b);
    bench.memory = [this] { return ddr->data(); };
  }
  Entry entry;
  axi::PortStreams idle{"idle"}, joined{"joined"}, widened{"widened"};
  axi::Interconnect interconnect;
  axi::WidthConverter width;
  std::unique_ptr<memory::Ddr> ddr;
};

struct OurRam {
  OurRam(Bench& bench, const Options&) : entry(bench.port), bytes(bench.image()), ram("ram", {}, 4, bytes) {
    manager(ram, entry.port);
    bench.memory = [this] { return bytes.data(); };
  }
  Entry entry;
  std::vector<std::uint8_t> bytes;
  axi::Ram ram;
};

struct TheirRam {
  TheirRam(Bench& bench, const Options&) : ram("ram") {
    ram.clk(bench.clock.clk());
    ram.rst(bench.reset);
    axi::bind(ram.s_axi, bench.port);
  }
  AxiRam ram;
};

// If `crossing`, a crossbar comes first.
struct TheirPath {
  TheirPath(Bench& bench, const Options& options, bool crossing)
      : adapter("adapter"), ddr("ddr", ddr_config(options.text("ddr", "fixed")), axi_config(128), bench.image()) {
    adapter.clk(bench.clock.clk());
    adapter.rst(bench.reset);
    axi::bind(adapter.m_axi, wide);
    axi::bind(ddr.s_axi, wide);
    axi::bind(checker.pins, wide);
    bench.watch(checker);
    bench.memory = [this] { return ddr.ddr().data(); };
    axi::bind(adapter.s_axi, crossing ? crossed : bench.port);
    if (!crossing) return;
    crossbar = std::make_unique<AxiCrossbar>("crossbar");
    crossbar->clk(bench.clock.clk());
    crossbar->rst(bench.reset);
    axi::bind(crossbar->s_axi, bench.port);
    axi::bind(crossbar->m_axi, crossed);
  }
  using W = axi::Widths<128>;
  AxiAdapter adapter;
  std::unique_ptr<AxiCrossbar> crossbar;
  axi::WireBundle<axi::Axi4Pins<axi::WiresRole, axi::Widths<32>>> crossed{"m_axi_crossed"};
  axi::WireBundle<axi::Axi4Pins<axi::WiresRole, W>> wide{"m_axi_wide"};
  axi::Axi4Checker<W> checker{"wide_checker", axi::CheckerConfig{128}};
  memory::DdrPins<128> ddr;
};

template <class Path, class... More>
int run(const Options& options, const char* name, const More&... more) {
  Bench bench(options);
  Path path(bench, options, more...);
  if (options.text("manager", "theirs") == "ours") return OurManager(bench).run(name);
  return TheirManager(bench).run(name);
}

int run(const Options& options) {
  const std::string path = options.text("path", "ours");
  if (path == "ours") return run<OurPath>(options, "interconnect and width converter");
  if (path == "our_ram") return run<OurRam>(options, "axi::Ram");
  if (path == "ram") return run<TheirRam>(options, "axi_ram");
  if (path == "adapter") return run<TheirPath>(options, "axi_adapter", false);
  return run<TheirPath>(options, "axi_crossbar and axi_adapter", true);
}

}  // namespace
}  // namespace against

void vl_stop(const char* file, int line, const char*) { std::printf("%s:%d\n", file, line); }

int sc_main(int count, char** words) { return against::run(against::Options(count, words)); }
