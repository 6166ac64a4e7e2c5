// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/result.h"
#include "timing/read_waits.h"
#include "timing/stream_core.h"

namespace fansim::timing {

// Collects who was at what when, and puts every edge of a layer into its bucket: systems::CycleAccount over spans
// instead of edges. Each list is in the order of its edges.
class LayerAccount {
 public:
  enum class JobWait { none, input, weights, output };

  // The host from `edge` on.
  void host(Edge edge, bool working, bool preparing_dma, bool waits_for_output);
  // A job waited in front of the sequencer.
  void job_waits(Span span, JobWait what) {
    if (span.from < span.to) job_waits_.push_back({span, what});
  }
  void job_runs(Span span) { jobs_.push_back(span); }
  void mm2s_busy(Span span) { mm2s_.push_back(span); }
  // A receiver of weights or bias was not idle, as others see it.
  void receives_weights(Span span) { receiving_.push_back(span); }

  arch::Buckets buckets(Edge cycles, const StreamCore& core, const ReadWaits& reads) const;

 private:
  struct Host {
    Edge from;
    bool working, preparing_dma, waits_for_output;
  };
  struct Waiting {
    Span span;
    JobWait what;
  };

  void without_job(Span span, const ReadWaits& reads, arch::Buckets& buckets) const;

  std::vector<Host> host_;
  std::vector<Waiting> job_waits_;
  std::vector<Span> jobs_, mm2s_, receiving_;
};

}  // namespace fansim::timing
