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

// Models one lane of the store unit: a mover, and the planes of a command that it must move.
class StoreLane {
 public:
  // Makes `count` bytes of a transfer, from its byte `at` on.
  using Source = std::function<void(const Transfer&, std::uint32_t at, std::uint8_t* bytes, std::uint32_t count)>;

  StoreLane(int lane, const Config& config, Source source);

  sim::StreamOut<axi::TransferCommand> command;
  sim::StreamIn<axi::TransferDone> done;
  sim::StreamOut<axi::StreamBeat> data;

  void begin(const Transfers& transfers, int beat_interval);
  // Does one edge. Returns an error, or nothing.
  std::string step(sim::Edge now);
  bool ended() const { return phase_ == Phase::ended; }
  // Returns whether it counts edges of its own: it moves no data, and will continue by itself.
  bool idles(sim::Edge now) const { return phase_ == Phase::before || (phase_ == Phase::beats && now < push_from_); }
  std::int64_t bytes() const { return bytes_; }

 private:
  // The phases of a transfer are: edges before it, the push of its command, its beats, and its end.
  enum class Phase { before, push, beats, end, ended };

  void next();
  void push(sim::Edge now);

  const std::uint32_t beat_bytes_;
  const int row_setup_;
  const Source source_;
  std::optional<Transfers> transfers_;
  Transfer transfer_;
  Phase phase_ = Phase::ended;
  int left_ = 0;            // edges left in the phase
  std::uint32_t sent_ = 0;  // in bytes
  int interval_ = 1;
  sim::Edge push_from_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace fansim::decoupled
