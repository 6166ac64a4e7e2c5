// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/units.h"
#include "estimate/bram.h"
#include "estimate/twins/twin.h"

namespace fansim::estimate {
namespace {

using base::ceil_div;

// Returns the width of the register that selects the row of block RAMs from which a word comes.
int row_bits(const YosysBram& memory) { return base::ceil_log2(std::max(1, memory.rows)); }

Structure stream_register(const Values& p) { return {{1.0 * p["WIDTH"], 1}, {1.0 * p["WIDTH"], 1}}; }

Structure command_registers(const Values& p) { return {{1.0 * p["CODE_TABLE"], 1}, {1.0 * p["CODE_TABLE"], 1}}; }

// Has one distributed memory per reader.
Structure job_store(const Values& p) { return {{1.0 * p["READERS"], 1}, {1.0 * p["READERS"], 1}}; }

Structure stream_receiver(const Values& p) { return {{1.0 * p["ADDRESS_BITS"], 1}, {1.0 * p["ADDRESS_BITS"], 1}}; }

// A row comes from one of the rows of block RAMs or from the resident store; a read takes a part of it. With more than
// eight rows the path to a part is the block's longest. Synthesis then builds the selection of the row for speed, and
// it gets larger with the number of parts.
Structure ping_pong(const Values& p) {
  const int write = p["WRITE_BYTES"], read = p["READ_BYTES"], row = std::max(write, read);
  const int parts = row / write, reads = row / read;
  const int half_rows = ceil_div(p["HALF_BYTES"], row), resident_rows = ceil_div(p["RESIDENT_BYTES"], row);
  const YosysBram halves = yosys_bram(8 * write, 2 * half_rows), resident = yosys_bram(8 * write, resident_rows);
  int state = 3 + row_bits(halves) + row_bits(resident);  // claimed targets, which row is read
  if (resident_rows > 0) ++state;
  if (reads > 1) state += base::ceil_log2(reads);
  if (parts > 1) state += base::ceil_log2(std::max(2 * half_rows, resident_rows)) + base::ceil_log2(parts);
  const int rows = halves.rows + resident.rows;
  const int longest = rows > 8 ? base::ceil_log2(reads) * (choice(rows) - 2) : 0;
  return {{8.0 * row * choice(rows), 8.0 * read * choice(reads), 8.0 * row * longest, 1},
          {8.0 * read, 1.0 * state},
          0,
          parts * (halves.bram36 + resident.bram36)};
}

// Two readers need two copies. Narrower records select half a row.
Structure bias_buffer(const Values& p) {
  const int row = 8 * p["OUTPUT_CHANNELS"], parts = std::max(1, row / p["BEAT_BYTES"]);
  const int rows = 2 * ceil_div(p["HALF_BYTES"], row);
  const int place = parts > 1 ? base::ceil_log2(rows) + base::ceil_log2(parts) : 0;
  return {{4.0 * row, 1}, {1.0 * place, 1}, 0, 2 * parts * yosys_bram36(8 * row / parts, rows)};
}

// A word is one of several in a row. If their number is a power of two, the word's place is a slice of the address;
// otherwise it is counted.
Structure hidden_state(const Values& p) {
  const int row = 8 * p["OUTPUT_CHANNELS"], word = 8 * p["INPUT_CHANNELS"], reads = row / word;
  const int part = base::ceil_log2(reads), block = base::ceil_log2(p["BLOCKS"]);
  const double counter = reads != 1 << part ? part + block : 0;
  return {{1.0 * word * choice(reads), 1.0 * word, counter, 1},
          {1.0 * word, part + counter, 1},
          0,
          yosys_bram36(row, 2 * p["BLOCKS"])};
}

Structure output_store(const Values& p) {
  const double bits = 8 * p["OUTPUT_CHANNELS"];
  return {{bits, 1}, {bits, 1.0 * p["ADDRESS_BITS"], 1}, 0, 0, 2};
}

// The planes of a tile are its groups times the words of a pixel; every further one bit of the number of words takes an
// adder. With several words, a part of the address is separate, and words are read again from a group's first pixel.
// The lowest bits of lengths are zero.
Structure output_writer(const Values& p) {
  const int word = p["INPUT_CHANNELS"], split = p["OUTPUT_CHANNELS"] / word, address = p["ADDRESS_BITS"];
  const double several = split > 1 ? 1 : 0;
  int more = -1;
  for (int bits = split; bits > 0; bits >>= 1) more += bits & 1;
  return {{8.0 * word, several, 1.0 * more, 1},
          {8.0 * word, (1 + several) * address - base::ceil_log2(split), 1.0 * base::ceil_log2(word), several, 1},
          0,
          0,
          2};
}

// A word is rotated to its place. One LUT selects among four bytes' bits, which takes two bits of the place.
Structure packer(const Values& p) {
  const double beat = p["BEAT_BYTES"], word = p["WORD_BYTES"];
  const double turned =
      8.0 * beat * ceil_div(p["WORD_BYTES"], p["BEAT_BYTES"]) * ceil_div(base::ceil_log2(p["BEAT_BYTES"]), 2);
  return {{turned, word, beat, 1}, {word, beat, 1}};
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
