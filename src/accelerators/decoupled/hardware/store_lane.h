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

// One lane of the store unit: a mover, and what it is told of a command's planes.
class StoreLane {
 public:
  // Makes `count` bytes of a transfer, those from its byte `at` on.
  using Source = std::function<void(const Transfer&, std::uint32_t at, std::uint8_t* bytes, std::uint32_t count)>;

  StoreLane(int lane, const Config& config, Source source);

  sim::StreamOut<axi::TransferCommand> command;
  sim::StreamIn<axi::TransferDone> done;
  sim::StreamOut<axi::StreamBeat> data;

  void begin(const Transfers& transfers, int beat_interval);
  // An edge; says what is wrong, nothing if all is well.
  std::string step(sim::Edge now);
  bool ended() const { return phase_ == Phase::ended; }
  // Whether it is at its own pace: it moves no stream, and will get on.
  bool idles(sim::Edge now) const { return phase_ == Phase::before || (phase_ == Phase::beats && now < push_from_); }
  std::int64_t bytes() const { return bytes_; }

 private:
  // Edges before a transfer, the push of its command, its beats, its end.
  enum class Phase { before, push, beats, end, ended };

  void next();
  void push(sim::Edge now);

  const std::uint32_t beat_bytes_;
  const int row_setup_;
  const Source source_;
  std::optional<Transfers> transfers_;
  Transfer transfer_;
  Phase phase_ = Phase::ended;
  int left_ = 0;            // edges
  std::uint32_t sent_ = 0;  // bytes
  int interval_ = 1;
  sim::Edge push_from_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace fansim::decoupled
