// SPDX-License-Identifier: Apache-2.0
#include "axi/descriptor_chain.h"

namespace fansim::axi {

namespace {
using namespace contract::dma_map;

constexpr int kCommands = 4;  // transfers that were begun and not written back
using Kind = DescriptorEvent::Kind;

std::uint64_t wide(const DescriptorChain::Words& words, int offset) {
  const auto i = static_cast<std::size_t>(offset / 4);
  return words[i] | std::uint64_t{words[i + 1]} << 32;
}
}  // namespace

DescriptorChain::DescriptorChain(const std::string& channel, const contract::DmaConfig& config, bool is_s2mm)
    : start((channel + "_start").c_str()),
      event((channel + "_event").c_str()),
      command((channel + "_command").c_str()),
      done((channel + "_done").c_str()),
      config_(config),
      is_s2mm_(is_s2mm),
      queue_(config.sg_queue),
      running_(kCommands),
      updates_(kCommands) {}

void DescriptorChain::step(sim::Edge now, bool run, bool halt) {
  if (!events_.empty() && event.can_push()) {
    event.push(events_.front());
    events_.pop();
  }
  if (!run || halt) end();
  if (done.can_pop() && !updates_.full()) finish_transfer(halt);
  begin_transfer(now);
  report_stop();
  if (start.can_pop()) take_start(now);
}

void DescriptorChain::take_start(sim::Edge now) {
  const DescriptorStart& request = start.pop();
  ++starts_;
  if (request.first) {
    next_ = request.current;
    fresh_ = true;
  }
  tail_ = request.tail;
  cyclic_ = request.cyclic;
  if (fetching_) return;
  fetching_ = true;
  fetch_from_ = now - 1 + config_.sg_start;
}

std::uint64_t DescriptorChain::fetch() {
  in_flight_ = true;
  dropped_ = false;
  return next_;
}

void DescriptorChain::fetched(const Words& words, std::uint32_t errors, sim::Edge now) {
  in_flight_ = false;
  if (!fetching_ || dropped_) return;
  const std::uint64_t mask = config_.address_bits == 64 ? ~std::uint64_t{0} : (1ULL << config_.address_bits) - 1;
  const std::uint32_t control = words[kDescControl / 4];
  const Descriptor descriptor{next_,
                              wide(words, kDescBuffer) & mask,
                              control & kDescLength & ((1U << config_.length_bits) - 1),
                              (control & kDescSof) != 0,
                              (control & kDescEof) != 0,
                              now + config_.sg_command};
  if (errors == 0 && !cyclic_ && (words[kDescStatus / 4] & kDescComplete)) errors = kSrSgIntErr;
  if (errors == 0 && descriptor.bytes == 0) errors = kSrDmaIntErr;
  if (errors != 0) {
    fail(next_, errors);
    return;
  }
  queue_.push(descriptor);
  if (next_ == tail_ && !cyclic_) fetching_ = false;
  next_ = wide(words, kDescNext) & mask & ~std::uint64_t{kDescBytes - 1};
}

// Drops the descriptors that were fetched and not begun. The one that is being read is dropped too, whatever is started
// before its words arrive.
void DescriptorChain::end() {
  fetching_ = false;
  dropped_ = true;
  queue_.clear();
}

// The registers clear RS when they get this event.
void DescriptorChain::fail(std::uint64_t address, std::uint32_t errors) {
  end();
  events_.push({Kind::updated, address, errors, false, 0});
}

void DescriptorChain::begin_transfer(sim::Edge now) {
  if (queue_.empty() || now < queue_.front().ready || running_.full() || events_.full() || !command.can_push()) return;
  const Descriptor& descriptor = queue_.front();
  command.push({descriptor.buffer, descriptor.bytes, !is_s2mm_ && descriptor.ends, fresh_});
  fresh_ = false;
  if (!is_s2mm_ && descriptor.begins) events_.push({Kind::packet_began, descriptor.address, 0, false, 0});
  running_.push(descriptor);
  queue_.pop();
}

// A reset leaves the descriptors of transfers that it cut short as they are.
void DescriptorChain::finish_transfer(bool halt) {
  const TransferDone& transfer = done.pop();
  const Descriptor descriptor = running_.front();
  running_.pop();
  if (halt) return;
  const bool ended = transfer.errors == 0 && (is_s2mm_ ? transfer.ends : descriptor.ends);
  updates_.push({descriptor.address, status_of(transfer), transfer.errors, ended});
  if (transfer.errors != 0) end();
}

std::uint32_t DescriptorChain::status_of(const TransferDone& transfer) const {
  std::uint32_t status = transfer.bytes | transfer.errors << kDescErrorShift | kDescComplete;
  if (is_s2mm_) status |= (transfer.begins ? kDescSof : 0) | (transfer.ends ? kDescEof : 0);
  return status;
}

const DescriptorChain::Update& DescriptorChain::update() {
  updating_ = true;
  return updates_.front();
}

void DescriptorChain::updated(std::uint32_t errors) {
  updating_ = false;
  const Update update = updates_.front();
  updates_.pop();
  if (errors != 0) end();
  events_.push({Kind::updated, update.address, update.errors | errors, update.packet_ended, 0});
}

void DescriptorChain::report_stop() {
  if (fetching_ || in_flight_ || !queue_.empty() || !running_.empty() || !updates_.empty()) return;
  if (starts_ == reported_ || events_.full()) return;
  reported_ = starts_;
  events_.push({Kind::stopped, 0, 0, false, starts_});
}

std::string DescriptorChain::waiting_for() const {
  if (in_flight_) return "a descriptor";
  if (updating_) return "the response to a status write";
  return running_.empty() ? "" : "a transfer";
}

}  // namespace fansim::axi
