// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/session.h"
#include "cosim/wiring.h"

// The ports of a twin's stream are <name>_valid and <name>_ready, and for an output <name>_full, which is how its
// producer sees the stream register.
#define COSIM_INPUT_OF(name, stream)                             \
#name, stream, [](auto& m) -> auto& { return m.name##_valid; } \
  , [](auto& m) -> auto& { return m.name##_ready; }
#define COSIM_OUTPUT_OF(name, stream) \
  COSIM_INPUT_OF(name, stream), [](auto& m) -> auto& { return m.name##_full; }
// The stream has the same name in SystemC.
#define COSIM_INPUT(name) COSIM_INPUT_OF(name, name)
#define COSIM_OUTPUT(name) COSIM_OUTPUT_OF(name, name)
// The i-th of several streams whose signals lie side by side.
#define COSIM_INPUT_AT(name, stream, i) \
#name, stream, [i](auto& m) { return Bit(m.name##_valid, i); }, [i](auto& m) { return Bit(m.name##_ready, i); }
#define COSIM_OUTPUT_AT(name, stream, i) COSIM_INPUT_AT(name, stream, i), [i](auto& m) { return Bit(m.name##_full, i); }

namespace fansim::cosim {

// The lane is what surrounds the block. It pushes to and pops from the SystemC block's streams, and drives every twin
// with what those streams show; as a twin drops out at its first mismatch, that is what stream registers of its own
// would show. Work comes in phases: one job, its random items and stalls. A phase ends when everything is through and
// quiet, because job fields are levels that hold still while a block works.
template <class Model>
class Lane : public LaneBase {
 public:
  // Adds to a twin without faults one for each fault.
  Lane(std::string name, const Parameters& p, const Faults& faults)
      : parameters(p), random(kSeed, name), name_(std::move(name)) {
    twins_.push_back(std::make_unique<Twin>(0));
    for (int fault : faults.codes()) twins_.push_back(std::make_unique<Twin>(fault));
  }

  // Must be called for a twin with a memory before its read ports are wired.
  void plant_port_fault() {
    also_planted_.push_back(kPortFault);
    twins_.push_back(std::make_unique<Twin>(kPortFault));
  }

  void at_edge() final {
    const bool begun = cycles_ >= 0;
    if (begun) look_at_systemc();
    for (auto& twin : twins_)
      if (!twin->retired && begun) finish_edge(*twin);
    for (auto& in : inputs_) in.pops = in.stream->pops();
    for (auto& out : outputs_) out.pops = out.stream->pops();
    ++cycles_;
    if (quiet()) start_phase();
    before_edge();
    for (auto& twin : twins_)
      if (!twin->retired) drive_inputs(*twin);
    for (auto& in : inputs_) in.push(in_stall_);
    for (auto& out : outputs_) {
      const bool popped = out.pop(out_stall_);
      for (auto& twin : twins_) out.drive_ready(twin->model, popped);
    }
  }

  std::int64_t cycles() const final { return cycles_; }
  std::int64_t beats() const final {
    std::int64_t sum = 0;
    for (const auto& out : outputs_) sum += out.stream->pops();
    return sum;
  }
  bool failed() const final { return twins_.front()->retired; }
  const std::vector<int>& caught() const final { return caught_; }
  std::vector<int> also_planted() const final { return also_planted_; }
  double twin_seconds() const final { return twins_.front()->busy.count(); }

 protected:
  const Parameters parameters;
  base::Random random;
  int longest_way = 24;         // edges without a beat after which nothing is on its way in a block
  bool results_refused = true;  // at random; false: the block's surroundings always take what comes

  // Begins another job: sets every input's number of items.
  virtual void next_phase() = 0;
  // Moves the levels and whatever else of the surroundings is no stream.
  virtual void before_edge() {}
  // Drives job fields and other levels at every edge.
  virtual void drive_levels(Model&) {}
  // These compare what is not a stream: what the twin does at the edge that SystemC has just done, and its registers
  // after it.
  virtual void compare_at_edge(Model&, const Compare&) {}
  virtual void compare_after_edge(Model&, const Compare&) {}

  // make(item) fills in the next item; `left` counts those still to come.
  template <class T, class Valid, class Ready, class Fields, class Make>
  void input(const char* stream, sim::Stream<T>& s, Valid valid, Ready ready, Fields fields, int& left, Make make) {
    InputWiring<Model> in;
    in.name = stream;
    in.stream = &s;
    in.left = &left;
    in.drive = [=, &s](Model& m) {
      valid(m) = s.occupancy() > 0;
      if (s.occupancy() > 0) fields(m, s.front(), Drive{});
    };
    in.popped = [=](Model& m) { return valid(m) && ready(m); };
    in.push = [=, &s, &left](int stall) {
      if (left == 0 || !s.can_push() || random.chance(stall)) return;
      --left;
      make(s.push());
    };
    inputs_.push_back(std::move(in));
  }

  template <class T, class Valid, class Ready, class Full, class Fields>
  void output(const char* stream, sim::Stream<T>& s, Valid valid, Ready ready, Full full, Fields fields) {
    OutputWiring<Model> out;
    out.stream = &s;
    out.compare = [=, &s](Model& m, std::optional<Mismatch>& mismatch) {
      const Compare field{stream, mismatch};
      field("valid", 0, valid(m), 0, 1, s.occupancy() > 0);
      field("full", 0, full(m), 0, 1, s.occupancy() == 2);
      if (s.occupancy() > 0) fields(m, s.front(), field);
    };
    out.pop = [=, &s](int stall) {
      const bool pops = s.can_pop() && !random.chance(stall);
      if (pops) s.pop();
      return pops;
    };
    out.drive_ready = [=](Model& m, bool value) { ready(m) = value; };
    outputs_.push_back(std::move(out));
  }

  // Watches a stream between SystemC blocks; the lane neither pushes nor pops.
  template <class T, class Valid, class Ready, class Fields>
  void watched_input(const char* stream, sim::Stream<T>& s, Valid valid, Ready ready, Fields fields) {
    input(stream, s, valid, ready, fields, none_, [](T&) {});
  }
  template <class T, class Valid, class Ready, class Full, class Fields>
  void watched_output(const char* stream, sim::Stream<T>& s, Valid valid, Ready ready, Full full, Fields fields) {
    output(stream, s, valid, ready, full, fields);
    outputs_.back().pop = [](int) { return false; };
    outputs_.back().watched = true;
  }

  template <class Request, class Drive>
  void reads(const char* port, Memory& memory, int latency, Request request, Drive drive) {
    reads_.push_back(ReadWiring<Model>{port, &memory, latency, request, drive, {}});
    for (auto& twin : twins_) twin->reads.emplace_back(static_cast<std::size_t>(latency));
  }

 private:
  static constexpr std::uint64_t kSeed = 1;

  struct Twin {
    explicit Twin(int code) : fault(code) {
      context.randReset(2);  // registers without a reset start at random
      context.randSeed(1 + code);
      model.fault = static_cast<CData>(code);
      model.rst = 1;
      for (int i = 0; i < 3; ++i) {
        settle();
        rise();
      }
      model.rst = 0;
      take_stop();
    }
    ~Twin() { model.final(); }
    void settle() {
      model.clk = 0;
      evaluate();
    }
    void rise() {
      model.clk = 1;
      evaluate();
    }
    void evaluate() {
      const auto start = std::chrono::steady_clock::now();
      model.eval();
      busy += std::chrono::steady_clock::now() - start;
    }

    const int fault;
    VerilatedContext context;
    Model model{&context};
    bool retired = false;
    std::chrono::duration<double> busy{0};  // in the model
    std::vector<std::vector<Read>> reads;   // for each read port, the contents of the memory's registers, the newest
                                            // first
  };

  bool quiet() {
    const bool idle = std::all_of(inputs_.begin(), inputs_.end(),
                                  [](auto& in) { return *in.left == 0 && in.stream->occupancy() == 0; });
    std::int64_t moved = 0;
    for (auto& in : inputs_) moved += in.stream->pushes() + in.stream->pops();
    for (auto& out : outputs_) moved += out.stream->pushes() + out.stream->pops();
    quiet_ = idle && moved == moved_ ? quiet_ + 1 : 0;
    moved_ = moved;
    return cycles_ == 0 || quiet_ > longest_way;
  }

  void start_phase() {
    constexpr int kStalls[] = {0, 30, 70};
    in_stall_ = kStalls[random.uniform(0, 2)];
    out_stall_ = kStalls[random.uniform(0, 2)];
    if (!results_refused) out_stall_ = 0;
    quiet_ = 0;
    next_phase();
  }

  void look_at_systemc() {
    for (auto& read : reads_) read.systemc = read.memory->take_last();
  }

  void drive_inputs(Twin& twin) {
    Model& m = twin.model;
    drive_levels(m);
    for (auto& in : inputs_) in.drive(m);
    for (std::size_t i = 0; i < reads_.size(); ++i) reads_[i].drive(m, reads_[i].memory->at(twin.reads[i].back()));
  }

  void finish_edge(Twin& twin) {
    Model& m = twin.model;
    std::optional<Mismatch> mismatch;
    for (auto& out : outputs_)
      if (out.watched) out.drive_ready(m, out.stream->pops() > out.pops);
    twin.settle();
    for (auto& in : inputs_) {
      const bool should = in.stream->pops() > in.pops;
      if (in.popped(m) != should && !mismatch) mismatch = Mismatch{fmt::format("{}_ready", in.name), should, !should};
    }
    for (std::size_t i = 0; i < reads_.size(); ++i) read_edge(twin, i, mismatch);
    compare_at_edge(m, Compare{"at_edge", mismatch});
    twin.rise();
    for (auto& out : outputs_) out.compare(m, mismatch);
    compare_after_edge(m, Compare{"after_edge", mismatch});
    if (const std::string stop = take_stop(); !stop.empty() && !mismatch)
      mismatch = Mismatch{"asked too much of the memory at " + stop, 0, 1};
    if (mismatch) retire(twin, *mismatch);
  }

  void read_edge(Twin& twin, std::size_t i, std::optional<Mismatch>& mismatch) {
    const ReadWiring<Model>& port = reads_[i];
    const std::optional<Read> request = port.request(twin.model);
    if (port.systemc && !mismatch) {
      const Read is = request.value_or(Read{-1, -1});
      if (is.target != port.systemc->target || is.offset != port.systemc->offset)
        mismatch = Mismatch{fmt::format("{}_address", port.name), static_cast<std::uint64_t>(port.systemc->offset),
                            static_cast<std::uint64_t>(is.offset)};
    }
    if (!request) return;
    auto& registers = twin.reads[i];
    std::rotate(registers.begin(), registers.end() - 1, registers.end());
    registers.front() = *request;
  }

  void retire(Twin& twin, const Mismatch& mismatch) {
    twin.retired = true;
    if (twin.fault > 0) {
      caught_.push_back(twin.fault);
      return;
    }
    fmt::print(stderr, "{} ({}): cycle {}: {} is {:#x} in SystemC, {:#x} in the twin\n", name_, parameters.text(),
               cycles_, mismatch.signal, mismatch.systemc, mismatch.twin);
  }

  const std::string name_;
  std::vector<std::unique_ptr<Twin>> twins_;
  std::vector<InputWiring<Model>> inputs_;
  std::vector<OutputWiring<Model>> outputs_;
  std::vector<ReadWiring<Model>> reads_;
  std::vector<int> caught_, also_planted_;
  std::int64_t cycles_ = -1;
  std::int64_t moved_ = 0;
  int quiet_ = 0, in_stall_ = 0, out_stall_ = 0, none_ = 0;
};

}  // namespace fansim::cosim
