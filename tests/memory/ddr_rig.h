// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "memory/ddr.h"
#include "support/stream_bench.h"

namespace fansim::test {

using Edges = std::vector<sim::Edge>;

inline std::vector<std::uint8_t> random_bytes(std::size_t n, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<std::uint8_t> bytes(n);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
  return bytes;
}

// Connects a memory to a foreign manager on each channel.
struct DdrRig : sc_core::sc_module {
  // The memory is made while the rig is, so that SystemC finds it there.
  using Maker = std::function<std::unique_ptr<memory::Ddr>()>;

  DdrRig(const sc_core::sc_module_name& name, const contract::DdrConfig& ddr_config, const contract::AxiConfig& axi,
         std::vector<std::uint8_t> memory, int stall = 0, std::uint64_t seed = 1)
      : DdrRig(
            name, [&] { return memory::make_ddr("ddr", ddr_config, axi, std::vector<std::uint8_t>(memory)); }, memory,
            stall, seed) {}
  DdrRig(const sc_core::sc_module_name& name, const Maker& make, const contract::MemoryImage& memory, int stall = 0,
         std::uint64_t seed = 1)
      : sc_module(name),
        initial(memory.begin(), memory.end()),
        reads("reads", {}, stall, seed),
        writes("writes", {}, stall, seed),
        write_beats("write_beats", {}, stall, seed),
        read_beats("read_beats", stall, seed),
        responses("responses", stall, seed),
        owner(make()),
        ddr(*owner) {
    reads.out(ar);
    ddr.ar(ar);
    writes.out(aw);
    ddr.aw(aw);
    write_beats.out(w);
    ddr.w(w);
    ddr.r(r);
    read_beats.in(r);
    ddr.b(b);
    responses.in(b);
  }
  void write(std::uint32_t address, int beats, sim::Edge edge, base::Random& random) {
    writes.add({address, beats}, edge);
    for (int i = 0; i < beats; ++i) {
      axi::WriteBeat beat;
      for (auto& byte : beat.data) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
      beat.strobe = random.chance(50) ? 0xffff : static_cast<std::uint32_t>(random.uniform(0, 0xffff));
      beat.last = i + 1 == beats;
      write_beats.add(beat, edge);
    }
  }
  const std::vector<std::uint8_t> initial;
  sim::Stream<axi::ReadBurst> ar{"ar"};
  sim::Stream<axi::ReadBeat> r{"r"};
  sim::Stream<axi::WriteBurst> aw{"aw"};
  sim::Stream<axi::WriteBeat> w{"w"};
  sim::Stream<axi::WriteResponse> b{"b"};
  Source<axi::ReadBurst> reads;
  Source<axi::WriteBurst> writes;
  Source<axi::WriteBeat> write_beats;
  Sink<axi::ReadBeat> read_beats;
  Sink<axi::WriteResponse> responses;
  const std::unique_ptr<memory::Ddr> owner;
  memory::Ddr& ddr;
};

inline Edges run_of(sim::Edge first, int count) {
  Edges edges;
  for (int i = 0; i < count; ++i) edges.push_back(first + i);
  return edges;
}

inline Edges operator+(Edges a, const Edges& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace fansim::test
