// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "sim/memory_port.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::stream {

// Has `rows` shift registers whose depth is set at run time to the columns of a line. A fill pushes words through the
// cascade, the newest line last. A pass feeds every line back into itself and presents one column of all lines per
// cycle. Block RAMs do the same as a ring of lines, the oldest of which is overwritten.
// Throughput: one word per cycle in a fill, one column per cycle in a pass, no bubble between passes.
// Latency:    a fill takes its words + bram_read_latency() cycles before the next command; a pass's first column is
//             pushed line_latency() edges after the one that takes the command.
// Stall:      holds its place while `columns` is full; the registers of block RAMs fill up, then hold. A fill is taken
//             once they are empty.
class LineBuffer final : public sim::Module {
 public:
  sim::StreamIn<LineCommand> command{"command"};
  sim::StreamOut<Column> columns{"columns"};

  LineBuffer(const sc_core::sc_module_name& name, const ArrayConfig& config, sim::ReadPort& input,
             sim::ReadPort& hidden);

  bool busy() const { return fill_left_ > 0 || passing_ || read_.has_value() || out_.has_value(); }

 private:
  void reset() override {
    passing_ = false;
    fill_left_ = 0;
    read_.reset();
    out_.reset();
  }
  void step() override;
  void go_on(bool empty);
  void take(const LineCommand& next);
  void fill_one();
  void start_line();
  void present();
  void advance();
  bool place_free() { return config_.line_latency() == 0 ? columns.can_push() : !read_; }
  void read_column(Column& column);

  const ArrayConfig config_;
  const int line_bytes_;
  sim::ReadPort& input_;
  sim::ReadPort& hidden_;

  std::uint8_t* line(int index, int column) {
    return lines_.data() + index * line_bytes_ + column * config_.word_bytes();
  }

  std::vector<std::uint8_t> lines_;  // [line][column][value], a ring of lines
  sim::Memory bits_;
  int oldest_ = 0;
  int columns_per_line_ = 0;

  LineCommand now_;
  int column_ = 0;  // next column of the pass
  bool passing_ = false;
  std::optional<Column> read_, out_;  // with block RAMs: their array's register and their output register
  int fill_left_ = 0;                 // cycles of the fill still to go
  int words_left_ = 0;                // words of the fill still to read
  int line_ = 0, piece_ = 0, word_ = 0, fill_column_ = 0;

  sim::Counter words_filled_{*this, "words_filled", "words", "words loaded into the lines"};
  sim::Counter columns_out_{*this, "columns", "columns", "columns presented"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the window could not take a column"};
};

}  // namespace fansim::stream
