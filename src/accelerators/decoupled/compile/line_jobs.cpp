// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/decoupled/compile/scheduler.h"

namespace fansim::decoupled {
namespace {

// Says how rows lie in the line buffers: `top` rows of border, the rows of the map, then `below` rows of border. The
// array always multiplies whole windows, so a smaller kernel also waits for the values around it.
struct Lines {
  int kernel = 1;  // or the array's window, if that is larger
  int around = 0;  // of the window beyond the kernel
  int below = 0, right = 0;
  int ring = 1, columns = 1;

  Lines(const Work& work, const Config& config) : kernel(std::max(work.kernel, work.pools ? 1 : config.array.window)) {
    const auto beyond = [&](int outputs, int before, int size) {
      return std::max(0, (outputs - 1) * work.stride + work.kernel - before - size);
    };
    around = (kernel - work.kernel) / 2;
    below = beyond(work.out.rows, work.top, work.in.rows);
    right = beyond(work.out.columns, work.left, work.in.columns);
    // The first row comes with the border above, and if it is also the last one, with both.
    ring = std::max(kernel + std::max(1, below), work.top + 1 + (work.in.rows == 1 ? below : 0));
    columns = work.left + work.in.columns + right;
  }
};

class LineScheduler : Scheduler {
 public:
  LineScheduler(const Work& work, const TileLimits& limits, const TileSize& tile, const Config& config)
      : Scheduler(work, limits, tile, config), lines_(work, config), partial_(work.out) {
    partial_.address = work.sums;
    partial_.block = config.array.tm;
    partial_.value_bytes = config.sum_bytes();
  }

  std::vector<Job> run() {
    if (config_.schedule.parameters == Parameters::layer && !work_.pools)
      load_parameters(0, work_.groups * work_.outputs);
    for (int group = 0; group < work_.groups; ++group)
      for (int m = 0; m < output_tiles(); ++m)
        for (int n = 0; n < input_tiles(); ++n) {
          pass({group, m, n, pass_++ % weight_halves(limits_, config_)});
          if (n == 0 && !work_.pools)
            clears_ += std::int64_t{outputs_of(m).count} * work_.out.rows * work_.out.columns * partial_.value_bytes;
          if (config_.schedule.calls) cut();
        }
    cut();
    return std::move(jobs_);
  }

  std::optional<compile::Misfit> misfit() const {
    const std::int64_t halves = input_halves(limits_, config_);
    const std::string rows =
        fmt::format("{} rows of {} places of {} channels", lines_.ring, lines_.columns, tile_.inputs);
    const std::int64_t vector = work_.in.vector_bytes();
    if (auto beyond_ = beyond(inputs_tile(tile_.inputs).planes * std::int64_t{inputs_tile(tile_.inputs).plane},
                              halves * room_.inputs, vector, {"buffers.input_kib", config_.buffers.input_kib},
                              rows + " (schedule.inputs)"))
      return beyond_;
    const std::int64_t weights = work_.pools
                                     ? 0
                                     : std::int64_t{work_.input_blocks(tile_.inputs, config_)} *
                                           work_.output_blocks(tile_.outputs, config_) * work_.kernel_positions();
    const auto channels = [&](const char* what) {
      return fmt::format("{} of {} input and {} output channels (schedule.inputs, outputs)", what, tile_.inputs,
                         tile_.outputs);
    };
    if (auto beyond_ =
            beyond(weights, room_.weights, std::int64_t{config_.array.tm} * config_.array.tn * config_.data.bytes(),
                   {"buffers.weight_kib", config_.buffers.weight_kib}, channels("a pass")))
      return beyond_;
    const Tile sums = sums_tile(0, tile_.outputs, 1, work_.out.columns);
    return beyond(std::int64_t{sums.planes} * sums.plane, room_.sums,
                  std::int64_t{config_.array.tm} * config_.array.batch * config_.sum_bytes(),
                  {"buffers.sum_kib", config_.buffers.sum_kib}, channels("a row"));
  }

 private:
  struct Pass {
    int group, m, n, half;
  };

  void pass(const Pass& p) {
    const bool last = p.n + 1 == input_tiles();
    if (!work_.pools) {
      if (last && config_.schedule.parameters == Parameters::tile)
        load_parameters(p.group * work_.outputs + outputs_of(p.m).first, outputs_of(p.m).count);
      load_weights(p.group, p.m, p.n, p.half, 1);
    }
    int output = 0;
    for (int row = 0; row < work_.in.rows; ++row) {
      load(p, row);
      for (; output < work_.out.rows && last_row_of(output) <= row; ++output) compute_row(p, output, last);
    }
  }

  // Returns the last row of the map that a row of outputs needs.
  int last_row_of(int output) const {
    return std::clamp(output * work_.stride + lines_.kernel - 1 - lines_.around - work_.top, 0, work_.in.rows - 1);
  }
  Tile inputs_tile(int channels) const {
    Tile inputs;
    inputs.planes = base::ceil_div(channels, work_.in.block);
    inputs.columns = lines_.columns;
    inputs.ring = lines_.ring;
    inputs.plane = lines_.ring * lines_.columns;
    return inputs;
  }
  std::vector<Place> lines(int first, int count) const {
    std::vector<Place> places;
    for (int i = 0; i < count; ++i) places.push_back({Place::Of::inputs, (first + i) % lines_.ring});
    return places;
  }
  // Returns the channels of a pass. A pooling reads the channels that it produces.
  Span channels(const Pass& p) const { return work_.pools ? outputs_of(p.m) : inputs_of(p.n); }

  void load(const Pass& p, int row) {
    Command load;
    load.action = Action::load_inputs;
    const Span in = channels(p);
    load.planes = work_.in.planes_of({p.group * work_.inputs + in.first, in.count}, {row, 1}, {0, work_.in.columns});
    load.border = {row == 0 ? work_.top : 0, row + 1 == work_.in.rows ? lines_.below : 0, work_.left, lines_.right};
    load.inputs = inputs_tile(in.count);
    load.inputs.row = row == 0 ? 0 : (work_.top + row) % lines_.ring;
    load.inputs.rows = load.border.top + 1 + load.border.bottom;
    list_.add(load, {}, lines(load.inputs.row, load.inputs.rows));
  }

  void compute_row(const Pass& p, int output, bool last) {
    const int half = next_sums_++ % sum_halves(limits_, config_);
    const Place sums{Place::Of::sums, half}, memory{Place::Of::memory, p.group * output_tiles() + p.m, output};
    Span out = outputs_of(p.m);
    Command command = compute(p.m, p.n, p.half);
    command.sums = sums_tile(half, out.count, 1, work_.out.columns);
    const Planes partial_sums =
        partial_.planes_of({p.group * base::round_up(work_.outputs, config_.array.tm) + out.first, out.count},
                           {output, 1}, {0, work_.out.columns});
    out.first += p.group * work_.outputs;
    if (!command.fresh) {
      Command partial;
      partial.unit = weight_unit();
      partial.action = Action::load_sums;
      partial.planes = partial_sums;
      partial.sums = command.sums;
      partial.channels = out.count;
      list_.add(partial, {memory}, {sums});
    }
    command.inputs = inputs_tile(channels(p).count);
    command.inputs.row = output * work_.stride % lines_.ring;
    command.inputs.rows = work_.kernel;
    command.steps = steps(command, (work_.out.columns - 1) * work_.stride + lines_.kernel);
    if (output == 0) command.steps *= 1 + config_.schedule.fill_rows;
    std::vector<Place> reads = lines(command.inputs.row, work_.kernel);
    if (!work_.pools) reads.push_back({Place::Of::weights, p.half});
    list_.add(command, reads, {sums});
    if (last) post(command.sums, sums, work_.out.columns, out.count);
    Command store;
    store.unit = Unit::store;
    store.action = last ? Action::store : Action::store_sums;
    store.sums = command.sums;
    store.planes = last ? work_.out.planes_of(out, {output, 1}, {0, work_.out.columns}) : partial_sums;
    store.parameters = out.first;
    store.channels = out.count;
    list_.add(store, {sums}, last ? std::vector<Place>{} : std::vector<Place>{memory});
  }

  const Lines lines_;
  StoredMap partial_;  // sums of earlier passes, in vectors of tm channels
  int pass_ = 0, next_sums_ = 0;
};

}  // namespace

compile::Fit<std::vector<Job>> line_jobs(const Work& work, const TileLimits& limits, const Config& config) {
  LineScheduler scheduler(work, limits, channels_of(work, limits, config), config);
  if (auto misfit = scheduler.misfit()) return *misfit;
  return scheduler.run();
}

}  // namespace fansim::decoupled
