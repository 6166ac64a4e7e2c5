// SPDX-License-Identifier: Apache-2.0
#include "axi/checker/checker.h"

namespace fansim::axi {
namespace {

constexpr unsigned kWord = 2;  // AxSIZE of 4 bytes

template <class Channel>
AddressView lite_address(const Channel& c, unsigned protection) {
  AddressView v;
  v.valid = c.valid.read(), v.ready = c.ready.read(), v.prot = protection;
  v.addr = c.payload.read().to_uint(), v.size = kWord;
  return v;
}

WireBytes lite_data(std::uint32_t word) {
  WireBytes bytes{};
  for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(word >> 8 * i);
  return bytes;
}

}  // namespace

void LiteChecker::at_edge() {
  Axi4View v;
  v.resetn = aresetn.read();
  v.aw = lite_address(pins.aw, pins.awprot.read().to_uint());
  v.ar = lite_address(pins.ar, pins.arprot.read().to_uint());
  v.w = {pins.w.valid.read(), pins.w.ready.read(), lite_data(pins.w.payload.read().to_uint()),
         pins.wstrb.read().to_uint(), true};
  v.b = {pins.b.valid.read(), pins.b.ready.read(), 0, pins.b.payload.read().to_uint()};
  v.r = {pins.r.valid.read(),
         pins.r.ready.read(),
         0,
         lite_data(pins.r.payload.read().to_uint()),
         pins.rresp.read().to_uint(),
         true};
  rules_.edge(v);
}

}  // namespace fansim::axi
