// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/result.h"
#include "platform/host.h"
#include "rules/array_buckets.h"
#include "sim/module.h"

namespace fansim::tiled {

struct TiledBlocks;

// Puts every edge of a layer into exactly one bucket, as the engine that computes the layer sees it, and counts what
// each stage did. It steps last, so the states that it reads are those of the same edge.
class TiledAccount final : public sim::Module {
 public:
  TiledAccount(const sc_core::sc_module_name& name, const TiledBlocks& blocks, const platform::Host& host);

  // `engine` is the number of the layer's engine.
  void begin_layer(int engine) {
    engine_ = engine;
    active_ = true;
  }
  // Returns the edges in each bucket, of all layers so far.
  const rules::ArrayBuckets& buckets() const { return buckets_; }
  void end_layer() { active_ = false; }
  // Adds bytes and stages.
  void count(contract::LayerResult& result) const;

 private:
  void step() override;
  rules::CycleSigns signs() const;
  bool engine_signs(rules::CycleSigns& s) const;
  void memory_signs(rules::CycleSigns& s) const;

  const TiledBlocks& blocks_;
  const platform::Host& host_;
  int engine_ = 0;
  bool active_ = false;
  rules::ArrayBuckets buckets_;
};

}  // namespace fansim::tiled
