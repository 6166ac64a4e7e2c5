// SPDX-License-Identifier: Apache-2.0
#include "axi/dma_channel.h"

namespace fansim::axi {

namespace {
using namespace contract::dma_map;

constexpr std::uint32_t kAlwaysOne = 1U << 1;  // bit 1 of DMACR is reserved and reads as 1
constexpr std::uint32_t kDirectControl = kCrRunStop | kCrIocIrqEnable | kCrErrIrqEnable;
constexpr std::uint32_t kDescriptorControl = kDirectControl | kCrCyclic | kCrDlyIrqEnable;
constexpr std::uint64_t kLow = 0xffff'ffff;
constexpr std::uint64_t kAlignment = ~std::uint64_t{kDescBytes - 1};

std::uint64_t with_low(std::uint64_t whole, std::uint32_t low) { return (whole & ~kLow) | low; }
std::uint64_t with_high(std::uint64_t whole, std::uint32_t high) { return (whole & kLow) | std::uint64_t{high} << 32; }
}  // namespace

std::uint32_t DmaChannel::control() const {
  return control_ | kAlwaysOne | threshold_ << kCrThresholdBit | delay_ << kCrDelayBit;
}

std::uint32_t DmaChannel::status() const {
  const std::uint32_t state =
      (!running() && !busy_ ? kSrHalted : 0) | (running() && !busy_ && completed_ ? kSrIdle : 0) | errors_ | irqs_;
  if (!config_.scatter_gather()) return state;
  return state | kSrSgIncluded | packets_left_ << kCrThresholdBit | timer_ << kCrDelayBit;
}

std::uint32_t DmaChannel::read(std::uint32_t offset) const {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); };
  switch (offset) {
    case kMm2sDmacr:
      return control();
    case kMm2sDmasr:
      return status();
    case kMm2sCurdesc:
      return low(current_);
    case kMm2sCurdescMsb:
      return high(current_);
    case kMm2sTaildesc:
      return low(tail_);
    case kMm2sTaildescMsb:
      return high(tail_);
    case kMm2sSa:
      return low(address_);
    case kMm2sSaMsb:
      return high(address_);
    case kMm2sLength:
      return length_;
    default:
      return 0;
  }
}

DmaChannel::Action DmaChannel::write(std::uint32_t offset, std::uint32_t value) {
  Action action;
  if (offset == kMm2sDmacr) {
    write_control(value);
    action.reset = value & kCrReset;
  } else if (offset == kMm2sDmasr) {
    irqs_ &= ~value;
  } else {
    action = config_.scatter_gather() ? write_descriptor(offset, value) : write_direct(offset, value);
  }
  return action;
}

// While an error is set, the channel stays stopped until a reset.
void DmaChannel::write_control(std::uint32_t value) {
  const bool was_running = running();
  control_ = value & (config_.scatter_gather() ? kDescriptorControl : kDirectControl);
  if (errors_ != 0) control_ &= ~kCrRunStop;
  if (running() && !was_running) fresh_ = true;
  if (!config_.scatter_gather()) return;
  const std::uint32_t threshold = value >> kCrThresholdBit & 0xff;
  if (threshold != 0) threshold_ = threshold;  // a threshold of 0 has no effect
  packets_left_ = threshold_;
  delay_ = value >> kCrDelayBit;
}

DmaChannel::Action DmaChannel::write_direct(std::uint32_t offset, std::uint32_t value) {
  Action action;
  if (offset == kMm2sSa) address_ = with_low(address_, value);
  if (offset == kMm2sSaMsb && config_.address_bits > 32)
    address_ = with_high(address_, static_cast<std::uint32_t>(value & ((1ULL << (config_.address_bits - 32)) - 1)));
  if (offset != kMm2sLength) return action;
  action.while_busy = busy_;
  length_ = value & ((1U << config_.length_bits) - 1);
  if (length_ == 0 || !running() || busy_) return action;
  busy_ = true;
  action.transfer = TransferCommand{address_, length_, true, fresh_};
  fresh_ = false;
  return action;
}

// CURDESC is writable while the channel is halted. Writing TAILDESC starts or extends the chain. With more than 32
// address bits, writing its upper half does so.
DmaChannel::Action DmaChannel::write_descriptor(std::uint32_t offset, std::uint32_t value) {
  Action action;
  const bool wide = config_.address_bits > 32;
  const bool halted = !running() && !busy_;
  if (offset == kMm2sCurdesc && halted) current_ = with_low(current_, value) & kAlignment;
  if (offset == kMm2sCurdescMsb && halted && wide) current_ = with_high(current_, value);
  if (offset == kMm2sTaildesc) tail_ = with_low(tail_, value) & kAlignment;
  if (offset == kMm2sTaildescMsb && wide) tail_ = with_high(tail_, value);
  if (offset == (wide ? kMm2sTaildescMsb : kMm2sTaildesc) && running()) action.descriptors = start();
  return action;
}

DescriptorStart DmaChannel::start() {
  busy_ = true;
  ++starts_;
  const bool first = fresh_;
  fresh_ = false;
  return {current_, tail_, first, (control_ & kCrCyclic) != 0};
}

void DmaChannel::complete(const TransferDone& done) {
  busy_ = false;
  if (direction_ == Direction::s2mm) length_ = done.bytes;
  if (done.errors != 0) {
    fail(done.errors);
    return;
  }
  completed_ = true;
  irqs_ |= kSrIocIrq;
}

void DmaChannel::take(const DescriptorEvent& event, sim::Edge now) {
  switch (event.kind) {
    case DescriptorEvent::Kind::packet_began:
      timing_ = false;
      timer_ = 0;
      break;
    case DescriptorEvent::Kind::updated:
      current_ = event.address;
      if (event.errors != 0)
        fail(event.errors);
      else if (event.packet_ended)
        count_packet(now);
      break;
    case DescriptorEvent::Kind::stopped:
      if (event.starts != starts_) break;
      busy_ = false;
      completed_ = true;
      break;
  }
}

void DmaChannel::reset() {
  const int starts = starts_;
  *this = DmaChannel(config_, direction_);
  starts_ = starts;
}

void DmaChannel::fail(std::uint32_t errors) {
  errors_ |= errors;
  irqs_ |= kSrErrIrq;
  control_ &= ~kCrRunStop;
}

void DmaChannel::count_packet(sim::Edge now) {
  if (--packets_left_ == 0) {
    irqs_ |= kSrIocIrq;
    packets_left_ = threshold_;
  }
  timing_ = delay_ != 0;
  timer_from_ = now;
  timer_ = 0;
}

void DmaChannel::tick(sim::Edge now) {
  if (!timing_) return;
  timer_ = static_cast<std::uint32_t>((now - timer_from_) / config_.delay_resolution);
  if (timer_ < delay_) return;
  irqs_ |= kSrDlyIrq;
  packets_left_ = threshold_;
  timing_ = false;
  timer_ = 0;
}

}  // namespace fansim::axi
