// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/hardware/types.h"
#include "axi/types.h"
#include "sim/reg.h"

namespace fansim::vision {

// Holds results, selects those of a row that are to be written, and packs them into stream beats. Zeros fill a row up
// to its number of bytes.
// Throughput: one beat of results per cycle, but for beats that only fill a row.
// Latency:    a result popped at n is taken at n + 1 or later; a stream beat that is complete with results taken at n
//             is pushed at n + 1.
// Stall:      takes no result while a complete stream beat cannot leave. Results that come have room, because the
//             reader sends none without it.
class ResultPacker final : public sim::Module {
 public:
  sim::StreamIn<JobStart> start{"start"};
  sim::StreamIn<PixelBeat> in{"in"};
  sim::StreamOut<axi::StreamBeat> out{"out"};

  ResultPacker(const sc_core::sc_module_name& name, const Config& config);

  // Returns how many results have been taken.
  const sim::Reg<std::int64_t>& taken() const { return taken_; }
  // Returns the number of jobs of which all results have been taken.
  const sim::Reg<std::int64_t>& jobs_done() const { return jobs_done_; }
  std::int64_t samples() const { return written_.value(); }

 private:
  void step() override;
  void begin();
  bool send();
  void take(const PixelBeat& beat);
  bool complete() const { return held_ >= beat_bytes_ || row_ended_; }

  const int samples_, beat_bytes_;
  axi::Ring<PixelBeat> results_;
  const Job* job_ = nullptr;
  int row_steps_ = 1, row_ = 0, step_ = 0;  // place of the next results
  std::vector<std::uint8_t> bytes_;         // of the beat that is being filled and of those after it
  int held_ = 0;
  bool row_ended_ = false;                      // the row's last samples are in bytes_
  std::uint32_t row_left_ = 0, rows_left_ = 0;  // bytes left of the row; rows left

  std::int64_t left_ = 0;  // results left of the job

  sim::Reg<std::int64_t> taken_{*this, "taken"};
  sim::Reg<std::int64_t> jobs_done_{*this, "jobs_done"};
  sim::Counter written_{*this, "written", "samples", "samples of the result"};
  sim::Counter beats_{*this, "beats", "beats", "stream beats sent"};
  sim::Counter stalls_{*this, "stalls", "cycles", "a stream beat was refused"};
};

}  // namespace fansim::vision
