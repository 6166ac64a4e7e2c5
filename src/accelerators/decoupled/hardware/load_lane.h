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

// One lane of a load unit: a mover, and what it is told of a command's planes.
class LoadLane {
 public:
  // Where bytes of a transfer go: those from its byte `at` on.
  using Sink = std::function<void(const Transfer&, std::uint32_t at, const std::uint8_t* bytes, std::uint32_t count)>;
  // A plane is begun: its border is filled.
  using Fill = std::function<void(int plane)>;

  LoadLane(int lane, const Config& config, Sink sink, Fill fill);

  sim::StreamOut<axi::TransferCommand> command;
  sim::StreamIn<axi::TransferDone> done;
  sim::StreamIn<axi::StreamBeat> data;

  void begin(const Transfers& transfers);
  // An edge; says what is wrong, nothing if all is well.
  std::string step();
  bool ended() const { return phase_ == Phase::ended; }
  // Whether it is at its own pace: it moves no stream, and will get on.
  bool idles() const { return left_ > 0 && (phase_ == Phase::before || phase_ == Phase::behind); }
  std::int64_t bytes() const { return bytes_; }

 private:
  // Edges before a transfer, the push of its command, its beats, edges behind it.
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
  std::int64_t left_ = 0;  // edges, or bytes
  std::int64_t bytes_ = 0;
};

}  // namespace fansim::decoupled
