// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "accelerators/tiled/estimate/blocks.h"
#include "accelerators/tiled/estimate/parts.h"
#include "base/units.h"

// This file estimates the path of the data from memory to the stores and back.
namespace fansim::tiled {
namespace {

// Returns a FIFO between two clocks for one AXI channel, in distributed RAM.
Resources clock_crossing(const contract::ClockConverterConfig& c, int bits) {
  const int words = base::ceil_div(c.depth, t::kFifoLutWords);
  const int pointers = 2 * (base::ceil_log2(c.depth) + 1);
  Resources use = control(pointers * (1 + c.sync_stages));
  const int luts = base::ceil_div(bits, t::kFifoLutBits) * t::kFifoLuts * words;
  return use += Resources{0, luts, bits, 0, luts};
}

// Returns the port of a stream: its converters of clock and width, and its place at the interconnect.
Resources port(const Config& c, int bits) {
  Resources use = clock_crossing(c.clock_converter, bits);
  use += clock_crossing(c.clock_converter, t::kAddressChannelBits);
  use += stream_of(std::max(bits, c.port.data_bits));
  return use += stream_of(t::kAddressChannelBits);
}

}  // namespace

Resources instruction_unit(const Config&) {
  constexpr int kStages = 6;  // two loaders, walker, post-processing, store, and the unit itself
  Resources use = control(k::kLiteBits + t::kJobBits);
  use.dsp = t::kIndexDsp;
  return use += Resources{0, 0, kStages * t::kJobBits, 0};
}

Resources input_loader(const Config& c) {
  Resources use = control(t::kLoaderBits + t::kReaderBits);
  return use += stream_of(c.load.input_bits);
}

Resources weight_loader(const Config& c) {
  Resources use = control(t::kLoaderBits + t::kReaderBits);
  return use += stream_of(c.load.weight_bits);
}

// Values are rotated to the column that follows from their place in the map.
Resources map_decoder(const Config& c) {
  const Encoding e = c.input_encoding();
  Resources use = luts(e.beat_bits * k::lut_per_mux_bit(e.per_beat()));
  use += control(t::kWalkerBits);
  return use += stream_of(e.beat_bits);
}

Resources weight_decoder(const Config& c) {
  Resources use = control(t::kWalkerBits);
  return use += stream_of(c.load.weight_bits);
}

Resources memory_path(const Config& c) {
  Resources use = port(c, c.load.input_bits);
  use += port(c, c.load.weight_bits);
  use += port(c, c.store.bits);
  const k::VendorIp& ip = k::kMemoryInterconnect;
  const int ports = c.load.order == LoadOrder::parallel ? 2 : 1;
  for (int i = 0; i < ports; ++i)
    use += Resources{0, whole(ip.lut + ip.lut_per_bit * c.port.data_bits),
                     whole(ip.ff + ip.ff_per_bit * c.port.data_bits), 0};
  use += k::kControlInterconnect;
  return use += k::kResetBlock;
}

// It does the same as the decoder in the other direction.
Resources map_encoder(const Config& c) {
  const Encoding e = c.output_encoding();
  Resources use =
      luts(e.beat_bits * k::lut_per_mux_bit(e.per_beat()) + e.beat_bits * k::lut_per_mux_bit(c.store.lanes));
  use += control(t::kLoaderBits + t::kReaderBits + t::kWalkerBits);
  return use += stream_of(e.beat_bits);
}

Resources output_store(const Config& c) {
  const int channels = std::max({c.conv.tm, c.first.tm, c.fc.tm});
  BankedStore lane = columns_of(c.output_encoding(), c.store.words * base::ceil_div(channels, c.store.lanes));
  lane.mode = output_ports(c).mode;
  lane.banks *= output_ports(c).written;
  lane.halves = 2;
  return store(lane);
}

}  // namespace fansim::tiled
