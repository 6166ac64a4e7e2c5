// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/sequencer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "accelerators/stream/config/line_fill.h"
#include "accelerators/stream/hardware/recurrent_cell.h"
#include "contract/buffer.h"

namespace fansim::stream {

void JobRef::overtaken() const {
  throw std::logic_error(
      fmt::format("sequencer: a beat of job {} is under way while job {} takes its place", serial_, job_->serial));
}

Sequencer::Sequencer(const sc_core::sc_module_name& name, const ArrayConfig& config, const sim::ReadPort& input,
                     const sim::ReadPort& weight_buffer, const sim::ReadPort& bias, const sim::WritePort& output,
                     const RecurrentCell& cell)
    : sim::Module(name),
      config_(config),
      input_(input),
      weight_buffer_(weight_buffer),
      bias_(bias),
      output_(output),
      cell_(cell) {}

void Sequencer::step() {
  if (state_ == State::drain) {
    finish_job();
    return;
  }
  if (state_ != State::issue) {
    if (command.empty()) {
      sleep();
      return;
    }
    if (!command.can_pop() || !start()) return;
  }
  issue();
}

// A job waits in its stream until what it reads is there and what it writes is free.
bool Sequencer::start() {
  const Command& next = command.front();
  if (!next.hidden_input && !input_.readable(next.input_select)) {
    show(state_, State::wait_input);
  } else if (!weight_buffer_.readable(next.weights_resident ? contract::kResident : next.weight_select) ||
             !bias_.readable(next.bias_select)) {
    show(state_, State::wait_weights);
  } else if (next.send_output && !output_.writable(next.output_select)) {
    show(state_, State::wait_output);
  } else {
    slot_ = slot_ + 1 == kJobs ? 0 : slot_ + 1;
    const std::uint32_t serial = jobs_[slot_ == 0 ? kJobs - 1 : slot_ - 1].serial;
    jobs_[slot_] = command.pop();
    jobs_[slot_].serial = serial + 1;
    block_ = row_ = x_block_ = group_ = step_ = 0;
    fill_due_ = true;
    cell_steps_before_ = cell_.steps_done();
    show(state_, State::issue);
    ++jobs_run_;
    return true;
  }
  return false;
}

void Sequencer::issue() {
  if (lines.full() || (!fill_due_ && (passes.full() || weights.full()))) {
    sleep();
    return;
  }
  if (!lines.can_push()) return;
  if (fill_due_) {
    issue_fill();
  } else if (passes.can_push() && weights.can_push()) {
    issue_pass();
  }
}

void Sequencer::issue_fill() {
  const LineFill loaded(job(), block_, row_, config_.rows);
  LineCommand fill;
  fill.job = &job();
  fill.fill = true;
  fill.zero_state = job().add_bias && step_ == 0;
  fill.block = block_;
  fill.lines = loaded.lines;
  fill.line = loaded.first;
  lines.push(fill);
  fill_due_ = false;
  ++fills_;
}

void Sequencer::issue_pass() {
  const Command& j = job();
  Pass pass;
  pass.job = &j;
  pass.block = block_;
  pass.row = j.start_recurrent ? step_ : row_;
  pass.x_block = x_block_;
  pass.group = group_;
  pass.entry = j.start_recurrent ? group_ * j.windows + j.step_offset + step_ : (row_ * j.groups + group_) * j.windows;
  pass.first = !j.start_recurrent && j.add_bias && block_ == 0 && x_block_ == 0;
  pass.last = j.last_round && block_ + 1 == j.blocks && x_block_ + 1 == j.x_blocks;
  pass.job_end = !j.start_recurrent && block_ + 1 == j.blocks && row_ + 1 == j.rows && x_block_ + 1 == j.x_blocks &&
                 group_ + 1 == j.groups;
  const int set = (block_ * j.x_blocks + x_block_) * j.groups + group_;
  lines.push(LineCommand{&j});
  passes.push(pass);
  weights.push(
      WeightCommand{j.weights_resident ? contract::kResident : j.weight_select, j.weight_base + set * config_.cols});
  ++passes_issued_;
  next_pass();
}

void Sequencer::next_pass() {
  if (++group_ < job().groups) return;
  group_ = 0;
  if (++x_block_ < job().x_blocks) return;
  x_block_ = 0;
  next_row();
}

void Sequencer::next_row() {
  fill_due_ = true;
  if (++row_ < job().rows) return;
  row_ = 0;
  if (++block_ < job().blocks) return;
  block_ = 0;
  show(state_, State::drain);
}

// A convolution is done with its last sum; a recurrent step with its last hidden unit, and the next step needs it.
void Sequencer::finish_job() {
  if (job().start_recurrent) {
    if (cell_.steps_done() < cell_steps_before_ + step_ + 1) return;
    if (++step_ < job().steps) {
      show(state_, State::issue);
      issue();
      return;
    }
  } else {
    if (done.empty()) sleep();
    if (!done.can_pop()) return;
    done.pop();
  }
  jobs_done_.set(jobs_done_.next() + 1);
  show(state_, State::idle);
}

std::string Sequencer::waiting_for() const {
  switch (state_) {
    case State::wait_input:
      return "its input half";
    case State::wait_weights:
      return "its weight or bias half";
    case State::wait_output:
      return "its output half to be sent";
    case State::drain:
      return "the results of " + stream::print(job());
    default:
      return {};
  }
}

}  // namespace fansim::stream
