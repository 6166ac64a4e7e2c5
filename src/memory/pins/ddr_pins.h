// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/pins/adapters.h"
#include "axi/pins/bundle.h"
#include "contract/memory_image.h"
#include "memory/ddr.h"

namespace fansim::memory {

// The DDR behind plain pins, for a test bench of the user's own. It steps at the rising edges of its clock domain,
// whose clk() is the bench's clock. Bursts of several beats are INCR and as wide as the bus; others are a violation.
// Any burst may begin within a beat.
template <int Data>
class DdrPins final : public sc_core::sc_module {
 public:
  axi::Axi4Pins<axi::SubordinateRole, axi::Widths<Data>> s_axi{"s_axi_"};

  DdrPins(const sc_core::sc_module_name& name, const contract::DdrConfig& config, const contract::AxiConfig& axi,
          contract::MemoryImage memory)
      : sc_module(name), ddr_(make_ddr("ddr", config, axi, std::move(memory))) {
    if (axi.data_bits != Data) throw std::invalid_argument("DdrPins: data_bits is not the width of the pins");
    from_ar_.out(ar_);
    ddr_->ar(ar_);
    ddr_->r(r_);
    to_r_.in(r_);
    from_aw_.out(aw_);
    ddr_->aw(aw_);
    from_w_.out(w_);
    ddr_->w(w_);
    ddr_->b(b_);
    to_b_.in(b_);
  }

  Ddr& ddr() { return *ddr_; }

 private:
  std::unique_ptr<Ddr> ddr_;
  sim::Stream<axi::ReadBurst> ar_{"ar_stream"};
  sim::Stream<axi::ReadBeat> r_{"r_stream"};
  sim::Stream<axi::WriteBurst> aw_{"aw_stream"};
  sim::Stream<axi::WriteBeat> w_{"w_stream"};
  sim::Stream<axi::WriteResponse> b_{"b_stream"};

  axi::FromPins<axi::ReadBurst, decltype(s_axi.ar)> from_ar_{"from_ar", s_axi.ar};
  axi::ToPins<axi::ReadBeat, decltype(s_axi.r)> to_r_{"to_r", s_axi.r};
  axi::FromPins<axi::WriteBurst, decltype(s_axi.aw)> from_aw_{"from_aw", s_axi.aw};
  axi::FromPins<axi::WriteBeat, decltype(s_axi.w)> from_w_{"from_w", s_axi.w};
  axi::ToPins<axi::WriteResponse, decltype(s_axi.b)> to_b_{"to_b", s_axi.b};
};

}  // namespace fansim::memory
