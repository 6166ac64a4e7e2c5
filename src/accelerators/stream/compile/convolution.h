// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accelerators/stream/compile/cut_cache.h"
#include "accelerators/stream/compile/job.h"
#include "accelerators/stream/compile/place.h"
#include "accelerators/stream/compile/requantisation.h"
#include "accelerators/stream/compile/weights.h"
#include "accelerators/stream/config/config.h"
#include "compile/memory.h"

namespace fansim::stream {

// Describes max pooling of the array's output rows. Windows are clipped to the map.
struct Pool {
  int kernel = 1, stride = 1, top = 0, left = 0;
  int rows = 1, columns = 1;  // after pooling

  // Returns how many pooled rows need only the first `done` of `rows_before` rows.
  int completed(int done, int rows_before) const;
};

// Describes a layer as the array sees it: one or more maps that are convolved into the same sums. All have the same
// kernels or, if there are `constants`, each has kernels of one constant.
struct Convolution {
  std::vector<const Place*> sources;
  const Place* output = nullptr;
  Kernels kernels;
  const network::Layer* weights_of = nullptr;       // the layer that has the kernels; null: all weights are constant
  std::vector<int> constants;                       // one for each source; empty: kernels.constant for all
  const std::vector<std::int64_t>* bias = nullptr;  // null: zeros
  int stride = 1, pad_top = 0, pad_left = 0;
  int rows = 1, columns = 1;  // of the output before pooling
  std::optional<Pool> pool;
  Requantisation requantisation;

  int kernel_sets() const { return constants.empty() ? 1 : static_cast<int>(constants.size()); }
  Kernels kernels_of(int set) const;
  int columns_read() const { return (columns - 1) * stride + kernels.kernel; }
  int rows_read(int output_rows) const { return (output_rows - 1) * stride + kernels.kernel; }
  int rows_sent(int done) const { return pool ? pool->completed(done, rows) : done; }
  int columns_sent() const { return pool ? pool->columns : columns; }
};

// Describes a convolution, with the pooling that is fused into it, if any.
Convolution convolution(const network::Layer& layer, const network::Layer* fused_pool, const Place& in,
                        const Place& out);
// Describes average and maximum pooling, addition and rectification as convolutions with kernels of ones, channel by
// channel. The kernels of an addition that weighs its operands have the weights in place of ones.
Convolution channelwise(const network::Layer& layer, const std::vector<const Place*>& in, const Place& out);

// Returns no jobs if the steps are known.
compile::Fit<Jobs> convolution_jobs(const Convolution& convolution, const Config& config, compile::Memory& memory,
                                    const CutCache& known);

}  // namespace fansim::stream
