// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/timing/stream_core.h"
#include "contract/result.h"
#include "rules/array_buckets.h"
#include "timing/read_waits.h"

namespace fansim::stream {

// Collects who was at what when, and puts every edge of a layer into its bucket: stream::CycleAccount over spans
// instead of edges. Each list is in the order of its edges.
class LayerAccount {
 public:
  // If nobody asks for the layer's buckets, nothing is kept.
  explicit LayerAccount(bool kept) : kept_(kept) {}

  bool kept() const { return kept_; }
  // The host from `edge` on.
  void host(timing::Edge edge, bool working, bool preparing_dma, bool waits_for_output) {
    if (kept_) add_host({edge, working, preparing_dma, waits_for_output});
  }
  // A job waited in front of the sequencer for room for its outputs: what it reads is there (Script).
  void job_waits(timing::Span span) {
    if (kept_ && span.from < span.to) job_waits_.push_back(span);
  }
  void job_runs(timing::Span span) {
    if (kept_) jobs_.push_back(span);
  }
  void mm2s_busy(timing::Span span) {
    if (kept_) mm2s_.push_back(span);
  }
  // A receiver of weights or bias was not idle, as others see it.
  void receives_weights(timing::Span span) {
    if (kept_) receiving_.push_back(span);
  }

  rules::ArrayBuckets buckets(timing::Edge cycles, const StreamCore& core, const timing::ReadWaits& reads) const;

 private:
  struct Host {
    timing::Edge from;
    bool working, preparing_dma, waits_for_output;
  };

  void add_host(const Host& host);
  void without_job(timing::Span span, const timing::ReadWaits& reads, rules::ArrayBuckets& buckets) const;

  const bool kept_;
  std::vector<Host> host_;
  std::vector<timing::Span> job_waits_, jobs_, mm2s_, receiving_;
};

}  // namespace fansim::stream
