// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accelerators/stream/compile/job.h"
#include "accelerators/stream/compile/known_cut.h"
#include "accelerators/stream/compile/place.h"
#include "accelerators/stream/compile/requantisation.h"
#include "accelerators/stream/compile/weights.h"
#include "accelerators/stream/config/config.h"
#include "compile/memory.h"

namespace fansim::stream {

// Max pooling of the array's output rows; windows are clipped to them.
struct Pool {
  int kernel = 1, stride = 1, top = 0, left = 0;
  int rows = 1, columns = 1;  // after pooling

  // Pooled rows that need no more than the first `done` of `rows_before` rows.
  int completed(int done, int rows_before) const;
};

// A layer as the array sees it: one or more maps convolved onto the same sums, all with the same kernels or, if there
// are `constants`, each with kernels of one of those.
struct Convolution {
  std::vector<const Place*> sources;
  const Place* output = nullptr;
  Kernels kernels;
  const network::Layer* weights_of = nullptr;       // whose the kernels are; none: all constant
  std::vector<int> constants;                       // of each source; empty: kernels.constant of all
  const std::vector<std::int32_t>* bias = nullptr;  // none: zeros
  int stride = 1, pad_top = 0, pad_left = 0;
  int rows = 1, columns = 1;  // of the output, before pooling
  std::optional<Pool> pool;
  Requantisation requantisation;

  int kernel_sets() const { return constants.empty() ? 1 : static_cast<int>(constants.size()); }
  Kernels kernels_of(int set) const;
  int columns_read() const { return (columns - 1) * stride + kernels.kernel; }
  int rows_read(int output_rows) const { return (output_rows - 1) * stride + kernels.kernel; }
  int rows_sent(int done) const { return pool ? pool->completed(done, rows) : done; }
  int columns_sent() const { return pool ? pool->columns : columns; }
};

// A convolution, with the pooling fused into it if there is any.
Convolution convolution(const network::Layer& layer, const network::Layer* fused_pool, const Place& in,
                        const Place& out);
// Average and maximum pooling, addition, rectification: convolutions with kernels of ones, channel by channel; of an
// addition that weighs its operands, of what each counts.
Convolution channelwise(const network::Layer& layer, const std::vector<const Place*>& in, const Place& out);

// Of steps that are known, none.
compile::Fit<Jobs> convolution_jobs(const Convolution& convolution, const Config& config, compile::Memory& memory,
                                    const KnownCut& known);

}  // namespace fansim::stream
