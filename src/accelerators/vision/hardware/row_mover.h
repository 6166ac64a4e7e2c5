// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/config/rows.h"
#include "accelerators/vision/hardware/types.h"
#include "axi/transfer.h"
#include "sim/reg.h"

namespace fansim::vision {

// Gives a data mover of the AXI DMA the rows of an image, one transfer after another, as an AXI VDMA does (PG020: start
// address, horizontal size, stride, vertical size). Rows without a gap between them form one transfer, up to the limit
// of its length register.
// Throughput: a transfer at a time.
// Latency:    a job popped at n: its first command is pushed at n; a transfer's end popped at n: the next command is
//             pushed at n.
// Stall:      waits for the mover.
class RowMover final : public sim::Module {
 public:
  sim::StreamIn<JobStart> start{"start"};
  sim::StreamOut<axi::TransferCommand> command{"command"};
  sim::StreamIn<axi::TransferDone> done{"done"};

  RowMover(const sc_core::sc_module_name& name, Rows rows, int length_bits);

  const sim::Reg<std::int64_t>& jobs_done() const { return jobs_done_; }
  std::int64_t bytes() const { return bytes_.value(); }
  std::string waiting_for() const override { return left_ > 0 || moving_ ? "a transfer's end" : ""; }

 private:
  void step() override;
  void begin(const Job& job);
  void send();

  const Rows rows_;
  const std::uint32_t longest_;
  std::uint32_t address_ = 0, pitch_ = 0, row_bytes_ = 0, left_ = 0;  // rows
  std::uint32_t rows_at_once_ = 1;
  bool moving_ = false;

  sim::Reg<std::int64_t> jobs_done_{*this, "jobs_done"};
  sim::Counter transfers_{*this, "transfers", "transfers", "transfers that the mover was given"};
  sim::Counter bytes_{*this, "bytes", "bytes", "bytes of these"};
};

}  // namespace fansim::vision
