// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/estimate/estimate.h"

#include <cmath>

#include "accelerators/decoupled/config/check.h"
#include "base/units.h"
#include "estimate/bram.h"
#include "estimate/code_table.h"
#include "estimate/coefficients.h"

namespace fansim::decoupled {
namespace {

namespace k = estimate::coefficients;
using contract::Resources;
using estimate::clbs;
using estimate::Path;
using estimate::Terminal;

constexpr int kByte = 8;
// Assumed: Vivado HLS maps a single-precision multiplication to three slices and an addition to two.
constexpr int kFloatSlices = 5;
// Assumed: both together also take this number of LUTs and flip-flops.
constexpr int kFloatLut = 500, kFloatFf = 600;
constexpr int kScaleBits = 15;  // arith::Requantise
// Assumed, in bits of counters and registers: the command that a unit holds; the loops and addresses of a lane's
// transfer; the loops of the array.
constexpr int kCommandBits = 12 * 32, kLaneBits = 4 * 16 + 3 * 32, kLoopBits = 8 * 16;
constexpr int kCommandQueue = 512;  // assumed: commands that wait for a unit

int whole(double count) { return static_cast<int>(std::ceil(count)); }
bool floats(const Config& c) { return c.data.type == DataType::float32; }

Resources control(int bits) { return {0, whole(bits * k::kLutPerControlBit), bits, 0}; }
Resources vendor(const k::VendorIp& ip, int data_bits) {
  return {0, whole(ip.lut + ip.lut_per_bit * data_bits), whole(ip.ff + ip.ff_per_bit * data_bits), 0};
}
Resources times(int n, const Resources& one) {
  return {n * one.dsp, n * one.lut, n * one.ff, n * one.bram36, n * one.lutram};
}
double bram(const Config& c, int width, int depth) {
  return c.device.coefficients == contract::Coefficients::yosys ? estimate::yosys_bram36(width, depth)
                                                                : estimate::bram36(width, depth);
}

// Each channel of a mover only reads or only writes, so it costs half of a mover that does both.
Resources movers(const Config& c) {
  const Resources both = vendor(k::kAxiDma, c.axi.data_bits);
  const int width = c.axi.data_bits + k::kDmaFifoSideBits, readers = c.load.all_ports();
  Resources use = times(readers + c.store.ports, {0, both.lut / 2, both.ff / 2, 0});
  use.bram36 =
      readers * bram(c, width, c.axi.mm2s_fifo_beats()) + c.store.ports * bram(c, width, c.axi.s2mm_fifo_beats());
  return use;
}

Resources interconnect(const Config& c) {
  Resources use = times(c.ports(), vendor(k::kMemoryInterconnect, c.axi.data_bits));
  use += k::kControlInterconnect;
  return use += k::kResetBlock;
}

// Counts a unit's list of commands, the command that it executes, and its tokens.
Resources commands(const Config& c, int lanes) {
  Resources use = control(kCommandBits + lanes * kLaneBits);
  use.bram36 = bram(c, kCommandBits / 4, 4 * kCommandQueue);  // a command has four words
  return use;
}

// Counts the beat of a lane, and the selection of the place in a vector that its values come from or go to.
Resources unit(const Config& c, int lanes, int vector_bits) {
  Resources use = commands(c, lanes);
  const int places = base::ceil_div(vector_bits, c.axi.data_bits);
  return use += times(lanes, {0, c.axi.data_bits * k::lut_per_mux_bit(places), 2 * c.axi.data_bits, 0});
}

// Returns a buffer of `kib` KiB of which `bits_at_once` bits are read at once.
Resources buffer(const Config& c, int kib, std::int64_t bits_at_once) {
  Resources use;
  const std::int64_t bits = std::int64_t{kib} * 1024 * kByte;
  const auto width = static_cast<int>(std::min(bits_at_once, bits));
  use.bram36 = bram(c, width, static_cast<int>(base::ceil_div(bits, std::int64_t{width})));
  return use;
}

int multipliers(const Config& c) { return base::ceil_div(c.array.macs_per_step(), c.array.interval); }

// A slice multiplies; with integers it also adds its neighbour's product. A tree adds the rest of each sum, followed by
// the adder of the sum itself. Assumed: every adder of the tree is as wide as the last one.
Resources array(const Config& c) {
  Resources use = commands(c, 0);
  use += control(kLoopBits);
  const int all = multipliers(c);
  if (floats(c)) return use += Resources{all * kFloatSlices, all * kFloatLut, all * kFloatFf, 0};
  const int sums = c.array.batch * c.array.tm, terms = base::ceil_div(all, sums);
  const int bits = 2 * c.data.bits() + base::ceil_log2(std::max(2, terms));
  const int adder_bits = std::min(sums, all) * ((base::ceil_div(terms, 2) - 1) * bits + c.quantiser.accumulator_bits);
  return use += Resources{all, adder_bits * k::kLutPerAdderBit, adder_bits, 0};
}

// Counts bias, scale, shift, saturation and a table for each lane, and the selection of the sums of a lane.
Resources post(const Config& c) {
  Resources use = control(kLoopBits);
  const int sum = 8 * c.sum_bytes();
  if (floats(c)) return use += times(c.post.lanes, {2, kFloatLut, kFloatFf, 0});
  const int operand = std::min(sum, c.quantiser.operand_bits), wide = operand + kScaleBits;
  const int lut = sum * k::kLutPerAdderBit + whole(wide * k::kLutPerShifterBit) + 2 * c.data.bits() +
                  sum * k::lut_per_mux_bit(base::ceil_div(c.array.batch * c.array.tm, c.post.lanes));
  return use += times(c.post.lanes, {base::ceil_div(operand, 26), lut, sum + 2 * wide + c.data.bits(), 0});
}

// Counts functions that follow convolutions. Bytes take a table for each lane. Assumed: wider values take the product
// of leaky_relu. Functions looked up in 65,536 entries or computed in single precision cost nothing here.
Resources functions(const Config& c) {
  if (c.data.type == DataType::int8) return estimate::code_table(c.post.lanes);
  return {c.post.lanes * (floats(c) ? 3 : 1), 0, c.post.lanes * c.data.bits(), 0};
}

// Counts records for the channels that are post-processed at once. Parameters carried by commands are part of the
// commands.
Resources parameters(const Config& c) {
  if (c.schedule.parameters == Parameters::command) return {};
  constexpr int kKib = kMostParameters * kParameterBytes / 1024;
  return buffer(c, kKib, std::int64_t{std::min(c.post.lanes, c.array.tm)} * kParameterBytes * kByte);
}

Resources registers() {
  Resources use = control(k::kLiteBits);
  return use += Resources{0, 2 * 32, 2 * 32, 0};
}

}  // namespace

std::vector<estimate::BlockUse> block_uses(const Config& c) {
  const ArrayConfig& a = c.array;
  const int bits = c.data.bits(), window = a.window * a.window;
  const int vector = input_vector_bytes(c) * kByte, sum = sum_vector_bytes(c) * kByte;
  std::vector<estimate::BlockUse> blocks{{"movers", movers(c)},
                                         {"interconnect", interconnect(c)},
                                         {"registers", registers()},
                                         {"load_unit", unit(c, c.load.ports, vector)}};
  if (c.load.two_units()) blocks.push_back({"second_load_unit", unit(c, c.load.weight_ports, vector)});
  blocks.push_back({"store_unit", unit(c, c.store.ports, vector)});
  blocks.push_back({"input_buffer", buffer(c, c.buffers.input_kib, std::int64_t{a.batch} * a.tn * window * bits)});
  blocks.push_back(
      {"weight_buffer", buffer(c, c.buffers.weight_kib,
                               base::ceil_div(std::int64_t{a.tm} * a.tn * window * bits, std::int64_t{a.interval}))});
  blocks.push_back({"sum_buffer", buffer(c, c.buffers.sum_kib, base::ceil_div(sum, a.interval))});
  const Resources macs = array(c);
  blocks.push_back(
      {"array",
       macs,
       {Path{"input to every output channel's slices"}.across(clbs(macs)).between(Terminal::bram, Terminal::dsp),
        Path{"last level of the tree and the sum", 1}.add(8 * c.sum_bytes(), 2)}});
  blocks.push_back({"post", post(c), {Path{"shift and saturation", 5}.across(clbs(post(c)))}});
  blocks.push_back({"functions", functions(c)});
  if (c.schedule.parameters != Parameters::command) blocks.push_back({"parameter_buffer", parameters(c)});
  return blocks;
}

estimate::Estimate cost_of(const Config& c) { return estimate::estimate_of(block_uses(c), c.device, c.clock_hz()); }

}  // namespace fansim::decoupled
