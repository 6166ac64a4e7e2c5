// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "axi/pins/channels.h"
#include "axi/types.h"
#include "base/units.h"

// Converts what blocks send to the wires of a channel and back.
namespace fansim::axi {

constexpr unsigned kIncr = 1;        // AxBURST (IHI 0022 A3.4.1)
constexpr unsigned kBufferable = 3;  // AxCACHE of an AXI DMA: modifiable, bufferable (PG021)

// Writes a wire of one bit when it changes. `driven` is what its driver wrote last.
template <class Wire>
void drive(Wire& wire, bool& driven, bool value) {
  if (value != driven) wire.write(driven = value);
}

// Copies word by word, the lowest byte first.
template <int Data>
sc_dt::sc_bv<Data> to_wires(const BeatBytes& bytes) {
  sc_dt::sc_bv<Data> wires;
  for (int word = 0; word < Data / 32; ++word) {
    const std::uint8_t* const from = bytes.data() + 4 * word;
    wires.set_word(word,
                   from[0] | std::uint32_t{from[1]} << 8 | std::uint32_t{from[2]} << 16 | std::uint32_t{from[3]} << 24);
  }
  return wires;
}

template <int Data, class Bytes>
void from_wires(const sc_dt::sc_bv<Data>& wires, Bytes& bytes) {
  for (int word = 0; word < Data / 32; ++word) {
    const std::uint32_t value = wires.get_word(word);
    std::uint8_t* const to = bytes.data() + 4 * word;
    for (int i = 0; i < 4; ++i) to[i] = static_cast<std::uint8_t>(value >> 8 * i);
  }
}

template <class Role, class W, class Burst>
void drive(AddressChannel<Role, W>& pins, const Burst& burst) {
  pins.id.write(burst.id);
  pins.addr.write(burst.address);
  pins.len.write(static_cast<unsigned>(burst.beats - 1));
  pins.size.write(static_cast<unsigned>(base::ceil_log2(W::data / 8)));
  pins.burst.write(kIncr);
  pins.cache.write(kBufferable);
}
// Reads an address from the wires. A burst may begin within a beat (IHI 0022 A3.4.1), but blocks know whole beats only.
// The address is therefore that of the beat; strobes, or the manager, say which of the first beat's bytes count.
template <class Role, class W, class Burst>
void sample(const AddressChannel<Role, W>& pins, Burst& burst) {
  burst.id = static_cast<std::uint8_t>(pins.id.read().to_uint());
  burst.address = pins.addr.read() & ~std::uint64_t{W::data / 8 - 1};
  burst.beats = static_cast<int>(pins.len.read()) + 1;
}

// Returns what the blocks behind the wires do not support, or null if they support it.
template <class Channel>
const char* unsupported(const Channel&) {
  return nullptr;
}
template <class Role, class W>
const char* unsupported(const AddressChannel<Role, W>& pins) {
  if (pins.len.read() == 0) return nullptr;
  if (pins.burst.read() != kIncr) return "a burst of several beats that is not INCR";
  return pins.size.read() == static_cast<unsigned>(base::ceil_log2(W::data / 8)) ? nullptr : "a burst of narrow beats";
}

template <class Role, class W>
void drive(WriteDataChannel<Role, W>& pins, const WriteBeat& beat) {
  pins.data.write(to_wires<W::data>(beat.data));
  pins.strb.write(beat.strobe);
  pins.last.write(beat.last);
}
template <class Role, class W>
void sample(const WriteDataChannel<Role, W>& pins, WriteBeat& beat) {
  from_wires<W::data>(pins.data.read(), beat.data);
  beat.strobe = pins.strb.read();
  beat.last = pins.last.read();
}

template <class Role, class W>
void drive(ReadDataChannel<Role, W>& pins, const ReadBeat& beat) {
  pins.id.write(beat.id);
  pins.data.write(to_wires<W::data>(beat.data));
  pins.resp.write(static_cast<unsigned>(beat.resp));
  pins.last.write(beat.last);
}
template <class Role, class W>
void sample(const ReadDataChannel<Role, W>& pins, ReadBeat& beat) {
  beat.id = static_cast<std::uint8_t>(pins.id.read().to_uint());
  from_wires<W::data>(pins.data.read(), beat.data);
  beat.resp = static_cast<Resp>(pins.resp.read().to_uint());
  beat.last = pins.last.read();
}

template <class Role, class W>
void drive(WriteResponseChannel<Role, W>& pins, const WriteResponse& response) {
  pins.id.write(response.id);
  pins.resp.write(static_cast<unsigned>(response.resp));
}
template <class Role, class W>
void sample(const WriteResponseChannel<Role, W>& pins, WriteResponse& response) {
  response.id = static_cast<std::uint8_t>(pins.id.read().to_uint());
  response.resp = static_cast<Resp>(pins.resp.read().to_uint());
}

template <class Role, int Data>
void drive(StreamChannel<Role, Data>& pins, const StreamBeat& beat) {
  pins.data.write(to_wires<Data>(beat.data));
  pins.keep.write(byte_mask(beat.bytes));
  pins.last.write(beat.last);
}
template <class Role, int Data>
void sample(const StreamChannel<Role, Data>& pins, StreamBeat& beat) {
  from_wires<Data>(pins.data.read(), beat.data);
  beat.bytes = 0;
  for (std::uint64_t keep = pins.keep.read(); keep & 1; keep >>= 1) ++beat.bytes;
  beat.last = pins.last.read();
}

}  // namespace fansim::axi
