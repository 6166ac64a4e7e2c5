// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "base/units.h"
#include "rules/read_wait.h"

namespace fansim::rules {

// Says where the cycles of a machine go whose critical engine is a MAC array: the state of the array at every edge, of
// which the first that matches counts (docs/timing.md). The machine's own account says what each state means there.
enum class ArrayBucket {
  compute,
  drain,
  fill,
  wait_output,
  wait_weights,
  wait_input,
  ddr_refresh,
  ddr_row_miss,
  ddr_turnaround,
  ddr_arbitration,
  dma_setup,
  host,
  idle,
};
constexpr std::size_t kArrayBuckets = static_cast<std::size_t>(ArrayBucket::idle) + 1;

// Holds cycles by bucket.
class ArrayBuckets : public std::array<base::Cycles, kArrayBuckets> {
 public:
  ArrayBuckets() : array{} {}
  base::Cycles& of(ArrayBucket bucket) { return (*this)[static_cast<std::size_t>(bucket)]; }
};

// Counts buckets for an account that names a bucket only at edges at which it may have changed.
class BucketSpans {
 public:
  // Goes on with this edge. Edges since the last bucket was told are in no bucket.
  void begin(base::Cycles edge) { from_ = edge; }
  // Makes this the bucket from this edge on.
  void enter(ArrayBucket bucket, base::Cycles edge) {
    counted_ = before(edge);
    bucket_ = bucket;
    from_ = edge;
  }
  // Returns the buckets of the edges before this one.
  ArrayBuckets before(base::Cycles edge) const {
    ArrayBuckets buckets = counted_;
    buckets.of(bucket_) += edge - from_;
    return buckets;
  }
  // Returns the buckets of the edges before the last call of enter().
  const ArrayBuckets& counted() const { return counted_; }

 private:
  ArrayBuckets counted_;
  ArrayBucket bucket_ = ArrayBucket::idle;
  base::Cycles from_ = 0;  // the first edge that is not in counted_
};

// Describes what the machine looks like at one edge, seen from the MAC array.
struct CycleSigns {
  bool compute = false;       // the array took a window
  bool drain = false;         // every window of the job is taken, or a layer's last results are on their way to DDR
  bool fill = false;          // line buffers or window are being filled, or the job's next pass is being issued
  bool wait_output = false;   // a window or job waits for room behind it
  bool wait_weights = false;  // a window or job waits for weights or bias
  bool wait_input = false;    // a job waits for its input
  ReadWait read_wait = ReadWait::none;  // for a wait for weights or input: what its oldest outstanding read waits for
  bool dma_setup = false;               // a DMA transfer is being prepared or has not issued its first burst
  bool host = false;                    // the host runs software, writes registers or enters an interrupt handler
};

// Returns the bucket of the edge: that of the first sign that holds. What a read waits for refines a wait for data.
ArrayBucket bucket(const CycleSigns& signs);

// Returns the bucket of an edge that waits for data while the oldest outstanding read waits for `why`; `wait` if that
// waits for nothing.
ArrayBucket data_wait(ReadWait why, ArrayBucket wait);

}  // namespace fansim::rules
