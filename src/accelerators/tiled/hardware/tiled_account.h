// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "contract/result.h"
#include "rules/array_buckets.h"
#include "sim/module.h"

namespace fansim::tiled {

struct TiledBlocks;

// Puts every edge of a layer into exactly one bucket, as the engine that computes the layer sees it, and counts what
// each stage did. It steps last, so the states that it reads are those of the same edge.
class TiledAccount final : public sim::Module {
 public:
  TiledAccount(const sc_core::sc_module_name& name, TiledBlocks& blocks);

  // `engine` is the number of the layer's engine.
  void begin_layer(int engine);
  // Returns the buckets of the layer so far.
  const rules::ArrayBuckets& buckets() const { return buckets_; }
  rules::ArrayBuckets end_layer() {
    active_ = false;
    return buckets_;
  }
  std::vector<contract::StageResult> stages() const;
  std::int64_t bytes_read() const;
  std::int64_t bytes_written() const;

 private:
  void step() override;
  rules::CycleSigns signs() const;
  bool engine_signs(rules::CycleSigns& s) const;
  void memory_signs(rules::CycleSigns& s) const;
  std::vector<contract::StageResult> counts() const;

  TiledBlocks& blocks_;
  int engine_ = 0;
  bool active_ = false;
  rules::ArrayBuckets buckets_;
  std::vector<contract::StageResult> before_;
};

}  // namespace fansim::tiled
