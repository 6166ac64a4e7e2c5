// SPDX-License-Identifier: Apache-2.0
#include "memory/ping_pong.h"

#include <algorithm>
#include <optional>

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

// The buffer has no streams: the lane writes, reads, claims and frees its targets at random, as receiver and core may.
template <class Model>
class PingPongLane final : public Lane<Model> {
 public:
  PingPongLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        sends_(p["SEND"] != 0),
        write_bytes_(p["WRITE_BYTES"]),
        read_bytes_(p["READ_BYTES"]),
        latency_(p["READ_LATENCY"]),
        targets_(p["RESIDENT_BYTES"] > 0 ? 3 : 2),
        buffer_(name.c_str(), sends_ ? memory::PingPong::Role::send : memory::PingPong::Role::receive,
                {p["WRITE_BYTES"], p["READ_BYTES"]}, p["HALF_BYTES"], p["RESIDENT_BYTES"]) {
    this->plant_port_fault();
  }

 private:
  using Row = std::vector<std::uint8_t>;

  void next_phase() override {}

  void before_edge() override {
    claim_ = free_ = -1;
    write_.clear();
    now_ = {};
    for (int target = 0; target < targets_; ++target)
      (buffer_.readable(target) ? use_readable(target) : use_writable(target));
    // The memory's output register takes what was read before.
    advance_ = this->random.chance(70);
    if (advance_) out_ = fetched_;
    if (now_.enabled) fetched_ = now_.bytes;
  }

  // A target takes one write or read at an edge, and one of each port's is enough.
  void use_writable(int target) {
    auto& filled = filled_[static_cast<std::size_t>(target)];
    const bool full = filled + write_bytes_ > buffer_.capacity(target);
    if (this->random.chance(3) || full) {
      finish(target);
      return;
    }
    if (!write_.empty() || !this->random.chance(80)) return;
    write_target_ = target;
    write_offset_ = filled;
    write_.resize(static_cast<std::size_t>(write_bytes_));
    for (std::uint8_t& byte : write_) byte = static_cast<std::uint8_t>(this->random.next());
    buffer_.write(target, filled, write_.data(), write_bytes_);
    filled += write_bytes_;
  }
  void finish(int target) {
    if (sends_) {
      if (claim_ >= 0) return;
      buffer_.complete(target);
      claim_ = target;
    } else {
      if (free_ >= 0) return;
      buffer_.done(target);
      free_ = target;
    }
  }
  void use_readable(int target) {
    auto& filled = filled_[static_cast<std::size_t>(target)];
    if (this->random.chance(2) || filled < read_bytes_) {
      begin(target);
      return;
    }
    if (now_.enabled || !this->random.chance(80)) return;
    now_.enabled = true;
    now_.target = target;
    now_.row = this->random.uniform(0, filled / read_bytes_ - 1);
    const std::uint8_t* bytes = buffer_.read(target, now_.row * read_bytes_, read_bytes_);
    now_.bytes.assign(bytes, bytes + read_bytes_);
  }
  // A receiver writes one target at a time, part after part from the claim on.
  void begin(int target) {
    if (claim_ >= 0 || free_ >= 0 || !write_.empty() || (!sends_ && writing())) return;
    if (sends_) {
      buffer_.fetched(target);
      free_ = target;
    } else {
      buffer_.begin(target);
      claim_ = target;
    }
    filled_[static_cast<std::size_t>(target)] = 0;
  }
  bool writing() const {
    for (int target = 0; target < targets_; ++target)
      if (!buffer_.readable(target)) return true;
    return false;
  }
  void drive_levels(Model& m) override {
    m.claim = claim_ >= 0;
    m.claim_target = static_cast<CData>(std::max(0, claim_));
    m.free = free_ >= 0;
    m.free_target = static_cast<CData>(std::max(0, free_));
    m.write = !write_.empty();
    m.write_target = static_cast<CData>(write_target_);
    m.write_address = static_cast<SData>(write_offset_ / write_bytes_);
    byte_fields(m.write_data, write_, static_cast<int>(write_.size()), Drive{});
    m.read = now_.enabled;
    m.advance = advance_;
    m.read_target = static_cast<CData>(now_.target);
    m.read_address = static_cast<SData>(now_.row);
  }

  void compare_after_edge(Model& m, const Compare& field) override {
    for (int target = 0; target < targets_; ++target)
      field("readable", target, m.readable, target, 1, buffer_.readable(target));
    const Row& data = latency_ == 2 ? out_ : fetched_;
    byte_fields(m.read_data, data, static_cast<int>(data.size()), field);
  }

  const bool sends_;
  const int write_bytes_, read_bytes_, latency_, targets_;
  memory::PingPong buffer_;

  struct ReadNow {
    bool enabled = false;
    int target = 0, row = 0;
    Row bytes;
  };
  int claim_ = -1, free_ = -1;
  Row write_;
  int write_target_ = 0, write_offset_ = 0;
  std::array<int, 3> filled_{};
  ReadNow now_;
  Row fetched_, out_;
  bool advance_ = false;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<PingPongLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
