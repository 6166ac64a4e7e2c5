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

// The two ends of a stream, for its ports.
class StreamSource : public virtual sc_core::sc_interface {};
class StreamSink : public virtual sc_core::sc_interface {};

// A stream as the scheduler, the watchdog and the tracer see it.
class StreamBase : public sc_core::sc_prim_channel, public StreamSource, public StreamSink {
 public:
  // Binds the stream to a clock. Returns false if it already belongs to another one.
  bool join(ClockDomain& domain);
  // Makes a push wake that block.
  void wakes_reader(const AwakeBits& reader);
  // Makes a pop wake that block.
  void wakes_writer(const AwakeBits& writer) { writer_ = writer; }

  std::int64_t pushes() const { return pushes_; }
  std::int64_t pops() const { return pops_; }
  int occupancy() const { return static_cast<int>(pushes_ - pops_); }
  // Returns how many items were pushed before this edge, popped or not. A monitor counts this.
  std::int64_t shown() const { return pushes_ - (pushed_now() ? 1 : 0); }
  std::string state() const;  // "empty" | "1 of 2" | "full"

  // Declares the wires that a waveform shows from this edge to the next: whether there is a beat to take, whether there
  // is room for one, and whether one was taken at this edge. The payload is that of the beat taken, otherwise that of
  // the waiting one.
  virtual void trace(Tracer& tracer) = 0;
  virtual void sample() = 0;
  // Returns whether the wires may differ from those at the edge before.
  bool stirs() const { return std::max({push_edge_, pop_edge_, pin_edge_}) >= domain_->edge - 1; }

  // Drops the contents.
  void clear() {
    pops_ = pushes_;
    pin_edge_ = domain_->edge;
  }

  // Reduces the stream to one entry. A stream whose beats leave over wires is the register that drives them; see
  // pins.h.
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

  // One cache line holds what each side looks at at every edge. The next line holds the blocks that a move wakes.
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
  AwakeBits readers_[kReaders]{{&nobody_, 1}};  // the blocks of one word share an entry
  std::uint64_t nobody_ = 1;
  Edge depart_edge_ = -1;
  Edge pin_edge_ = -1;  // the last edge at which pins moved something, rather than a push or a pop
};

// A registered ready/valid channel of two entries. A push at edge n is visible at n + 1, and freed space is usable at n
// + 1. So valid and ready depend on registers only, and one beat per cycle is sustained.
template <class T>
class Stream final : public StreamBase {
 public:
  explicit Stream(const char* name) : StreamBase(name) {}

  bool empty() const { return pushes_ == pops_; }             // nothing is in it, visible or not
  bool full() const { return pushes_ - pops_ >= capacity_; }  // there is no room in it, visible or not
  bool can_pop() const { return pushes_ - pops_ - (pushed_now() ? 1 : 0) > 0 && !popped_now(); }
  bool can_push() const { return pushes_ - pops_ + (popped_now() ? 1 : 0) < capacity_ && !pushed_now(); }

  // Returns the oldest entry; requires can_pop(). After pop() the reference stays readable until the end of the edge.
  const T& front() const { return slots_[pops_ & 1].item; }
  const T& pop() {
    const T& item = slots_[pops_ & 1].item;
    ++pops_;
    pop_edge_ = domain_->edge;
    moved();
    writer_.raise();
    return item;
  }

  // Returns the last entry that shown() counts, popped or not.
  const T& newest() const { return slots_[(shown() - 1) & 1].item; }

  // Returns the free entry, to be filled in place; requires can_push().
  T& push() {
    T& item = slots_[pushes_ & 1].item;
    ++pushes_;
    push_edge_ = domain_->edge;
    moved();
    wake_readers();
    return item;
  }
  void push(const T& item) { push() = item; }

  // Called by a PinModule before the steps of an edge: the entry is there, or its room is free, at this very edge.
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
  // Small beats have slots of a power of two, so that a shift finds them.
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

// Ports. SystemC handles the hierarchy and the binding; the channel behind a port is reached without a virtual call.
class StreamPortBase {
 public:
  virtual ~StreamPortBase() = default;
  virtual StreamBase& channel() = 0;
  // Makes the stream wake this block when the other side pushes or pops, if the port is declared so.
  virtual void wakes(const AwakeBits& block) = 0;
};

// Says whether a push wakes the block that receives it. A block that pops an input only when it is awake for another
// reason needs no waking.
enum class Push { wakes, leaves_alone };
// Says whether a pop wakes the block that pushed. A block that sleeps while a stream is full needs waking.
enum class Pop { wakes, leaves_alone };

// All payloads share one class of SystemC port, since otherwise every block would compile several of its own. What is
// bound to a port must have the port's payload type all the same.
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
