// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/units.h"
#include "estimate/bram.h"
#include "estimate/twins/twin.h"

namespace fansim::estimate {
namespace {

using base::ceil_div;

Structure stream_register(const Values& p) { return {{1.0 * p["WIDTH"], 1}, {1.0 * p["WIDTH"], 1}}; }

Structure command_registers(const Values& p) { return {{1.0 * p["CODE_TABLE"], 1}, {1.0 * p["CODE_TABLE"], 1}}; }

// A distributed memory per reader.
Structure job_store(const Values& p) { return {{1.0 * p["READERS"], 1}, {1.0 * p["READERS"], 1}}; }

Structure stream_receiver(const Values& p) { return {{1.0 * p["ADDRESS_BITS"], 1}, {1.0 * p["ADDRESS_BITS"], 1}}; }

// A read takes one of `reads` parts of a row, from one of the block RAMs below one another or from the resident store.
Structure ping_pong(const Values& p) {
  const int write = p["WRITE_BYTES"], read = p["READ_BYTES"], row = std::max(write, read);
  const int parts = row / write, reads = row / read;
  const int half_rows = ceil_div(p["HALF_BYTES"], row), resident_rows = ceil_div(p["RESIDENT_BYTES"], row);
  const YosysBram halves = yosys_bram(8 * write, 2 * half_rows), resident = yosys_bram(8 * write, resident_rows);
  const int choices = reads * (halves.rows + resident.rows);
  const double multiplexer = choices <= 1 ? 0 : choices <= 3 ? 1 : choices / 2.0;
  int state = 3;  // claimed targets
  if (resident_rows > 0) ++state;
  if (reads > 1) state += base::ceil_log2(reads);
  if (parts > 1) state += base::ceil_log2(std::max(2 * half_rows, resident_rows)) + base::ceil_log2(parts);
  return {{8.0 * read * multiplexer, 1}, {8.0 * read, 1.0 * state}, 0, parts * (halves.bram36 + resident.bram36)};
}

// Two copies with two readers; the narrower records choose half a row.
Structure bias_buffer(const Values& p) {
  const int row = 8 * p["OUTPUT_CHANNELS"], parts = std::max(1, row / p["BEAT_BYTES"]);
  const int rows = 2 * ceil_div(p["HALF_BYTES"], row);
  const int place = parts > 1 ? base::ceil_log2(rows) + base::ceil_log2(parts) : 0;
  return {{4.0 * row, 1}, {1.0 * place, 1}, 0, 2 * parts * yosys_bram36(8 * row / parts, rows)};
}

Structure hidden_state(const Values& p) {
  const int row = 8 * p["OUTPUT_CHANNELS"], word = 8 * p["INPUT_CHANNELS"];
  return {{row > word ? 1.0 * word : 0, 1.0 * word, 1}, {1.0 * word, 1}, 0, yosys_bram36(row, 2 * p["BLOCKS"])};
}

Structure output_store(const Values& p) {
  const double bits = 8 * p["OUTPUT_CHANNELS"];
  return {{bits, 1}, {bits, 1.0 * p["ADDRESS_BITS"], 1}, 0, 0, 2};
}

Structure output_writer(const Values& p) {
  return {{8.0 * p["INPUT_CHANNELS"], 1}, {8.0 * p["INPUT_CHANNELS"], 1.0 * p["ADDRESS_BITS"], 1}, 0, 0, 2};
}

Structure packer(const Values& p) {
  const double beat = p["BEAT_BYTES"], word = p["WORD_BYTES"];
  return {{word, beat, 1}, {word, beat, 1}};
}

}  // namespace

const std::vector<Twin>& store_twins() {
  static const std::vector<Twin> twins{
      {"stream_register", stream_register, {{"WIDTH", 8}}},
      {"command_registers", command_registers, {{"CODE_TABLE", 0}}},
      {"job_store", job_store, {{"READERS", 5}}},
      {"stream_receiver", stream_receiver, {{"BEAT_BYTES", 16}, {"ADDRESS_BITS", 16}}},
      {"ping_pong", ping_pong, {{"WRITE_BYTES", 16}, {"READ_BYTES", 8}, {"HALF_BYTES", 24576}, {"RESIDENT_BYTES", 0}}},
      {"bias_buffer", bias_buffer, {{"OUTPUT_CHANNELS", 8}, {"BEAT_BYTES", 16}, {"HALF_BYTES", 4096}}},
      {"hidden_state", hidden_state, {{"INPUT_CHANNELS", 8}, {"OUTPUT_CHANNELS", 8}, {"BLOCKS", 128}}},
      {"output_store", output_store, {{"OUTPUT_CHANNELS", 8}, {"ADDRESS_BITS", 12}}},
      {"output_writer", output_writer, {{"INPUT_CHANNELS", 8}, {"OUTPUT_CHANNELS", 8}, {"ADDRESS_BITS", 12}}},
      {"packer", packer, {{"BEAT_BYTES", 16}, {"WORD_BYTES", 16}}},
  };
  return twins;
}

}  // namespace fansim::estimate
