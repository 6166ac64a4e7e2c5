// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/ring.h"
#include "axi/types.h"
#include "contract/extent.h"
#include "contract/extent_port.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// Writes the beats of extents to memory in bursts.
// Throughput: one burst per cycle, one beat per cycle on `beats` and on `w`.
// Latency:    a burst whose last beat was popped at t is issued, and its first beat sent if the bursts before have
//             left, at t + buffer_latency(). `written` is pushed when the last response of an extent with `last` is
//             popped.
// Stall:      `beats` waits while the buffer of two bursts is full. A burst is issued only when buffered whole, with at
//             most `outstanding` unanswered, so `w` is never late. Room and slots freed at t are used from t + 1 on.
class ExtentWriter final : public sim::Module {
 public:
  sim::StreamIn<contract::Extent> runs{"runs"};
  sim::StreamIn<contract::ExtentBeat> beats{"beats"};
  sim::StreamOut<WriteBurst> aw{"aw"};
  sim::StreamOut<WriteBeat> w{"w"};
  sim::StreamIn<WriteResponse> b{"b"};
  sim::StreamOut<contract::TileWritten> written{"written"};

  ExtentWriter(const sc_core::sc_module_name& name, const contract::ExtentPortConfig& config);

  // Returns whether everything that was taken has been answered. It is for observers; blocks use `written`.
  bool idle() const { return to_issue_ == 0 && buffer_.empty() && unanswered_.empty(); }
  std::int64_t bytes() const { return bytes_.value(); }
  std::int64_t beats_sent() const { return beats_sent_.value(); }
  std::string waiting_for() const override;

 private:
  struct Burst {
    int beats = 0;  // still to send
    bool ends_extent = false;
  };
  struct Answer {
    bool ends_tile = false;
  };

  void step() override;
  void start();
  void issue();
  void accept();
  void send();
  void answer();

  const contract::AxiConfig axi_;
  std::uint64_t address_ = 0;  // address of the next burst
  int to_issue_ = 0;           // beats of the extent
  bool ends_tile_ = false;     // the extent is the last one of its tile
  Ring<contract::ExtentBeat> buffer_;
  int unissued_ = 0;         // beats in the buffer that no burst has been issued for
  Ring<Burst> leaving_;      // bursts that are issued and not sent completely
  Ring<Answer> unanswered_;  // one for each burst that was issued

  sim::Counter runs_taken_{*this, "runs", "runs", "runs written"};
  sim::Counter bursts_{*this, "bursts", "bursts", "bursts issued"};
  sim::Counter beats_sent_{*this, "beats", "beats", "beats written"};
  sim::Counter bytes_{*this, "bytes", "bytes", "bytes written"};
  sim::Counter stalls_{*this, "stalls", "cycles", "a beat there but the buffer full"};
};

}  // namespace fansim::axi
