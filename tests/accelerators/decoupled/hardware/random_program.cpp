// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/random_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "accelerators/decoupled/config/arithmetic.h"
#include "accelerators/decoupled/config/check.h"
#include "accelerators/stream/config/config.h"
#include "base/random.h"
#include "random/random_memory.h"

namespace fansim::test {
namespace {

using namespace decoupled;

constexpr int kRecords = 512;           // valid parameters, from address 0 on
constexpr int kKib = 64;                // size of each buffer
constexpr int kMostProducts = 300'000;  // for a block of outputs of a command; without values one position is enough

class Generator {
 public:
  Generator(std::uint64_t seed, Order order) : random_(seed, "commands"), order_(order) {}

  CommandProgram run() {
    do {
      c_ = {};
      configure();
    } while (!decoupled::refusal(c_).empty());
    program_.memory.resize(values() ? 1 << 17 : 1 << 22);
    if (values()) fill();
    for (int layers = random_.uniform(1, 3); layers > 0; --layers) program_.layers.push_back(layer());
    return std::move(program_);
  }

 private:
  bool values() const { return order_ == Order::serial; }
  int often_none(int most) { return random_.chance(50) ? 0 : random_.uniform(1, most); }

  void configure() {
    const char* part = "ddr.part=../parts/zcu102_ddr4_2133.yaml";
    if (random_.chance(40))
      c_.ddr =
          stream::Config::read(FANSIM_SOURCE_DIR "/configs/systems/zcu102_stream.yaml", {"ddr.fidelity=banked", part})
              .ddr;
    random_memory(random_, 8, c_);
    c_.data.type = static_cast<DataType>(random_.uniform(0, 2));
    c_.quantiser.accumulator_bits = random_.uniform(c_.data.type == DataType::int8 ? 9 : 17, 48);
    c_.quantiser.operand_bits = random_.uniform(8, 32);
    const int block = 1 << random_.uniform(0, 3);
    c_.schedule.block = block;
    c_.array.tn = random_.chance(70) ? block * random_.uniform(1, 3) : std::max(1, block >> random_.uniform(1, 2));
    c_.array.tm = block * random_.uniform(1, 4);
    c_.array.batch = random_.chance(60) ? 1 : random_.uniform(2, 3);
    c_.array.interval = random_.uniform(1, 4);
    c_.array.pool_interval = random_.uniform(1, 4);
    c_.array.latency = random_.uniform(0, 20);
    c_.array.setup = often_none(20);
    c_.post.where = random_.chance(50) ? PostPlace::array : PostPlace::store;
    c_.post.lanes = random_.uniform(1, 20);
    c_.post.interval = random_.uniform(1, 4);
    c_.post.setup = often_none(10);
    if (random_.chance(50)) c_.load.order = LoadOrder::parallel;
    const int most = c_.load.two_units() ? Config::kMostPorts - 1 : Config::kMostPorts;
    c_.load.ports = random_.uniform(1, most);
    if (c_.load.two_units()) c_.load.weight_ports = random_.uniform(1, Config::kMostPorts - c_.load.ports);
    c_.load.pad_interval = random_.uniform(0, 3);
    c_.store.ports = random_.uniform(1, Config::kMostPorts);
    for (MoverConfig* mover : {static_cast<MoverConfig*>(&c_.load), static_cast<MoverConfig*>(&c_.store)}) {
      mover->setup = often_none(30);
      mover->row_setup = often_none(12);
      mover->rows = random_.chance(50) ? Rows::merged : Rows::single;
    }
    if (c_.ddr.data_bits > 0) c_.ddr.data_bits = std::min(1024, c_.axi.data_bits * random_.uniform(1, c_.ports()));
    c_.buffers.input_kib = c_.buffers.weight_kib = c_.buffers.sum_kib = kKib;
  }

  // Records of parameters, then codes, or floats of any kind but what is none.
  void fill() {
    for (std::size_t i = 0; i < program_.memory.size(); i += 4) {
      std::uint8_t* at = program_.memory.data() + i;
      if (floats())
        put_integer(bits_of(static_cast<float>(random_.uniform(-2000, 2000)) / 1000), at, 4);
      else
        put_integer(random_.uniform(INT32_MIN, INT32_MAX), at, 4);
    }
    for (int i = 0; i < kRecords && !floats(); ++i) put_parameters(parameters(), program_.memory.data() + i * 8);
  }
  bool floats() const { return c_.data.type == DataType::float32; }
  ChannelParameters parameters() {
    if (floats()) return {bits_of(static_cast<float>(random_.uniform(-2000, 2000)) / 1000), 1, 0};
    const std::int64_t bias = random_.uniform(-100000, 100000);
    return {random_.chance(20) ? bias * (1 << 20) : bias, random_.uniform(1, 32767), random_.uniform(0, 31)};
  }

  std::shared_ptr<DecoupledLayer> layer() {
    auto layer = std::make_shared<DecoupledLayer>();
    layer->in_unsigned = !floats() && random_.chance(30);
    layer->out.bits = c_.data.bits() < 32 ? c_.data.bits() : 16;
    layer->out.is_unsigned = random_.chance(30);
    if (!floats()) {
      layer->zero_point = layer->in_unsigned ? random_.uniform(0, 255) : random_.uniform(-128, 127);
      layer->out.zero_point = layer->out.is_unsigned ? random_.uniform(0, 255) : random_.uniform(-128, 127);
    }
    layer->weighs = random_.chance(80);
    layer->relu = layer->weighs && random_.chance(50);
    if (random_.chance(40))
      for (int i = 0; i < 2 * kRecords; ++i) layer->parameters.push_back(parameters());
    if (layer->weighs && random_.chance(20))
      for (int i = 0; i < 1 << layer->out.bits; ++i) layer->code_table.push_back(random_.uniform(-100, 100));
    if (floats() && !layer->code_table.empty()) layer->float_function = [](float x) { return x < 0 ? x * 0.1F : x; };
    for (int jobs = random_.uniform(1, 3); jobs > 0; --jobs) layer->jobs.push_back(job());
    return layer;
  }

  Job job() {
    Job job;
    const int count = random_.chance(5) ? 0 : random_.uniform(1, random_.chance(30) ? 40 : 12);
    for (int i = 0; i < count; ++i) {
      job.commands.push_back(command());
      if (const std::string reason = decoupled::refusal(job.commands.back(), c_); !reason.empty())
        throw std::logic_error(reason);
    }
    values() ? serialise(job) : add_tokens(job);
    return job;
  }

  static void serialise(Job& job) {
    for (std::size_t i = 1; i < job.commands.size(); ++i) couple(job.commands[i - 1], job.commands[i]);
  }
  static void couple(Command& from, Command& to) {
    if (from.unit == to.unit) return;
    from.gives |= bit(to.unit);
    to.waits |= bit(from.unit);
  }
  // Adds tokens, each from a command to a later one, so that the n-th token is given before it is taken, and tokens
  // that nobody takes.
  void add_tokens(Job& job) {
    const int last = static_cast<int>(job.commands.size()) - 1;
    for (int tries = random_.uniform(0, 2 * last + 1); tries > 0 && last > 0; --tries) {
      const int i = random_.uniform(0, last - 1);
      Command& from = job.commands[static_cast<std::size_t>(i)];
      Command& to = job.commands[static_cast<std::size_t>(random_.uniform(i + 1, std::min(last, i + 8)))];
      if ((from.gives & bit(to.unit)) == 0 && (to.waits & bit(from.unit)) == 0) couple(from, to);
    }
    for (Command& command : job.commands)
      if (random_.chance(5)) command.gives |= static_cast<std::uint8_t>(1U << random_.uniform(0, 3));
  }

  Command command() {
    Command command;
    const int kind = random_.uniform(0, 9);
    const auto load = [&] {
      const bool second = c_.load.two_units() && random_.chance(50);
      command.unit = second ? Unit::load_weights : Unit::load;
    };
    if (kind <= 4) {
      load();
      load_of(command, kind);
    } else if (kind <= 7) {
      command.unit = Unit::compute;
      compute(command);
    } else {
      command.unit = Unit::store;
      store(command);
    }
    return command;
  }

  void load_of(Command& command, int kind) {
    if (kind == 2) {
      command.action = Action::load_weights;
      command.weights = random_.uniform(0, 5);
      run(command, c_.data.bytes() * random_.uniform(1, random_.chance(20) ? 3000 : 200));
      return;
    }
    if (kind == 3) {
      command.action = Action::load_parameters;
      command.parameters = random_.uniform(0, 100);
      command.channels = random_.uniform(1, 40);
      command.planes.planes = command.planes.rows.rows = 1;
      command.planes.rows.row_bytes = command.planes.rows.pitch = static_cast<std::uint32_t>(command.channels) * 8;
      command.planes.rows.address = static_cast<std::uint32_t>(random_.uniform(0, kRecords - 40)) * 8;
      return;
    }
    const bool sums = kind == 4;
    command.action = sums ? Action::load_sums : Action::load_inputs;
    Tile& tile = sums ? command.sums : command.inputs;
    const int bytes = sums ? sum_vector_bytes(c_) : input_vector_bytes(c_);
    tile = this->tile(bytes);
    if (!sums && random_.chance(50)) command.border = border(tile);
    command.planes = planes(tile, command.border, tile.planes, bytes);
  }

  // Draws rows of bytes that follow one another in a buffer.
  void run(Command& command, int row_bytes) {
    const int rows = random_.uniform(1, std::max(1, std::min(6, kKib * 256 / row_bytes)));
    Tile tile;
    tile.rows = rows;
    tile.planes = random_.uniform(1, std::max(1, std::min(3, kKib * 512 / (rows * row_bytes))));
    command.planes = planes(tile, {}, tile.planes, row_bytes);
  }

  Tile tile(int bytes) {
    Tile tile;
    const int most = kKib * 1024 / bytes;  // vectors
    tile.columns = random_.uniform(1, random_.chance(20) ? 100 : 12);
    tile.rows = random_.uniform(1, 7);
    tile.ring = tile.rows + (random_.chance(70) ? 0 : random_.uniform(1, 3));
    tile.row = tile.ring == tile.rows ? 0 : random_.uniform(0, tile.ring - 1);
    while (tile.ring * tile.columns > most) tile.columns = std::max(1, tile.columns / 2);
    tile.plane = tile.ring * tile.columns + often_none(5);
    tile.planes = random_.uniform(1, std::max(1, std::min(6, most / tile.plane)));
    tile.first = random_.uniform(0, std::max(0, most - tile.planes * tile.plane));
    return tile;
  }

  Border border(const Tile& tile) {
    Border border;
    border.top = random_.uniform(0, std::min(tile.rows, 2));
    border.bottom = random_.uniform(0, std::min(tile.rows - border.top, 2));
    if (random_.chance(30)) return border;
    border.left = random_.uniform(0, std::min(tile.columns - 1, 2));
    border.right = random_.uniform(0, std::min(tile.columns - 1 - border.left, 2));
    return border;
  }

  // Places planes somewhere in memory after the parameters; each row of the tile has `bytes` bytes per column.
  Planes planes(const Tile& tile, const Border& border, int count, int bytes) {
    Planes planes;
    const int value = c_.data.type == DataType::int8 ? 1 : c_.data.bytes();
    contract::RowTransfers& rows = planes.rows;
    const auto pick = [&](int most) { return static_cast<std::uint32_t>(random_.uniform(0, most / value) * value); };
    rows.rows = static_cast<std::uint32_t>(tile.rows - border.top - border.bottom);
    rows.row_bytes = static_cast<std::uint32_t>((tile.columns - border.left - border.right) * bytes);
    rows.pitch = rows.row_bytes + (random_.chance(50) ? 0 : pick(values() ? 40 : 9000));
    planes.plane_pitch = rows.rows * rows.pitch + (random_.chance(50) ? 0 : pick(values() ? 100 : 40000));
    planes.planes = random_.chance(4) ? 0 : count;
    const std::uint32_t size = static_cast<std::uint32_t>(count) * planes.plane_pitch + rows.row_bytes;
    const std::uint32_t first = kRecords * 8, all = static_cast<std::uint32_t>(program_.memory.size());
    if (first + size > all) throw std::logic_error(fmt::format("{} bytes are too many", size));
    rows.address = first + pick(static_cast<int>(all - first - size));
    if (random_.chance(30)) rows.address -= rows.address % 64;
    return planes;
  }

  void compute(Command& command) {
    command.action = random_.chance(20) ? Action::post : random_.chance(30) ? Action::pool : Action::multiply;
    command.steps = random_.chance(10) ? 0 : random_.uniform(1, 300);
    if (command.action == Action::post) return;
    command.sums = tile(sum_vector_bytes(c_));
    command.sums.rows = random_.uniform(1, std::min(4, command.sums.rows));
    command.sums.columns = random_.uniform(1, std::min(8, command.sums.columns));
    command.sums.planes = std::min(3, command.sums.planes);
    command.kernel = random_.uniform(1, 3);
    command.stride = random_.uniform(1, 2);
    command.output_blocks = command.sums.planes;
    command.input_blocks = random_.uniform(1, 3);
    command.weights = random_.uniform(0, 3);
    command.fresh = random_.chance(60);
    Tile& in = command.inputs;
    const auto reach = [&](int outputs) { return (outputs - 1) * command.stride + command.kernel; };
    in.rows = reach(command.sums.rows) + random_.uniform(0, 1);
    in.columns = reach(command.sums.columns) + random_.uniform(0, 1);
    in.ring = in.rows + random_.uniform(0, 2);
    in.row = random_.uniform(0, in.ring - 1);
    in.plane = in.ring * in.columns;
    const int most = kKib * 1024 / input_vector_bytes(c_);
    in.planes = random_.uniform(1, std::max(1, std::min(6, most / in.plane)));
    in.first = random_.uniform(0, std::max(0, most - in.planes * in.plane));
    if (command.action == Action::pool) return;
    while ((command.weights + command.input_blocks * command.kernel * command.kernel) * weight_block_bytes(c_) >
           kKib * 1024)
      --command.kernel;
    const int taps = command.input_blocks * command.kernel * command.kernel;
    if (random_.chance(20)) {
      command.first_tap = random_.uniform(0, taps - 1);
      command.taps = random_.uniform(1, taps - command.first_tap);
    }
    const std::int64_t products = values() ? kMostProducts : 1;
    while ((command.weights + command.output_blocks * taps) * weight_block_bytes(c_) > kKib * 1024)
      command.sums.planes = --command.output_blocks;
    while (std::int64_t{command.sums.rows} * command.sums.columns * taps * c_.array.macs_per_step() > products &&
           command.sums.rows * command.sums.columns > 1) {
      command.sums.columns = std::max(1, command.sums.columns / 2);
      command.sums.rows = std::max(1, command.sums.rows / 2);
    }
  }

  void store(Command& command) {
    command.sums = tile(sum_vector_bytes(c_));
    if (random_.chance(30)) {
      command.action = Action::store_sums;
      command.planes = planes(command.sums, {}, command.sums.planes, sum_vector_bytes(c_));
      return;
    }
    command.action = Action::store;
    const int count = random_.uniform(1, command.sums.planes * (c_.array.tm / c_.block()));
    command.planes = planes(command.sums, {}, count, input_vector_bytes(c_));
    const int channels = command.planes.planes * c_.block();
    command.channels = std::min(kRecords, random_.uniform(std::max(0, channels - c_.block() + 1), channels));
    command.parameters = random_.uniform(0, 100);
  }

  base::Random random_;
  const Order order_;
  CommandProgram program_;
  Config& c_ = program_.config;
};

}  // namespace

CommandProgram random_program(std::uint64_t seed, Order order) { return Generator(seed, order).run(); }

}  // namespace fansim::test
