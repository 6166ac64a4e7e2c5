// SPDX-License-Identifier: Apache-2.0
// These tests do on wires what foreign managers may do and the kit's blocks do not.
#include <catch2/catch.hpp>

#include "axi/pins/adapters.h"
#include "axi/pins/bundle.h"
#include "axi/port_streams.h"
#include "axi/ram.h"
#include "support/stream_bench.h"

namespace fansim::foreign_manager_test {

namespace {

using W = axi::Widths<64>;
using Wires = axi::WireBundle<axi::Axi4Pins<axi::WiresRole, W>>;

// Puts a RAM behind wires.
struct Behind {
  explicit Behind(Wires& wires)
      : ar("from_ar", wires.ar), aw("from_aw", wires.aw), w("from_w", wires.w), r("to_r", wires.r), b("to_b", wires.b) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    ar.out(port.ar);
    ram.ar(port.ar);
    aw.out(port.aw);
    ram.aw(port.aw);
    w.out(port.w);
    ram.w(port.w);
    ram.r(port.r);
    r.in(port.r);
    ram.b(port.b);
    b.in(port.b);
  }
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(0x4000);
  axi::PortStreams port{"port"};
  axi::Ram ram{"ram", contract::RamConfig{}, W::data / 8, bytes};
  axi::FromPins<axi::ReadBurst, decltype(Wires::ar)> ar;
  axi::FromPins<axi::WriteBurst, decltype(Wires::aw)> aw;
  axi::FromPins<axi::WriteBeat, decltype(Wires::w)> w;
  axi::ToPins<axi::ReadBeat, decltype(Wires::r)> r;
  axi::ToPins<axi::WriteResponse, decltype(Wires::b)> b;
};

template <class Channel>
void address(Channel& channel, bool valid, std::uint64_t at, unsigned beats) {
  channel.valid.write(valid);
  channel.addr.write(at);
  channel.len.write(beats - 1);
  channel.size.write(3);
  channel.burst.write(axi::kIncr);
}

}  // namespace

TEST_CASE("a burst that begins within a beat reads the whole beats it lies in and writes what its strobes say") {
  test::Bench bench;
  Wires wires("wires");
  Behind behind(wires);
  const std::vector<std::uint8_t> before = behind.bytes;
  std::vector<std::uint8_t> read;
  int responses = 0;
  // Its bytes are 0x1003 to 0x100f, and 0x2005 to 0x200b.
  bench.at_each_edge([&](sim::Edge edge) {
    address(wires.ar, edge == 5, 0x1003, 2);
    address(wires.aw, edge == 5, 0x2005, 2);
    wires.w.valid.write(edge == 6 || edge == 9);
    wires.w.last.write(edge == 9);
    wires.w.strb.write(edge == 6 ? 0xe0 : 0x0f);
    wires.w.data.write(~sc_dt::sc_bv<64>());
    wires.r.ready.write(true);
    wires.b.ready.write(true);
    std::array<std::uint8_t, 8> beat{};
    axi::from_wires<64>(wires.r.data.read(), beat);
    if (wires.r.valid.read()) read.insert(read.end(), beat.begin(), beat.end());
    responses += wires.b.valid.read() ? 1 : 0;
  });
  bench.run(60);
  CHECK(read == std::vector<std::uint8_t>(before.begin() + 0x1000, before.begin() + 0x1010));
  CHECK(responses == 1);
  for (std::size_t i = 0; i < before.size(); ++i) {
    INFO("byte " << i);
    REQUIRE(behind.bytes[i] == (i >= 0x2005 && i < 0x200c ? 0xff : before[i]));
  }
}

}  // namespace fansim::foreign_manager_test
