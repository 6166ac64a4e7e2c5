// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "axi/port_streams.h"
#include "axi/types.h"
#include "sim/clock_domain.h"
#include "sim/stream.h"

namespace fansim::axi {

// Wires between the two ends of an interface, `data_bits` wide, which a waveform shows as "name.arvalid". A protocol
// checker is attached to them; a finding is a violation.
class PinLink {
 public:
  virtual ~PinLink() = default;
  virtual std::int64_t beats_checked() const = 0;
};

std::unique_ptr<PinLink> link_memory(const char* name, sim::ClockDomain& clock, int data_bits, PortStreams& manager,
                                     PortStreams& subordinate);
std::unique_ptr<PinLink> link_stream(const char* name, sim::ClockDomain& clock, int data_bits,
                                     sim::Stream<StreamBeat>& source, sim::Stream<StreamBeat>& sink);

// The streams of a register port, at one end of its wires.
struct LiteStreams {
  sim::Stream<LiteRequest>& request;
  sim::Stream<LiteResponse>& response;
};
std::unique_ptr<PinLink> link_lite(const char* name, sim::ClockDomain& clock, const LiteStreams& manager,
                                   const LiteStreams& subordinate);

}  // namespace fansim::axi
