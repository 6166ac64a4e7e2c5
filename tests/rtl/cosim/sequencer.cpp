// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/sequencer.h"

#include <array>

#include "accelerators/stream/hardware/recurrent_cell.h"
#include "cosim/job.h"
#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

// Makes halves available at random.
struct Halves final : sim::ReadPort, sim::WritePort {
  bool readable(int target) const override { return there[static_cast<std::size_t>(target)]; }
  const std::uint8_t* read(int, int, int) override { return nullptr; }
  bool writable(int target) const override { return there[static_cast<std::size_t>(target)]; }
  void write(int, int, const std::uint8_t*, int) override {}
  void complete(int) override {}
  void change(base::Random& random) {
    for (bool& target : there)
      if (random.chance(10)) target = !target;
  }
  unsigned mask() const { return (there[0] ? 1U : 0) | (there[1] ? 2U : 0) | (there[2] ? 4U : 0); }
  std::array<bool, 3> there{true, true, true};
};

// A phase is a few jobs. The accumulator's report of each comes at any time; the cell gets the gates of a recurrent
// step, of one block of units, when the step's passes are issued.
template <class Model>
class SequencerLane final : public Lane<Model> {
 public:
  SequencerLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        array_(array_of(p)),
        command((name + "_command").c_str()),
        done((name + "_done").c_str()),
        lines((name + "_lines").c_str()),
        passes((name + "_passes").c_str()),
        weights((name + "_weights").c_str()),
        gates_((name + "_gates").c_str()),
        hidden_((name + "_hidden").c_str()),
        cell_((name + "_cell").c_str(), array_),
        sequencer_(name.c_str(), array_, input_, weight_, bias_, output_, cell_) {
    cell_job_.groups = 4;
    sequencer_.command(command);
    sequencer_.done(done);
    sequencer_.lines(lines);
    sequencer_.passes(passes);
    sequencer_.weights(weights);
    cell_.gates(gates_);
    cell_.out(hidden_);
    this->input(
        COSIM_INPUT(command),
        [](Model& m, const stream::Command& job, const auto& field) { job_fields(m.command_image, job, field); },
        commands_,
        [this](stream::Command& job) {
          job = jobs_[static_cast<std::size_t>(commands_)];
          recurrent_.push_back(job.start_recurrent);
        });
    this->input(
        COSIM_INPUT(done), [](Model&, const stream::JobDone&, const auto&) {}, dones_, [](stream::JobDone&) {});
    this->output(COSIM_OUTPUT(lines), [](Model& m, const stream::LineCommand& item, const auto& field) {
      field("fill", 0, m.lines_fill, 0, 1, item.fill);
      if (!item.fill) return;
      field("zero_state", 0, m.lines_zero_state, 0, 1, item.zero_state);
      const int address =
          item.job->fill_base + item.block * item.job->fill_block_step + item.line * item.job->fill_line_step;
      field("address", 0, m.lines_address, 0, 28, bits(address));
      field("lines", 0, m.lines_lines, 0, 4, bits(item.lines));
    });
    this->output(COSIM_OUTPUT(passes), [](Model& m, const stream::Pass& item, const auto& field) {
      field("block", 0, m.passes_block, 0, 14, bits(item.block));
      field("row", 0, m.passes_row, 0, 14, bits(item.row));
      field("x_block", 0, m.passes_x_block, 0, 8, bits(item.x_block));
      field("group", 0, m.passes_group, 0, 16, bits(item.group));
      field("entry", 0, m.passes_entry, 0, 20, bits(item.entry));
      field("first", 0, m.passes_first, 0, 1, item.first);
      field("last", 0, m.passes_last, 0, 1, item.last);
      field("job_end", 0, m.passes_job_end, 0, 1, item.job_end);
    });
    this->output(COSIM_OUTPUT(weights), [](Model& m, const stream::WeightCommand& item, const auto& field) {
      field("target", 0, m.weights_target, 0, 2, bits(item.target));
      field("row", 0, m.weights_row, 0, 32, bits(item.row));
    });
  }

 private:
  static stream::ArrayConfig array_of(const Parameters& p) {
    stream::ArrayConfig array;
    array.rows = p["ROWS"];
    array.cols = p["COLS"];
    return array;
  }

  void next_phase() override {
    commands_ = this->random.uniform(1, 4);
    dones_ = 0;
    jobs_.clear();
    for (int i = 0; i < commands_; ++i) {
      jobs_.push_back(random_job());
      if (!jobs_.back().start_recurrent) ++dones_;
    }
  }

  stream::Command random_job() {
    base::Random& r = this->random;
    stream::Command job;
    job.start_recurrent = r.chance(20);
    job.start_conv = !job.start_recurrent;
    job.hidden_input = job.start_recurrent;
    job.matrix = !job.start_recurrent && r.chance(30);
    job.input_select = r.chance(50);
    job.weight_select = r.chance(50);
    job.bias_select = r.chance(50);
    job.output_select = r.chance(50);
    job.send_output = r.chance(50);
    job.weights_resident = r.chance(30);
    job.add_bias = r.chance(50);
    job.last_round = r.chance(50);
    job.blocks = r.uniform(1, 3);
    job.groups = r.uniform(1, 6);
    job.windows = r.uniform(1, 50);
    job.rows = job.matrix || job.start_recurrent ? 1 : r.uniform(1, 4);
    job.x_blocks = job.matrix || job.start_recurrent ? 1 : r.uniform(1, 3);
    job.kernel = (job.blocks - 1) * array_.rows + r.uniform(1, array_.rows);
    job.stride = r.uniform(1, 4);
    job.parallel = r.uniform(1, array_.windows_in_parallel(job.kernel, job.stride));
    job.steps = r.uniform(1, 4);
    job.step_offset = r.uniform(0, 9);
    job.weight_base = r.uniform(0, 5000);
    job.fill_base = r.uniform(0, 5000);
    job.fill_line_step = r.uniform(0, 5000);
    job.fill_block_step = r.uniform(0, 5000);
    return job;
  }

  void before_edge() override {
    for (Halves* halves : {&input_, &weight_, &bias_, &output_}) halves->change(this->random);
    step_done_ = cell_.steps_done() > steps_;
    steps_ = cell_.steps_done();
    jobs_done_ = sequencer_.jobs_done();
    if (hidden_.can_pop()) hidden_.pop();
    feed_cell();
  }

  // Every step that is being drained gets its gates once.
  void feed_cell() {
    const bool drains = sequencer_.state() == stream::Sequencer::State::drain;
    const bool recurrent = command.pops() > 0 && recurrent_[static_cast<std::size_t>(command.pops() - 1)];
    if (drains && recurrent && !step_done_ && steps_fed_ == steps_ && this->random.chance(30)) {
      gates_left_ = 4;
      ++steps_fed_;
    }
    if (gates_left_ == 0 || !gates_.can_push()) return;
    stream::Gate& gate = gates_.push();
    gate.tag.job = &cell_job_;
    gate.tag.group = 4 - gates_left_--;
  }

  void drive_levels(Model& m) override {
    m.input_readable = input_.mask() & 3;
    m.weights_readable = weight_.mask() & 7;
    m.bias_readable = bias_.mask() & 3;
    m.output_writable = output_.mask() & 3;
    m.step_done = step_done_;
  }
  void compare_after_edge(Model& m, const Compare& field) override {
    field("job_done", 0, m.job_done, 0, 1, sequencer_.jobs_done() > jobs_done_);
  }

  const stream::ArrayConfig array_;
  Halves input_, weight_, bias_, output_;
  sim::Stream<stream::Command> command;
  sim::Stream<stream::JobDone> done;
  sim::Stream<stream::LineCommand> lines;
  sim::Stream<stream::Pass> passes;
  sim::Stream<stream::WeightCommand> weights;
  sim::Stream<stream::Gate> gates_;
  sim::Stream<stream::Pixel> hidden_;
  stream::RecurrentCell cell_;
  stream::Sequencer sequencer_;
  std::vector<stream::Command> jobs_;  // of the phase, the last first
  int commands_ = 0, dones_ = 0;
  std::vector<bool> recurrent_;  // every job sent so far
  stream::Command cell_job_;
  int gates_left_ = 0;
  bool step_done_ = false;
  std::int64_t steps_ = 0, steps_fed_ = 0, jobs_done_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<SequencerLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
