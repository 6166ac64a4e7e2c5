// SPDX-License-Identifier: Apache-2.0
// This file has a host for a register port of the benches, which does steps one after another.
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "axi/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace against {

using namespace fansim;

class Script final : public sim::Module {
 public:
  sim::StreamOut<axi::LiteRequest> request{"request"};
  sim::StreamIn<axi::LiteResponse> response{"response"};
  // Called whenever no step is left; it may queue further steps.
  std::function<void()> idle;

  explicit Script(const sc_core::sc_module_name& name) : Module(name) {}

  void write(std::uint32_t address, std::uint32_t value) {
    steps_.push_back({axi::LiteRequest{true, address, value}, [](std::uint32_t) { return true; }, {}});
  }
  // Reads until `done` accepts the value.
  void poll(std::uint32_t address, std::function<bool(std::uint32_t)> done) {
    steps_.push_back({axi::LiteRequest{false, address, 0}, std::move(done), {}});
  }
  // Calls the action at the edge after all earlier steps have their responses, and at each later edge until it returns
  // true.
  void call(std::function<bool(sim::Edge)> action) { steps_.push_back({std::nullopt, {}, std::move(action)}); }

 private:
  struct Step {
    std::optional<axi::LiteRequest> access;
    std::function<bool(std::uint32_t)> done;
    std::function<bool(sim::Edge)> action;
  };

  void step() override {
    if (waiting_) {
      if (!response.can_pop()) return;
      waiting_ = false;
      if (steps_.front().done(response.pop().value)) steps_.pop_front();
      return;
    }
    if (steps_.empty() && idle) idle();
    if (steps_.empty()) return;
    Step& next = steps_.front();
    if (!next.access) {
      if (next.action(now())) steps_.pop_front();
    } else if (request.can_push()) {
      request.push(*next.access);
      waiting_ = true;
    }
  }

  std::deque<Step> steps_;
  bool waiting_ = false;
};

}  // namespace against
