// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string_view>

#include "accelerators/tiled/config/config.h"
#include "base/fields.h"
#include "base/random.h"
#include "random/random_case.h"
#include "random/random_memory.h"

namespace fansim::test {

namespace {

// Its MACs are of one kind, so none of the choice among them is left over.
const std::string kBase = "configs/systems/faq_zcu102_dorefa8_dsp.yaml";

struct Format {
  const char* method;
  int weight_bits, activation_bits;
  tiled::MacGrain grain;
};
constexpr auto kCoarse = tiled::MacGrain::coarse, kFine = tiled::MacGrain::fine;
// These are all methods, in both grains where they have both.
constexpr Format kFormats[] = {{"dorefa", 8, 8, kCoarse}, {"bnn", 1, 8, kFine},        {"tnn", 2, 4, kCoarse},
                               {"mul2q", 3, 3, kCoarse},  {"dorefa", 16, 16, kCoarse}, {"vecq", 5, 6, kFine},
                               {"pot", 4, 8, kCoarse},    {"kmeans", 4, 8, kFine},     {"dorefa", 2, 2, kCoarse},
                               {"bnn", 1, 1, kCoarse},    {"pot", 5, 7, kFine},        {"vecq", 8, 8, kCoarse},
                               {"linear", 8, 8, kCoarse}, {"linear", 5, 6, kCoarse},   {"tnn", 2, 3, kFine},
                               {"mul2q", 7, 5, kFine},    {"dorefa", 1, 9, kFine},     {"dorefa", 11, 15, kCoarse}};

int power(base::Random& random, int from, int to) { return 1 << random.uniform(from, to); }

struct Range {
  int from, to;
};

tiled::EngineConfig random_engine(base::Random& random, Range input_words, Range output_words) {
  tiled::EngineConfig engine;
  engine.tm = random.uniform(1, 20);
  engine.tn = random.uniform(1, 9);
  engine.input_words = random.uniform(input_words.from, input_words.to);
  engine.output_words = random.uniform(output_words.from, output_words.to);
  engine.double_buffer = random.chance(60);
  return engine;
}

// The place of the MACs changes no cycle and no byte.
void random_place(base::Random& random, tiled::EngineConfig& engine) {
  constexpr tiled::MacPlace kPlaces[] = {tiled::MacPlace::dsp, tiled::MacPlace::lut, tiled::MacPlace::by_output,
                                         tiled::MacPlace::by_input};
  engine.macs = kPlaces[random.uniform(0, 3)];
  if (engine.macs == tiled::MacPlace::by_output) engine.dsp_channels = random.uniform(0, engine.tm);
  if (engine.macs == tiled::MacPlace::by_input) engine.dsp_channels = random.uniform(0, engine.tn);
}

void random_memory(base::Random& random, tiled::Config& config) {
  config.clock_mhz = {random.uniform(2, 8) * 50, random.chance(30) ? 3 : 1};
  config.port_mhz = {random.uniform(2, 6) * 50, random.chance(30) ? 3 : 1};
  config.port.data_bits = power(random, 5, 9);
  config.port.outstanding = random.chance(40) ? random.uniform(1, 3) : random.uniform(4, 32);
  config.port.pins = random.chance(5);
  config.clock_converter = {random.uniform(2, 8), random.chance(50) ? random.uniform(4, 8) : 64};
  if (random.chance(15)) config.ddr.fidelity = contract::DdrFidelity::ideal;
  config.ddr.read_latency = random.uniform(1, 60);
  config.ddr.write_latency = random.uniform(1, 60);
  config.ddr.turnaround = random.uniform(0, 20);
  config.ddr.refresh_interval = random.uniform(150, 2000);
  config.ddr.refresh_cycles = random.chance(20) ? 0 : random.uniform(1, 100);
  config.ddr.request_latency = random.uniform(0, 30);
  config.ddr.response_latency = random.uniform(0, 30);
  if (random.chance(30)) config.ddr.arbitration = contract::DdrArbitration::priority;
  config.ddr.part.posted_writes = random.chance(50);
}

void random_config(base::Random& random, const Format& format, tiled::Config& config) {
  random_memory(random, config);
  config.quantisation = {format.method, format.weight_bits, format.activation_bits, format.grain};
  if (format.weight_bits > 8) config.quantiser.accumulator_bits = 48;
  config.conv = random_engine(random, {170, 250}, {30, 150});
  config.first = random.chance(50) ? tiled::EngineConfig{} : random_engine(random, {256, 256}, {30, 150});
  config.fc = random.chance(40) ? tiled::EngineConfig{} : random_engine(random, {2, 64}, {64, 64});
  config.weights = {tiled::WeightStore::lut, random.chance(50), 24, random.uniform(1, 4)};
  config.load.order = random.chance(50) ? tiled::LoadOrder::serial : tiled::LoadOrder::parallel;
  config.load.encode = random.chance(70);
  config.load.reorganise = random.chance(70);
  config.load.input_bits = power(random, format.activation_bits > 8 ? 4 : 3, 9);
  config.load.weight_bits = power(random, format.weight_bits > 8 ? 4 : 3, 9);
  config.load.input_burst_beats = random.chance(20) ? 256 : random.uniform(1, 32);
  config.load.weight_burst_beats = random.chance(20) ? 256 : random.uniform(1, 32);
  config.load.outstanding = random.uniform(1, 8);
  config.load.gap = random.chance(10) ? random.uniform(100, 1000) : random.uniform(0, 3);
  config.store = {power(random, 5, 8),
                  random.uniform(1, 16),
                  random.uniform(1, 8),
                  random.uniform(1, 24),
                  random.uniform(40, 150),
                  3,
                  3};
  config.host = {random.uniform(0, 3), 1, random.uniform(0, 3), 0, random.chance(50) ? 0 : random.uniform(1, 40)};
}

// Draws a type and a zero point if the format has them. A fine-grained MAC has only a zero point of 0, and no operand
// of 16 bits is unsigned.
std::string random_type(base::Random& random, const Format& format) {
  const bool is_unsigned = format.activation_bits < 16 && random.chance(40);
  const int low = is_unsigned ? 0 : -128, zero_point = random.uniform(low, low + 255);
  return fmt::format("type: {}, zero_point: {}", is_unsigned ? "uint8" : "int8",
                     format.grain == kCoarse && random.chance(40) ? zero_point : 0);
}

// A fully connected one may read what the last one writes. `rare` is a stream of its own, for what few layers have: it
// leaves the other draws of a seed what they have always been.
std::string random_layer(base::Random& random, base::Random& rare, int index, const std::string& last,
                         const Format& format) {
  if (random.chance(25)) {
    std::string flatten;
    const auto flat = [&](const std::string& from) {
      if (!rare.chance(20)) return from;
      flatten = fmt::format("  - {{name: f{}, input_from: {}, type: flatten}}\n", index, from);
      return fmt::format("f{}", index);
    };
    const std::string from = flat(random.chance(30) ? last : "input");
    const int units = random.uniform(1, 60);
    const std::string fc = fmt::format("  - {{name: l{}, input_from: {}, type: fc, units: {}, quant: {{{}}}}}\n", index,
                                       from, units, random_type(random, format));
    return flatten + fc;
  }
  const int kernel = random.chance(70) ? random.uniform(1, 4) : random.uniform(5, 7);
  const int groups = random.chance(70) ? 1 : random.chance(50) ? 12 : random.uniform(2, 4);
  const int filters = groups * random.uniform(1, groups == 12 ? 2 : 40 / groups);
  const int stride = random.uniform(1, 3);
  const int usual = random.uniform(0, kernel / 2);
  const int padding = rare.chance(10) ? kernel + rare.uniform(0, 9) : usual;
  const char* activation = random.chance(50) ? ", activation: relu" : "";
  std::string layer = fmt::format(
      "  - {{name: l{}, input_from: input, type: conv, filters: {}, kernel: {}, stride: {}, groups: {}, padding: "
      "{}{}, quant: {{{}}}}}\n",
      index, filters, kernel, stride, groups, padding, activation, random_type(random, format));
  if (random.chance(50)) return layer;
  const char* pooling = random.chance(60) ? "maxpool" : "avgpool";
  const int window = random.uniform(2, 3), step = random.uniform(1, 2), rim = random.uniform(0, 1);
  return layer + fmt::format("  - {{name: p{}, type: {}, kernel: {}, stride: {}, padding: {}, ceil_mode: {}}}\n", index,
                             pooling, window, step, rim, random.chance(50) ? "true" : "false");
}

tiled::Config loaded(const std::vector<std::string>& settings) {
  return tiled::Config::read(std::string(FANSIM_SOURCE_DIR "/") + kBase, settings);
}

// Its ports have a clock of their own.
std::vector<std::string> all_fields(const tiled::Config& config) {
  std::vector<std::string> fields = fields_of(config);
  fields.insert(fields.begin() + 1, "port_mhz=" + config.port_mhz.text());
  return fields;
}

}  // namespace

Case random_tiled_case(std::uint64_t seed) {
  base::Random random(seed);
  Case c;
  const Format& format = kFormats[seed % std::size(kFormats)];
  c.base = kBase;
  if (random.chance(35)) c.settings = banked_settings(seed);
  tiled::Config config = loaded(c.settings);
  const std::vector<std::string> before = all_fields(config);
  random_config(random, format, config);
  // Streams of their own leave what the seed's other draws have always been.
  base::Random port(seed, "port");
  config.port.burst_beats = port.chance(50) ? 256 : port.uniform(1, 64);
  base::Random rest(seed, "rest");
  if (rest.chance(30)) config.quantiser.rounding = arith::Rounding::truncate;
  if (rest.chance(30)) config.quantiser.operand_bits = rest.uniform(8, 48);
  if (rest.chance(50)) config.weights.level1 = tiled::WeightStore::bram;
  config.ddr.data_bits = rest.chance(50) ? config.port.data_bits * rest.uniform(1, 2) : 0;
  base::Random places(seed, "places");
  for (tiled::EngineConfig* engine : {&config.conv, &config.first, &config.fc})
    if (engine->exists()) random_place(places, *engine);
  base::Random chains(seed, "chains");
  if (format.grain == kCoarse && std::string_view(format.method) == "dorefa" && format.weight_bits <= 8 &&
      format.activation_bits <= 8 && chains.chance(40)) {
    for (tiled::EngineConfig* engine : {&config.conv, &config.first, &config.fc}) {
      if (!engine->exists() || chains.chance(30)) continue;
      engine->tm += engine->tm % 2;
      engine->macs = tiled::MacPlace::int8_chain;
      engine->dsp_channels = 0;
      engine->terms = chains.uniform(2, chains.chance(80) ? 4 : 8);
    }
  }
  config.fc.takes_vectors = true;
  if (config.fc.exists() && base::Random(seed, "vectors").chance(40)) {
    config.fc.vectors = tiled::VectorStore::registers;
    config.fc.input_words = 8192;  // any vector whole
  }
  config.store.code_table = format.activation_bits <= 8 && base::Random(seed, "code table").chance(50);
  const std::vector<std::string> after = all_fields(config);
  for (std::size_t i = 0; i < after.size(); ++i)
    if (after[i] != before[i]) c.settings.push_back(after[i]);
  const int height = random.uniform(9, 14), width = random.uniform(9, 14);
  c.input = fmt::format("{{shape: [12, {}, {}], {}, step: 0.05}}", height, width, random_type(random, format));
  std::string last = "input";
  base::Random rare(seed, "rare");
  for (int i = 0; i < 6; ++i) {
    c.layers.push_back(random_layer(random, rare, i, last, format));
    last = fmt::format("{}{}", c.layers.back().find("name: p") == std::string::npos ? 'l' : 'p', i);
  }
  add_host_layers(seed, {"relu", "add", "maxpool", "avgpool"}, c);
  if (config.store.code_table) add_looked_up_layers(seed, {}, c);
  add_concatenations(seed, c);
  add_sums(seed, format.activation_bits < 16 && format.grain == kCoarse, c);
  give_costs_as_times(seed, c);
  add_share(seed, c);
  leave_out_idle(config, c.settings);
  return c;
}

}  // namespace fansim::test
