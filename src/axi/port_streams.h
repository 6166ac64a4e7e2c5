// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "axi/types.h"
#include "sim/stream.h"

namespace fansim::axi {

// The five channels between a manager and a subordinate.
struct PortStreams {
  explicit PortStreams(const std::string& name)
      : ar((name + "_ar").c_str()),
        r((name + "_r").c_str()),
        aw((name + "_aw").c_str()),
        w((name + "_w").c_str()),
        b((name + "_b").c_str()) {}

  // Connect a block of either side, which has the channels as ports.
  template <class Block>
  void join(Block& block) {
    join_reads(block);
    join_writes(block);
  }
  template <class Block>
  void join_reads(Block& block) {
    block.ar(ar);
    block.r(r);
  }
  template <class Block>
  void join_writes(Block& block) {
    block.aw(aw);
    block.w(w);
    block.b(b);
  }

  sim::Stream<ReadBurst> ar;
  sim::Stream<ReadBeat> r;
  sim::Stream<WriteBurst> aw;
  sim::Stream<WriteBeat> w;
  sim::Stream<WriteResponse> b;
};

}  // namespace fansim::axi
