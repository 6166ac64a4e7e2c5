// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "sim/clock_domain.h"
#include "sim/trace.h"

namespace fansim::sim {

// A stream's two ends, for its ports.
class StreamSource : public virtual sc_core::sc_interface {};
class StreamSink : public virtual sc_core::sc_interface {};

// What the scheduler, the watchdog and the tracer see of any stream.
class StreamBase : public sc_core::sc_prim_channel, public StreamSource, public StreamSink {
 public:
  // Binds the stream to a clock; false if it already belongs to another one.
  bool join(ClockDomain& domain);
  // A push wakes that block.
  void wakes_reader(const AwakeBits& reader);
  // A pop does.
  void wakes_writer(const AwakeBits& writer) { writer_ = writer; }

  std::int64_t pushes() const { return pushes_; }
  std::int64_t pops() const { return pops_; }
  int occupancy() const { return static_cast<int>(pushes_ - pops_); }
  // Pushed at an edge before this one, popped or not; what a monitor counts.
  std::int64_t shown() const { return pushes_ - (pushed_now() ? 1 : 0); }
  std::string state() const;  // "empty" | "1 of 2" | "full"

  // Wires as a waveform shows them from this edge to the next: whether there is a beat to take and room for one, and
  // whether one was taken at this edge. The payload is that beat's, else that of the one that waits.
  virtual void trace(Tracer& tracer) = 0;
  virtual void sample() = 0;
  // Whether they may be others than at the edge before.
  bool stirs() const { return std::max({push_edge_, pop_edge_, pin_edge_}) >= domain_->edge - 1; }

  // Drops what is in it.
  void clear() { pops_ = pushes_, pin_edge_ = domain_->edge; }

  // One entry in place of two: a stream whose beats leave it over wires is the register that drives them; pins.h.
  void hold_one() { capacity_ = 1; }

 protected:
  explicit StreamBase(const char* name) : sc_core::sc_prim_channel(name) {}

  bool pushed_now() const { return push_edge_ == domain_->edge; }
  bool popped_now() const { return pop_edge_ == domain_->edge; }

  void moved() { domain_->last_move = domain_->edge; }
  void wake_readers() const {
    readers_[0].raise();
    for (int i = 1; i < reader_words_; ++i) readers_[i].raise();
  }

  static ClockDomain& unclocked();

  static constexpr int kReaders = 3;

  // What each side looks at at every edge lies in one line of the cache, whom a move wakes in the next.
  alignas(64) ClockDomain* domain_ = &unclocked();
  std::int64_t pushes_ = 0;
  std::int64_t pops_ = 0;
  Edge push_edge_ = -1;
  Edge pop_edge_ = -1;
  int capacity_ = 2;
  int reader_words_ = 0;
  int reader_count_ = 0;
  bool joined_ = false;
  bool valid_wire_ = false;
  bool ready_wire_ = true;
  bool fire_wire_ = false;
  AwakeBits writer_{&nobody_, 1};
  AwakeBits readers_[kReaders]{{&nobody_, 1}};  // those of one word together
  std::uint64_t nobody_ = 1;
  Edge depart_edge_ = -1;
  Edge pin_edge_ = -1;  // at which something else moved than by a push or a pop
};

// A registered ready/valid channel of two entries: a push at edge n is visible at n+1, freed space is visible at n+1,
// so valid and ready depend on registers only, and one beat per cycle is sustained.
template <class T>
class Stream final : public StreamBase {
 public:
  explicit Stream(const char* name) : StreamBase(name) {}

  bool empty() const { return pushes_ == pops_; }             // nothing in it, visible or not
  bool full() const { return pushes_ - pops_ >= capacity_; }  // no room in it, visible or not
  bool can_pop() const { return pushes_ - pops_ - (pushed_now() ? 1 : 0) > 0 && !popped_now(); }
  bool can_push() const { return pushes_ - pops_ + (popped_now() ? 1 : 0) < capacity_ && !pushed_now(); }

  // The oldest entry; valid only when can_pop(). pop() leaves the reference readable until the end of the edge.
  const T& front() const { return slots_[pops_ & 1].item; }
  const T& pop() {
    const T& item = slots_[pops_ & 1].item;
    ++pops_;
    pop_edge_ = domain_->edge;
    moved();
    writer_.raise();
    return item;
  }

  // The last of shown(), popped or not.
  const T& newest() const { return slots_[(shown() - 1) & 1].item; }

  // The free entry, to be filled in place; valid only when can_push().
  T& push() {
    T& item = slots_[pushes_ & 1].item;
    ++pushes_;
    push_edge_ = domain_->edge;
    moved();
    wake_readers();
    return item;
  }
  void push(const T& item) { push() = item; }

  // Before the steps of an edge, by a PinModule: the entry is there, or its room free, at this very edge.
  void arrive(const T& item) {
    slots_[pushes_++ & 1].item = item;
    pin_edge_ = domain_->edge;
    moved();
    wake_readers();
  }
  void depart() {
    ++pops_;
    pin_edge_ = depart_edge_ = domain_->edge;
    moved();
    writer_.raise();
  }

  void trace(Tracer& tracer) override {
    tracer.wire(std::string(name()) + ".valid", valid_wire_);
    tracer.wire(std::string(name()) + ".ready", ready_wire_);
    tracer.wire(std::string(name()) + ".fire", fire_wire_);
    payload_.declare(tracer, name(), slots_[0].item);
  }
  void sample() override {
    valid_wire_ = pushes_ > pops_;
    ready_wire_ = pushes_ - pops_ < capacity_;
    fire_wire_ = popped_now() || depart_edge_ == domain_->edge;
    if (fire_wire_)
      payload_.sample(slots_[(pops_ - 1) & 1].item);
    else if (valid_wire_)
      payload_.sample(slots_[pops_ & 1].item);
  }

 private:
  // Of a small beat as far apart as a shift tells.
  static constexpr std::size_t slot() {
    std::size_t bytes = alignof(T);
    while (bytes < sizeof(T)) bytes *= 2;
    return bytes <= 128 ? bytes : alignof(T);
  }
  struct alignas(slot()) Slot {
    T item{};
  };
  Slot slots_[2];
  PayloadTrace<T> payload_;
};

// Ports: the hierarchy and the binding are SystemC's; the channel behind them is reached without a virtual call.
class StreamPortBase {
 public:
  virtual ~StreamPortBase() = default;
  virtual StreamBase& channel() = 0;
  // The stream wakes its block, when the other side pushes or pops, if it shall.
  virtual void wakes(const AwakeBits& block) = 0;
};

// What a push does to the block that it goes to. One that takes from an input only while it is awake for another reason
// is left alone.
enum class Push { wakes, leaves_alone };
// What a pop does to the block that pushed. One that sleeps while a stream is full is woken.
enum class Pop { wakes, leaves_alone };

// SystemC's port is one for all payloads, or every block would be compiled with several of its own; what is bound to it
// has the payload's type all the same.
template <class T, class End>
class StreamPort : public sc_core::sc_port<End>, public StreamPortBase {
 public:
  explicit StreamPort(const char* name) : sc_core::sc_port<End>(name) {}
  void operator()(Stream<T>& stream) { bind(stream); }
  void operator()(StreamPort& outer) { bind(outer); }
  StreamBase& channel() override { return *stream(); }

 private:
  using sc_core::sc_port<End>::bind;

 protected:
  Stream<T>* stream() {
    if (!stream_) stream_ = dynamic_cast<Stream<T>*>(this->get_interface());
    return stream_;
  }
  void end_of_elaboration() override { stream(); }
  Stream<T>* stream_ = nullptr;
};

template <class T>
class StreamIn final : public StreamPort<T, StreamSource> {
 public:
  explicit StreamIn(const char* name, Push push = Push::wakes) : StreamPort<T, StreamSource>(name), push_(push) {}
  void wakes(const AwakeBits& block) override {
    if (push_ == Push::wakes) this->channel().wakes_reader(block);
  }
  bool empty() const { return this->stream_->empty(); }
  bool can_pop() const { return this->stream_->can_pop(); }
  const T& front() const { return this->stream_->front(); }
  const T& pop() { return this->stream_->pop(); }
  Stream<T>& stream() const { return *this->stream_; }

 private:
  const Push push_;
};

template <class T>
class StreamOut final : public StreamPort<T, StreamSink> {
 public:
  explicit StreamOut(const char* name, Pop pop = Pop::leaves_alone) : StreamPort<T, StreamSink>(name), pop_(pop) {}
  void wakes(const AwakeBits& block) override {
    if (pop_ == Pop::wakes) this->channel().wakes_writer(block);
  }
  bool full() const { return this->stream_->full(); }
  bool can_push() const { return this->stream_->can_push(); }
  T& push() { return this->stream_->push(); }
  void push(const T& item) { this->stream_->push(item); }
  Stream<T>& stream() const { return *this->stream_; }

 private:
  const Pop pop_;
};

}  // namespace fansim::sim
