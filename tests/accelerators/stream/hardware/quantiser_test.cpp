// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/quantiser.h"

#include "support/blocks.h"

namespace fansim::quantiser_test {

using stream::Gate;
using stream::Pixel;
using stream::Quantiser;
using stream::Totals;

namespace {

constexpr std::uint64_t kSeed = 12;

std::int64_t clamp(std::int64_t v, std::int64_t low, std::int64_t high) { return v < low ? low : v > high ? high : v; }

// The sum as `bits` bits of two's complement.
std::int64_t low_bits(std::int64_t v, int bits) {
  const std::int64_t modulus = std::int64_t{1} << bits;
  const std::int64_t r = ((v % modulus) + modulus) % modulus;
  return r >= modulus / 2 ? r - modulus : r;
}

// Divides by 2^n and rounds down, after adding a half if `half_up`.
std::int64_t shifted(std::int64_t v, int n, bool half_up) {
  const std::int64_t divisor = std::int64_t{1} << n;
  if (half_up && n > 0) v += divisor / 2;
  return v >= 0 ? v / divisor : -((-v + divisor - 1) / divisor);
}

struct Scale {
  int m, n;
};

int reference(std::int64_t total, Scale s, const stream::Command& job, const arith::QuantiserFormat& format) {
  const std::int64_t limit = std::int64_t{1} << (format.operand_bits - 1);
  std::int64_t v = clamp(low_bits(total, format.accumulator_bits), -limit, limit - 1);
  v = shifted(v * s.m, s.n, format.rounding == arith::Rounding::half_up);
  if (job.recurrent_output) return static_cast<int>(clamp(v, -32768, 32767));
  const int zero = job.output_unsigned || job.zero_point < 128 ? job.zero_point : job.zero_point - 256;
  v = job.output_unsigned ? clamp(v + zero, 0, 255) : clamp(v + zero, -128, 127);
  return static_cast<int>(job.relu && v < zero ? zero : v);
}

const std::vector<arith::QuantiserFormat>& formats() {
  static const std::vector<arith::QuantiserFormat> all{{32, 32, arith::Rounding::half_up},
                                                       {20, 16, arith::Rounding::truncate},
                                                       {24, 18, arith::Rounding::half_up},
                                                       {16, 8, arith::Rounding::truncate}};
  return all;
}

// Draws jobs with every type, zero point and ReLU, with scales that bring sums into the result's range, and with
// extreme ones.
std::vector<stream::Command> random_jobs(int n, base::Random& random) {
  std::vector<stream::Command> jobs(static_cast<std::size_t>(n));
  for (stream::Command& job : jobs) {
    job.scale = random.chance(10) ? 32767 : random.uniform(1, 2000);
    job.shift = random.chance(10) ? 31 : random.uniform(0, 26);
    job.output_unsigned = random.uniform(0, 1);
    job.zero_point = random.chance(30) ? 0 : random.uniform(0, 255);
    job.relu = random.uniform(0, 1);
    job.scale_per_channel = random.uniform(0, 1);
    job.bias_select = random.uniform(0, 1);
    job.bias_base = random.uniform(0, 100);
  }
  return jobs;
}

std::vector<Totals> random_totals(const std::vector<stream::Command>& jobs, int n, base::Random& random) {
  std::vector<Totals> items(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < items.size(); ++k) {
    items[k].tag.job = &jobs[k % jobs.size()];
    items[k].tag.x = static_cast<int>(k);
    items[k].tag.group = random.uniform(0, 20);
    const int bits = random.uniform(1, 31);
    for (std::int32_t& v : items[k].values) {
      v = static_cast<std::int32_t>(random.next()) >> (31 - bits);
      if (random.chance(3)) v = random.chance(50) ? INT32_MAX : INT32_MIN;
    }
  }
  return items;
}

// M is a positive int16 and n below 32 in every record.
void fill_records(test::Memory& memory, base::Random& random) {
  memory.randomise(random);
  for (auto& target : memory.bytes)
    for (std::size_t at = 0; at + 8 <= target.size(); at += 8) {
      target[at + 5] &= 0x7f;
      target[at + 6] &= 31;
    }
}

Scale scale_of(const test::Memory& memory, const Totals& in, int channel, int channels) {
  const stream::Command& job = *in.tag.job;
  if (!job.scale_per_channel) return {job.scale, job.shift};
  const std::uint8_t* record = memory.bytes[static_cast<std::size_t>(job.bias_select)].data() +
                               8 * ((job.bias_base + in.tag.group) * channels + channel);
  return {record[4] + 256 * record[5], record[6]};
}

// Contains a quantiser whose unused output is not connected to anything.
template <class Item>
struct Rig {
  Rig(test::Bench& bench, sim::StreamOut<Item> Quantiser::*out) : lanes(bench, &Quantiser::totals, out) {}
  auto& add(const std::vector<Totals>& items, test::Stalls stalls, const stream::ArrayConfig& config,
            const arith::QuantiserFormat& format, test::Memory& memory) {
    auto& lane = lanes.add(items, items.size(), stalls, config, format, memory);
    const std::string name = fmt::format("unused{}", lanes.size());
    if constexpr (std::is_same_v<Item, Pixel>) {
      spare_gates.push_back(std::make_unique<sim::Stream<Gate>>(name.c_str()));
      lane.block.gates(*spare_gates.back());
    } else {
      spare_pixels.push_back(std::make_unique<sim::Stream<Pixel>>(name.c_str()));
      lane.block.pixels(*spare_pixels.back());
    }
    return lane;
  }
  std::vector<std::unique_ptr<sim::Stream<Gate>>> spare_gates;
  std::vector<std::unique_ptr<sim::Stream<Pixel>>> spare_pixels;
  test::Lanes<Quantiser, Totals, Item> lanes;
};

int value_of(const Pixel& pixel, int o, bool is_unsigned) {
  const std::uint8_t byte = pixel.bytes[static_cast<std::size_t>(o)];
  return is_unsigned || byte < 128 ? byte : byte - 256;
}

void require_pixels(const std::vector<Totals>& in, const std::vector<Pixel>& out, int channels,
                    const arith::QuantiserFormat& format, const test::Memory& memory) {
  for (std::size_t k = 0; k < in.size(); ++k) {
    const stream::Command& job = *in[k].tag.job;
    INFO("total " << k << ", " << print(job));
    REQUIRE(out[k].tag.x == in[k].tag.x);
    for (int o = 0; o < channels; ++o)
      REQUIRE(value_of(out[k], o, job.output_unsigned) ==
              reference(in[k].values[static_cast<std::size_t>(o)], scale_of(memory, in[k], o, channels), job, format));
  }
}

}  // namespace

TEST_CASE("the quantiser's bytes equal wrap and saturate and scale and round and offset and clamp done by hand") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  test::Memory memory;
  fill_records(memory, random);
  Rig<Pixel> rig(bench, &Quantiser::pixels);
  const std::vector<stream::Command> jobs = random_jobs(300, random);
  const std::vector<Totals> items = random_totals(jobs, 3000, random);
  for (const arith::QuantiserFormat& format : formats())
    rig.add(items, {0, 0}, test::array_of(3, 3, 8, 16), format, memory);
  rig.lanes.run();
  for (std::size_t i = 0; i < formats().size(); ++i)
    require_pixels(items, rig.lanes[i].sink.items(), 16, formats()[i], memory);
}

TEST_CASE("a gate's 16 bits are the scaled and saturated sum without zero point or ReLU") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  test::Memory memory;
  fill_records(memory, random);
  Rig<Gate> rig(bench, &Quantiser::gates);
  std::vector<stream::Command> jobs = random_jobs(300, random);
  for (stream::Command& job : jobs) {
    job.recurrent_output = 1;
    job.relu = 0;
  }
  const std::vector<Totals> items = random_totals(jobs, 3000, random);
  for (const arith::QuantiserFormat& format : formats())
    rig.add(items, {0, 30}, test::array_of(3, 3, 8, 8), format, memory);
  rig.lanes.run();
  for (std::size_t i = 0; i < formats().size(); ++i)
    for (std::size_t k = 0; k < items.size(); ++k)
      for (int o = 0; o < 8; ++o)
        REQUIRE(rig.lanes[i].sink.items()[k].values[static_cast<std::size_t>(o)] ==
                reference(items[k].values[static_cast<std::size_t>(o)], scale_of(memory, items[k], o, 8),
                          *items[k].tag.job, formats()[i]));
}

TEST_CASE("the quantiser takes four cycles and one total per cycle") {
  base::Random random(kSeed);
  test::Bench bench;
  test::Memory memory;
  fill_records(memory, random);
  Rig<Pixel> rig(bench, &Quantiser::pixels);
  const std::vector<stream::Command> jobs = random_jobs(10, random);
  const std::vector<Totals> items = random_totals(jobs, 150, random);
  auto& lane = rig.add(items, {0, 0}, test::array_of(3, 3, 8, 8), formats()[0], memory);
  rig.lanes.run();
  for (std::size_t k = 0; k < items.size(); ++k) REQUIRE(lane.latency(k, k) == Quantiser::kLatency);
  CHECK(Quantiser::kLatency == 4);
  CHECK(test::back_to_back(lane.sink.edges()));
}

TEST_CASE("random stalls change nothing of what the quantiser sends and every cycle is accounted for") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  test::Memory memory;
  fill_records(memory, random);
  Rig<Pixel> rig(bench, &Quantiser::pixels);
  const std::vector<stream::Command> jobs = random_jobs(50, random);
  const std::vector<Totals> items = random_totals(jobs, 300, random);
  for (const test::Stalls& stalls : test::kStallGrid)
    rig.add(items, stalls, test::array_of(3, 3, 8, 8), formats()[1], memory);
  rig.lanes.run();
  for (std::size_t i = 0; i < rig.lanes.size(); ++i)
    require_pixels(items, rig.lanes[i].sink.items(), 8, formats()[1], memory);
  rig.lanes.require_sums("beats");
}

}  // namespace fansim::quantiser_test
