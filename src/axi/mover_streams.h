// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "axi/transfer.h"
#include "axi/types.h"
#include "sim/stream.h"

namespace fansim::axi {

// The streams of a data mover, Mm2s or S2mm: its transfers, their ends, and its data.
struct MoverStreams {
  MoverStreams(const std::string& commands, const std::string& ends, const std::string& beats)
      : command(commands.c_str()), done(ends.c_str()), data(beats.c_str()) {}

  // Connects the mover and the block that tells it what to transfer.
  template <class Mover, class Block>
  void join(Mover& mover, Block& block) {
    block.command(command);
    mover.command(command);
    mover.done(done);
    block.done(done);
  }

  sim::Stream<TransferCommand> command;
  sim::Stream<TransferDone> done;
  sim::Stream<StreamBeat> data;
};

}  // namespace fansim::axi
