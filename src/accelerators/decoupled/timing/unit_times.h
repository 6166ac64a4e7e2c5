// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/decoupled/config/account.h"
#include "accelerators/decoupled/timing/mover_lanes.h"
#include "accelerators/decoupled/timing/tokens.h"

namespace fansim::decoupled {

using Buckets = std::array<timing::Edge, kHost>;  // all but the last

// Times a unit's commands of a job, each from the edge at which it begins to the edge at which it ends.
class UnitTime {
 public:
  UnitTime(Unit unit, const Config& config, Tokens& tokens) : unit_(unit), config_(config), tokens_(tokens) {}
  virtual ~UnitTime() = default;

  // Takes up the unit's commands at edge `start`.
  void start(const Job& job, timing::Edge start);
  bool done() const { return at_ == commands_.size() && !busy_; }
  // Returns the end of the last command, or the edge before the job if there is none.
  timing::Edge ended() const { return free_ - 1; }
  // Goes on as far as edges can be computed now. Returns false if that is nowhere.
  virtual bool advance() = 0;
  virtual bool ask() { return false; }

 protected:
  // Begins the next command and sets `edge` to its first edge. Returns null if there is no command, or if it is not
  // decided when it begins.
  const Command* begin(timing::Edge& edge);
  void end(timing::Edge edge);
  // Is called before a command that waited for another unit's token from `from` until `to`.
  virtual void waited(Unit, timing::Edge /*from*/, timing::Edge /*to*/) {}

  const Unit unit_;
  const Config& config_;

 private:
  Tokens& tokens_;
  std::vector<const Command*> commands_;
  std::size_t at_ = 0;
  std::uint8_t gives_ = 0;
  bool busy_ = false;
  timing::Edge free_ = 0;  // a command may begin from here on
};

class ComputeTime final : public UnitTime {
 public:
  ComputeTime(const Config& config, Tokens& tokens, Buckets& buckets)
      : UnitTime(Unit::compute, config, tokens), buckets_(buckets) {}
  bool advance() override;

 private:
  void waited(Unit unit, timing::Edge from, timing::Edge to) override;

  Buckets& buckets_;
};

// Times a unit with lanes, which begin a command together and end it with the last of them.
template <class Lane>
class MoverTime final : public UnitTime {
 public:
  // With `closed_forms`, lanes move beats that nothing holds up many at once.
  MoverTime(Unit unit, const Config& config, Tokens& tokens, timing::Memory& memory, bool closed_forms);
  bool advance() override;
  bool ask() override;

  std::int64_t bytes() const;
  std::vector<Lane>& lanes() { return lanes_; }

 private:
  void begin_lanes(const Command& command, timing::Edge at);

  bool moving_ = false;
  timing::Edge least_end_ = 0;
  std::vector<Lane> lanes_;
};

}  // namespace fansim::decoupled
