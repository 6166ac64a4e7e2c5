// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/checker/view.h"
#include "axi/pins/bundle.h"
#include "axi/pins/lite.h"
#include "axi/pins/payload.h"

// Reads the wires of an interface, or ports to them, into the views that the rules check. The payload is read only
// while it is valid.
namespace fansim::axi {

constexpr int kLiteBits = 32;

template <class Role, class W>
void look(const AddressChannel<Role, W>& pins, AddressView& v) {
  v.valid = pins.valid.read();
  v.ready = pins.ready.read();
  if (!v.valid) return;
  v.id = pins.id.read().to_uint();
  v.addr = pins.addr.read();
  v.len = pins.len.read().to_uint();
  v.size = pins.size.read().to_uint();
  v.burst = pins.burst.read().to_uint();
  v.cache = pins.cache.read().to_uint();
  v.prot = pins.prot.read().to_uint();
  v.qos = pins.qos.read().to_uint();
  v.lock = pins.lock.read();
}

template <class Roles, class W>
Axi4View view(const Axi4Pins<Roles, W>& pins, bool resetn) {
  Axi4View v;
  v.resetn = resetn;
  look(pins.aw, v.aw);
  look(pins.ar, v.ar);
  v.w.valid = pins.w.valid.read();
  v.w.ready = pins.w.ready.read();
  if (v.w.valid) {
    from_wires(pins.w.data.read(), v.w.data);
    v.w.strb = pins.w.strb.read();
    v.w.last = pins.w.last.read();
  }
  v.b.valid = pins.b.valid.read();
  v.b.ready = pins.b.ready.read();
  if (v.b.valid) {
    v.b.id = pins.b.id.read().to_uint();
    v.b.resp = pins.b.resp.read().to_uint();
  }
  v.r.valid = pins.r.valid.read();
  v.r.ready = pins.r.ready.read();
  if (!v.r.valid) return v;
  from_wires(pins.r.data.read(), v.r.data);
  v.r.id = pins.r.id.read().to_uint();
  v.r.resp = pins.r.resp.read().to_uint();
  v.r.last = pins.r.last.read();
  return v;
}

template <class Role, class Word>
void look(const LiteChannel<Role, Word>& pins, unsigned protection, AddressView& v) {
  constexpr unsigned kWord = 2;  // AxSIZE of 4 bytes
  v.valid = pins.valid.read();
  v.ready = pins.ready.read();
  if (v.valid) {
    v.addr = pins.payload.read().to_uint();
    v.size = kWord;
    v.prot = protection;
  }
}

inline void look(std::uint32_t word, WireBytes& bytes) {
  for (std::size_t i = 0; i < kLiteBits / 8; ++i) bytes[i] = static_cast<std::uint8_t>(word >> 8 * i);
}

template <class Roles>
Axi4View view(const LitePins<Roles>& pins, bool resetn) {
  Axi4View v;
  v.resetn = resetn;
  look(pins.aw, pins.awprot.read().to_uint(), v.aw);
  look(pins.ar, pins.arprot.read().to_uint(), v.ar);
  v.w.valid = pins.w.valid.read();
  v.w.ready = pins.w.ready.read();
  v.w.last = true;
  if (v.w.valid) {
    look(pins.w.payload.read().to_uint(), v.w.data);
    v.w.strb = pins.wstrb.read().to_uint();
  }
  v.b.valid = pins.b.valid.read();
  v.b.ready = pins.b.ready.read();
  if (v.b.valid) v.b.resp = pins.b.payload.read().to_uint();
  v.r.valid = pins.r.valid.read();
  v.r.ready = pins.r.ready.read();
  v.r.last = true;
  if (v.r.valid) {
    look(pins.r.payload.read().to_uint(), v.r.data);
    v.r.resp = pins.rresp.read().to_uint();
  }
  return v;
}

template <class Roles, int Data>
StreamView view(const StreamPins<Roles, Data>& pins, bool resetn) {
  StreamView v;
  v.resetn = resetn;
  v.valid = pins.t.valid.read();
  v.ready = pins.t.ready.read();
  if (v.valid) {
    from_wires(pins.t.data.read(), v.data);
    v.keep = pins.t.keep.read();
    v.last = pins.t.last.read();
  }
  return v;
}

}  // namespace fansim::axi
