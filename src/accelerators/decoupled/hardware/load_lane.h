// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "accelerators/decoupled/config/config.h"
#include "accelerators/decoupled/config/transfers.h"
#include "axi/transfer.h"
#include "axi/types.h"
#include "sim/stream.h"

namespace fansim::decoupled {

// Models one lane of a load unit: a mover, and the planes of a command that it must move.
class LoadLane {
 public:
  // Takes bytes of a transfer, from its byte `at` on.
  using Sink = std::function<void(const Transfer&, std::uint32_t at, const std::uint8_t* bytes, std::uint32_t count)>;
  // Called when a plane begins, to fill its border.
  using Fill = std::function<void(int plane)>;

  LoadLane(int lane, const Config& config, Sink sink, Fill fill);

  sim::StreamOut<axi::TransferCommand> command;
  sim::StreamIn<axi::TransferDone> done;
  sim::StreamIn<axi::StreamBeat> data;

  void begin(const Transfers& transfers);
  // Does one edge. Returns an error, or nothing.
  std::string step();
  bool ended() const { return phase_ == Phase::ended; }
  // Returns whether it counts edges of its own: it moves no data, and will continue by itself.
  bool idles() const { return left_ > 0 && (phase_ == Phase::before || phase_ == Phase::behind); }
  std::int64_t bytes() const { return bytes_; }

 private:
  // The phases of a transfer are: edges before it, the push of its command, its beats, and edges after it.
  enum class Phase { before, push, beats, behind, ended };

  void next();
  void settle();
  std::string pop();

  const int pad_interval_, row_setup_;
  const Sink sink_;
  const Fill fill_;
  std::optional<Transfers> transfers_;
  Transfer transfer_;
  Phase phase_ = Phase::ended;
  std::int64_t left_ = 0;  // edges or bytes left in the phase
  std::int64_t bytes_ = 0;
};

}  // namespace fansim::decoupled
