// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "contract/dma_map.h"
#include "platform/host.h"
#include "sim/violation.h"

namespace fansim::platform {
namespace {

using namespace contract::dma_map;

// Returns DMASR and those of its bits at which a driver looks.
std::string status_text(const char* channel, std::uint32_t value) {
  static constexpr std::pair<std::uint32_t, const char*> kBits[]{
      {kSrHalted, "Halted"},       {kSrIdle, "Idle"},           {kSrDmaIntErr, "DMAIntErr"},
      {kSrDmaSlvErr, "DMASlvErr"}, {kSrDmaDecErr, "DMADecErr"}, {kSrErrIrq, "Err_Irq"}};
  std::string bits;
  for (const auto& [bit, word] : kBits)
    if ((value & bit) != 0) bits += fmt::format(" {}", word);
  return fmt::format("{}_DMASR {:#010x}{}", channel, value, bits);
}

}  // namespace

void Host::fail(const std::string& what) {
  error_ = what;
  preparing_dma_ = in_handler_ = false;
  if (hooks_.saw) hooks_.saw(what);
  recovery_ = Recovery::read_mm2s;
  if (!has_dma_) decide();
}

void Host::recover() {
  switch (recovery_) {
    case Recovery::none:
      return;
    case Recovery::read_mm2s:
      if (!access(false, kMm2sDmasr)) return;
      if (hooks_.saw) hooks_.saw(status_text("MM2S", answer_));
      recovery_ = Recovery::read_s2mm;
      return;
    case Recovery::read_s2mm:
      if (!access(false, kS2mmDmasr)) return;
      if (hooks_.saw) hooks_.saw(status_text("S2MM", answer_));
      decide();
      return;
    case Recovery::reset_dma:
      if (!access(true, kMm2sDmacr, kCrReset)) return;
      begun_at_ = now();
      recovery_ = Recovery::await_dma;
      return;
    case Recovery::await_dma:
      if (access(false, kMm2sDmacr)) await_reset();
      return;
    case Recovery::reset_core:
      hooks_.reset_core();
      takes(config_.register_write);
      recovery_ = Recovery::begin_again;
      return;
    case Recovery::begin_again:
      return begin_again();
  }
}

// Accesses one register of the DMA: spends the cost, sends the request and waits for the response. Returns true when
// that has come.
bool Host::access(bool write, std::uint32_t address, std::uint32_t value) {
  if (!access_begun_) {
    access_begun_ = true;
    if (!takes(write ? config_.register_write : config_.register_read)) return false;
  }
  if (!waiting_response_) {
    if (!dma.can_push()) return false;
    dma.push(axi::LiteRequest{write, address, value});
    ++register_accesses_;
    waiting_response_ = true;
    return false;
  }
  if (!dma_response.can_pop()) return false;
  answer_ = dma_response.pop().value;
  access_begun_ = waiting_response_ = false;
  return true;
}

// The reset bit reads 1 until transfers that were in flight on the memory side have ended.
void Host::await_reset() {
  if ((answer_ & kCrReset) == 0) {
    recovery_ = Recovery::reset_core;
    return;
  }
  if (timed_out()) {
    error_ += fmt::format("; then the DMA's reset did not end within {} cycles", config_.timeout);
    if (hooks_.saw) hooks_.saw(fmt::format("the DMA's reset does not end within {} cycles", config_.timeout));
    attempts_ = config_.retry;
    decide();
    return;
  }
  if (now() - begun_at_ > kLongestPoll)
    throw sim::Hang(name(), now(), fmt::format("the DMA's reset takes more than {} cycles", kLongestPoll));
}

void Host::decide() {
  if (in_layer_ && attempts_ < config_.retry) {
    ++attempts_;
    recovery_ = has_dma_ ? Recovery::reset_dma : Recovery::reset_core;
    return;
  }
  recovery_ = Recovery::none;
  at_ = ops_.size() + 1;
  if (hooks_.gave_up) hooks_.gave_up(error_);
  hooks_.finished();
}

// Runs the first steps of the program, then those of the layer.
void Host::begin_again() {
  if (hooks_.saw)
    hooks_.saw(fmt::format("DMA and core reset, the layer begins again ({} of {})", attempts_, config_.retry));
  jobs_.take_all();
  layers_.take_all();
  recovery_ = Recovery::none;
  begun_ = false;
  at_ = 0;
  resume_at_ = layer_at_ + 1;
}

}  // namespace fansim::platform
