// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "accelerators/decoupled/config/config.h"
#include "base/random.h"
#include "random/random_case.h"
#include "random/random_memory.h"

namespace fansim::test {

namespace {

const std::string kBase = "configs/systems/tiny_decoupled.yaml";

template <class Enum, std::size_t n>
Enum one_of(base::Random& random, const Enum (&all)[n]) {
  return all[static_cast<std::size_t>(random.uniform(0, static_cast<int>(n) - 1))];
}

void random_array(base::Random& random, decoupled::Config& c) {
  constexpr int kBlocks[] = {1, 2, 3, 4, 6, 8};
  const int block = one_of(random, kBlocks);
  c.array.tm = block * random.uniform(1, 24 / block);
  c.array.tn = random.chance(50) ? block * random.uniform(1, 8 / block) : block % 2 == 0 ? block / 2 : block;
  c.schedule.block = block;
  c.array.batch = random.chance(70) ? 1 : random.uniform(2, 4);
  c.array.window = random.chance(70) ? 1 : random.uniform(2, 4);
  c.array.interval = random.uniform(1, 3);
  c.array.pool_interval = random.uniform(1, 3);
  c.array.latency = random.uniform(0, 12);
  c.array.setup = random.chance(50) ? 0 : random.uniform(1, 9);
}

void random_units(base::Random& random, decoupled::Config& c) {
  constexpr decoupled::PostPlace kPlaces[] = {decoupled::PostPlace::array, decoupled::PostPlace::store};
  c.post = {one_of(random, kPlaces), random.uniform(1, 20), random.uniform(1, 4), random.uniform(1, 3),
            random.uniform(0, 9)};
  const auto mover = [&](decoupled::MoverConfig& unit, int most) {
    unit.ports = random.chance(60) ? 1 : random.uniform(1, most);
    unit.setup = random.uniform(0, 12);
    unit.rows = random.chance(50) ? decoupled::Rows::merged : decoupled::Rows::single;
    unit.row_setup = random.chance(50) ? 0 : random.uniform(1, 6);
  };
  mover(c.load, 2);
  mover(c.store, 4);
  c.load.order = random.chance(50) ? decoupled::LoadOrder::serial : decoupled::LoadOrder::parallel;
  c.load.weight_ports = random.uniform(1, 2);
  c.load.pad_interval = random.uniform(0, 3);
  c.buffers = {random.uniform(16, 48), random.uniform(96, 400), random.uniform(8, 48), random.uniform(1, 2),
               random.uniform(1, 2)};
  if (random.chance(30)) {
    c.buffers.input_kib = random.uniform(2, 16);
    c.buffers.sum_kib = random.uniform(1, 8);
  }
}

void random_schedule(base::Random& random, decoupled::Config& c) {
  using namespace decoupled;
  constexpr LoopOrder kOrders[] = {LoopOrder::rows_outputs_columns, LoopOrder::rows_columns_outputs,
                                   LoopOrder::outputs_rows_columns};
  constexpr Threads kThreads[] = {Threads::none, Threads::none, Threads::outputs, Threads::rows};
  constexpr Parameters kParameters[] = {Parameters::command, Parameters::layer, Parameters::tile};
  ScheduleConfig& s = c.schedule;
  s.order = one_of(random, kOrders);
  s.threads = one_of(random, kThreads);
  s.parameters = one_of(random, kParameters);
  const auto at_most = [&](int chance, int most) { return random.chance(chance) ? random.uniform(1, most) : 0; };
  s.rows = at_most(40, 6);
  s.columns = at_most(40, 6);
  s.inputs = at_most(50, 20);
  s.outputs = at_most(50, 50);
  s.weight_pieces = random.chance(75) ? 1 : random.uniform(2, 12);
  s.weight_rows = random.chance(40);
  s.calls = random.chance(20);
  if (random.chance(25)) {
    s.maps = Inputs::lines;
    s.threads = Threads::none;
    s.weight_pieces = 1;
  }
}

// Draws what loops lose, and which buffers are double.
void random_pipelines(base::Random& random, decoupled::Config& c) {
  if (random.chance(40)) c.array.refill = random.uniform(1, 6);
  c.array.clear = random.chance(40);
  if (random.chance(40)) c.buffers.weight_halves = random.uniform(1, 2);
  c.schedule.drain = random.chance(40);
  if (random.chance(40)) c.schedule.fill_rows = random.uniform(1, 3);
}

std::string random_type(base::Random& random) {
  const bool is_unsigned = random.chance(40);
  const int low = is_unsigned ? 0 : -128;
  return fmt::format("type: {}, zero_point: {}", is_unsigned ? "uint8" : "int8",
                     random.chance(50) ? random.uniform(low, low + 255) : 0);
}

std::string random_layer(base::Random& random, int index, const std::string& last, int block) {
  const std::string name = fmt::format("  - {{name: l{}, input_from: ", index);
  if (random.chance(20))
    return name + fmt::format("{}, type: fc, units: {}, quant: {{{}}}}}\n", random.chance(40) ? last : "input",
                              random.uniform(1, 60), random_type(random));
  const int kernel = random.chance(75) ? random.uniform(1, 4) : random.uniform(5, 7);
  const int padding = random.chance(10) ? kernel + random.uniform(0, 4) : random.uniform(0, kernel / 2);
  if (random.chance(25)) {
    const std::string from = random.chance(50) && last.front() == 'p' ? last : "input";
    return fmt::format(
        "  - {{name: p{}, input_from: {}, type: maxpool, kernel: {}, stride: {}, padding: {}, "
        "ceil_mode: {}}}\n",
        index, from, std::min(kernel, 4), random.uniform(1, 3), random.uniform(0, (kernel - 1) / 2), random.chance(50));
  }
  int groups = random.chance(70) ? 1 : random.uniform(2, 6);
  if (12 % groups != 0 || 12 / groups % block != 0) groups = 1;
  const int filters = groups > 1 ? groups * block * random.uniform(1, 3) : random.uniform(1, 40);
  return name + fmt::format(
                    "input, type: conv, filters: {}, kernel: {}, stride: {}, groups: {}, padding: {}{}, "
                    "quant: {{{}}}}}\n",
                    filters, kernel, random.uniform(1, 3), groups, padding,
                    random.chance(40) ? ", activation: relu" : "", random_type(random));
}

}  // namespace

Case random_decoupled_case(std::uint64_t seed) {
  base::Random random(seed, "decoupled");
  Case c;
  c.base = kBase;
  if (random.chance(30)) c.settings = banked_settings(seed);
  auto config = decoupled::Config::read(std::string(FANSIM_SOURCE_DIR "/") + kBase, c.settings);
  const std::vector<std::string> before = fields_of(config);
  random_array(random, config);
  random_units(random, config);
  random_schedule(random, config);
  base::Random pipelines(seed, "decoupled pipelines");
  random_pipelines(pipelines, config);
  const int register_write = random.uniform(0, 3), setup = random.chance(50) ? 0 : random.uniform(1, 40);
  decoupled::DriverConfig host;
  host.register_write = register_write;
  host.interrupt = random.uniform(0, 3);
  host.layer_setup = setup;
  host.call = random.uniform(0, 20);
  host.command = random.uniform(0, 3);
  host.flush_per_kib = random.uniform(0, 9);
  host.clear_per_kib = pipelines.uniform(0, 9);
  config.data.type = random.chance(60) ? decoupled::DataType::int8 : decoupled::DataType::int16;
  if (base::Random(seed, "decoupled floats").chance(25)) config.data.type = decoupled::DataType::float32;
  const bool wide = config.data.type == decoupled::DataType::int16 && random.chance(50);
  config.quantiser.accumulator_bits = wide ? random.uniform(33, 48) : random.chance(70) ? 32 : random.uniform(16, 31);
  config.quantiser.operand_bits = random.chance(70) ? 32 : random.uniform(12, 48);
  if (random.chance(30)) config.quantiser.rounding = arith::Rounding::truncate;
  struct {
    base::Rational clock_mhz;
    contract::AxiConfig axi;
    contract::DmaConfig dma;
    contract::DdrConfig ddr;
    contract::HostConfig host;
  } memory{config.clock_mhz, config.axi, config.dma, config.ddr, config.host};
  random_memory(random, 12, memory);
  config.clock_mhz = memory.clock_mhz;
  config.axi = memory.axi;
  config.dma = memory.dma;
  config.ddr = memory.ddr;
  if (config.ddr.data_bits > config.axi.data_bits) config.ddr.data_bits = config.axi.data_bits * config.ports();
  const int on_the_way = config.ddr.request_latency + config.ddr.response_latency;
  config.ddr.read_latency = std::max(int{config.ddr.read_latency}, on_the_way);
  config.ddr.write_latency = std::max(int{config.ddr.write_latency}, on_the_way);
  config.host = host;
  const std::vector<std::string> after = fields_of(config);
  for (std::size_t i = 0; i < after.size(); ++i)
    if (after[i] != before[i]) c.settings.push_back(after[i]);
  c.input = fmt::format("{{shape: [12, {}, {}], {}, step: 0.05}}", random.uniform(5, 14), random.uniform(5, 14),
                        random_type(random));
  std::string last = "input";
  for (int i = 0; i < 5; ++i) {
    c.layers.push_back(random_layer(random, i, last, config.block()));
    last = fmt::format("{}{}", c.layers.back()[11], i);
  }
  add_host_layers(seed, {"relu", "add", "avgpool"}, c);
  add_looked_up_layers(seed, {}, c);
  add_concatenations(seed, c);
  give_costs_as_times(seed, c);
  add_share(seed, c);
  leave_out_idle(config, c.settings);
  return c;
}

}  // namespace fansim::test
