// SPDX-License-Identifier: Apache-2.0
// Puts every AXI port of the kit's blocks on wires, under random traffic. The DMA copies packets through interconnect,
// width and clock converter: with scatter-gather on 32-bit wires to a memory of 128 bits, or direct on 128-bit wires to
// a memory of 32. Each port stalls at random. Some transfers go to no memory and are answered with DECERR. Prints one
// line, and exits with 1 if a byte differs.
#include <cstring>
#include <memory>

#include "axi/clock_converter.h"
#include "axi/dma.h"
#include "axi/interconnect.h"
#include "axi/width_converter.h"
#include "bench.h"
#include "hop.h"
#include "memory/ddr.h"
#include "script.h"
#include "sim/waveform.h"

namespace against {
namespace {

using namespace contract::dma_map;

constexpr std::uint32_t kMemory = 1 << 20, kFrom = 0x10000, kTo = 0x80000, kSend = 0x1000, kReceive = 0x8000;
constexpr std::uint32_t kNowhere = 0x40000000;

struct Bench {
  explicit Bench(const Options& o)
      : options(o),
        gather(o.number("width", 32) == 32),
        bits(gather ? 32 : 128),
        other(gather ? 128 : 32),
        random(static_cast<std::uint64_t>(o.number("seed", 1)), "blocks"),
        pl(scheduler.domain("pl", {250, 1})),
        port(scheduler.domain("port", {1000, 3})),
        dma("dma", dma_config(gather), axi(bits)),
        interconnect("interconnect", interconnect_config(bits)),
        width("width", width_config(bits, other)),
        clocks("clocks", {}, pl, port),
        ddr(memory::make_ddr("ddr", ddr_config(o.text("ddr", "fixed")), axi(other), random_bytes(kMemory, random))),
        stall(o.number("stall", 20)),
        mm2s("m_axi_mm2s", pl, bits, stall, seed()),
        s2mm("m_axi_s2mm", pl, bits, stall, seed()),
        sg("m_axi_sg", pl, bits, stall, seed()),
        joined("m_axi_joined", pl, bits, stall, seed()),
        widened("m_axi_widened", pl, other, stall, seed()),
        memory("m_axi_port", port, other, stall, seed()),
        loop("loop", stall, seed()) {
    dma.mm2s.ar(mm2s.near.ar);
    dma.mm2s.r(mm2s.near.r);
    dma.s2mm.aw(s2mm.near.aw);
    dma.s2mm.w(s2mm.near.w);
    dma.s2mm.b(s2mm.near.b);
    if (gather) manager(*dma.descriptors, sg.near);
    manager(interconnect.manager(0), mm2s.out);
    manager(interconnect.manager(1), s2mm.out);
    manager(interconnect.manager(2), sg.out);
    manager(interconnect.subordinate(0), joined.near);
    width.s_ar(joined.out.ar);
    width.s_r(joined.out.r);
    width.s_aw(joined.out.aw);
    width.s_w(joined.out.w);
    width.s_b(joined.out.b);
    width.m_ar(widened.near.ar);
    width.m_r(widened.near.r);
    width.m_aw(widened.near.aw);
    width.m_w(widened.near.w);
    width.m_b(widened.near.b);
    clocks.ar.in()(widened.out.ar);
    clocks.aw.in()(widened.out.aw);
    clocks.w.in()(widened.out.w);
    clocks.r.out()(widened.out.r);
    clocks.b.out()(widened.out.b);
    clocks.ar.out()(memory.near.ar);
    clocks.aw.out()(memory.near.aw);
    clocks.w.out()(memory.near.w);
    clocks.r.in()(memory.near.r);
    clocks.b.in()(memory.near.b);
    manager(*ddr, memory.out);
    ddr->clock(port);
    dma.mm2s.m_axis(stream_near);
    stream = axi::link_stream("axis", pl, bits, stream_near, stream_far);
    loop.in(stream_far);
    loop.out(looped);
    dma.s2mm.s_axis(looped);
    script.request(requests);
    script.response(responses);
    lite = axi::link_lite("s_axi_lite", pl, {requests, responses}, {taken, given});
    dma.registers.host(taken);
    dma.registers.host_response(given);
    dma.registers.pl(no_request);
    dma.registers.pl_response(no_response);
    script.idle = [this] { round(); };
    if (const std::string file = options.text("vcd", ""); !file.empty())
      scheduler.record(std::make_unique<sim::Waveform>(file, sim::WaveformWindow{}));
  }

  static contract::AxiConfig axi(int data_bits) {
    contract::AxiConfig config = axi_config(data_bits);
    config.burst_beats = 32;
    return config;
  }
  static contract::DmaConfig dma_config(bool gather) {
    contract::DmaConfig config;
    if (gather) config.mode = contract::DmaMode::scatter_gather;
    return config;
  }
  static contract::InterconnectConfig interconnect_config(int bits) {
    contract::InterconnectConfig config;
    config.managers = 3, config.data_bits = bits, config.subordinates = {{0, kMemory}};
    return config;
  }
  static contract::WidthConverterConfig width_config(int from, int to) {
    contract::WidthConverterConfig config;
    config.manager_bits = from;
    config.subordinate_bits = to;
    config.burst_beats = 64;
    return config;
  }
  std::uint64_t seed() { return random.next(); }

  // Copies a packet, in pieces where descriptors say so, or sends it from or to an address without memory.
  void round() {
    length = random.uniform(1, random.chance(30) ? 6000 : 200);
    from = kFrom + static_cast<std::uint32_t>(random.uniform(0, 0x60000));
    to = kTo + static_cast<std::uint32_t>(random.uniform(0, 0x70000));
    lost = random.chance(options.number("lost", 10));
    lost_read = random.chance(50);
    if (lost) {  // one burst, so that no data wait in the stream at the error
      length = random.uniform(1, 100);
      to &= ~127U;
    }
    script.write(kMm2sDmacr, kCrReset);
    script.poll(kMm2sDmacr, [](std::uint32_t value) { return (value & kCrReset) == 0; });
    gather ? chains() : direct();
    const auto over = [](std::uint32_t value) { return (value & (kSrErrors | kSrIocIrq)) != 0; };
    script.poll(lost && lost_read ? kMm2sDmasr : kS2mmDmasr, over);
    script.call([this, left = 200](sim::Edge) mutable { return !lost || --left == 0; });  // until the stream is empty
    script.call([this](sim::Edge) {
      check();
      return true;
    });
  }
  void direct() {
    script.write(kS2mmDmacr, kCrRunStop);
    script.write(kMm2sDmacr, kCrRunStop);
    script.write(kS2mmDa, lost && !lost_read ? kNowhere + to : to);
    script.write(kS2mmLength, static_cast<std::uint32_t>(length));
    script.write(kMm2sSa, lost && lost_read ? kNowhere + from : from);
    script.write(kMm2sLength, static_cast<std::uint32_t>(length));
  }
  void chains() {
    std::uint32_t send_tail = 0, receive_tail = 0;
    ddr->change([&](std::uint8_t* bytes) {
      send_tail = chain(bytes, kSend, from, true, lost && lost_read);
      receive_tail = chain(bytes, kReceive, to, false, lost && !lost_read);
    });
    script.write(kS2mmCurdesc, kReceive);
    script.write(kMm2sCurdesc, kSend);
    script.write(kS2mmDmacr, kCrRunStop);
    script.write(kMm2sDmacr, kCrRunStop);
    script.write(kS2mmTaildesc, receive_tail);
    script.write(kMm2sTaildesc, send_tail);
  }
  // Writes the descriptors of one packet, and returns the address of the last one.
  std::uint32_t chain(std::uint8_t* bytes, std::uint32_t first, std::uint32_t buffer, bool sends, bool nowhere) {
    int left = length;
    for (std::uint32_t at = first;; at += kDescBytes) {
      const bool last = at == first + 7 * kDescBytes;
      const int piece = last || lost ? left : random.uniform(1, left);
      const auto word = [&](int offset, std::uint32_t value) { std::memcpy(bytes + at + offset, &value, 4); };
      std::memset(bytes + at, 0, kDescBytes);
      word(kDescNext, at + kDescBytes);
      word(kDescBuffer, nowhere ? kNowhere + buffer : buffer);
      std::uint32_t control = static_cast<std::uint32_t>(piece);
      if (sends && at == first) control |= kDescSof;
      if (sends && piece == left) control |= kDescEof;
      word(kDescControl, control);
      buffer += static_cast<std::uint32_t>(piece);
      left -= piece;
      if (left == 0) return at;
    }
  }
  void check() {
    if (!lost) wrong += std::memcmp(ddr->data() + from, ddr->data() + to, static_cast<std::size_t>(length)) != 0;
    moved += lost ? 0 : length;
    if (++rounds == options.number("rounds", 100)) scheduler.finish();
  }
  int finish() {
    scheduler.each_edge = [this](sim::Edge edge) {
      if (edge == options.number("limit", 20'000'000)) {
        ++wrong;
        scheduler.finish();
        std::puts("stuck");
      }
    };
    scheduler.run();
    std::printf(
        "blocks %d to %d: %d packets, %lld bytes, %d wrong, %lld edges, beats checked %lld mm2s %lld s2mm %lld sg "
        "%lld joined %lld widened %lld port %lld lite %lld stream\n",
        bits, other, rounds, static_cast<long long>(moved), wrong, static_cast<long long>(pl.edge),
        static_cast<long long>(mm2s.beats()), static_cast<long long>(s2mm.beats()), static_cast<long long>(sg.beats()),
        static_cast<long long>(joined.beats()), static_cast<long long>(widened.beats()),
        static_cast<long long>(memory.beats()), static_cast<long long>(lite->beats_checked()),
        static_cast<long long>(stream->beats_checked()));
    return wrong > 0 ? 1 : 0;
  }

  const Options& options;
  const bool gather;
  const int bits, other;
  base::Random random;
  sim::Scheduler scheduler{"scheduler"};
  sim::ClockDomain &pl, &port;
  axi::Dma dma;
  axi::Interconnect interconnect;
  axi::WidthConverter width;
  axi::ClockConverter clocks;
  std::unique_ptr<memory::Ddr> ddr;
  const int stall;
  Hop mm2s, s2mm, sg, joined, widened, memory;
  Stage<axi::StreamBeat> loop;
  sim::Stream<axi::StreamBeat> stream_near{"stream_near"}, stream_far{"stream_far"}, looped{"looped"};
  std::unique_ptr<axi::PinLink> stream, lite;
  sim::Stream<axi::LiteRequest> requests{"requests"}, taken{"taken"}, no_request{"no_request"};
  sim::Stream<axi::LiteResponse> responses{"responses"}, given{"given"}, no_response{"no_response"};
  Script script{"script"};

  int length = 0, rounds = 0, wrong = 0;
  std::uint32_t from = 0, to = 0;
  bool lost = false, lost_read = false;  // the packet goes to, or comes from, an address without memory
  std::int64_t moved = 0;
};

}  // namespace
}  // namespace against

int sc_main(int count, char** words) {
  const against::Options options(count, words);
  against::Bench bench(options);
  return bench.finish();
}
