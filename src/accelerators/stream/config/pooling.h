// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/effect.h"

namespace fansim::stream {

// Describes the max pooling unit: a shift register holds pixels of a row, and each open window has one of the line
// memories.
struct PoolingConfig {
  int kernel = 3;
  int lines = 2;
  int line_words = 1024;

  template <class V>
  void visit(V&& v) {
    v.field("kernel", kernel, 1, 127, {"largest window of a max pooling, rows and columns", base::grows()});
    v.field("lines", lines, 1, 127,
            {"line memories: windows open above one another, kernel / stride rounded up", base::grows()});
    v.field("line_words", line_words, 16, 65536,
            {"pixels of a line memory: pooled columns of every output-channel group of a job", base::grows()});
  }
};

}  // namespace fansim::stream
