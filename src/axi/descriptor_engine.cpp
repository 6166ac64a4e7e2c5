// SPDX-License-Identifier: Apache-2.0
#include "axi/descriptor_engine.h"

#include <cstring>

namespace fansim::axi {

namespace {
using namespace contract::dma_map;

// Returns DMASR's bit for a bad response on the descriptor port.
std::uint32_t descriptor_error(Resp resp) {
  return resp == Resp::decerr ? kSrSgDecErr : resp == Resp::slverr ? kSrSgSlvErr : 0;
}
}  // namespace

DescriptorEngine::DescriptorEngine(const sc_core::sc_module_name& name, const contract::DmaConfig& config,
                                   const sim::Reg<bool>& halt, const sim::Reg<bool>& mm2s_run,
                                   const sim::Reg<bool>& s2mm_run)
    : Module(name),
      mm2s("mm2s", config, false),
      s2mm("s2mm", config, true),
      halt_(halt),
      mm2s_run_(mm2s_run),
      s2mm_run_(s2mm_run) {}

void DescriptorEngine::step() {
  if (mm2s.idle() && s2mm.idle() && mm2s.start.empty() && s2mm.start.empty()) {
    sleep();
    return;
  }
  write_back();
  fetch();
  receive();
  mm2s.step(now(), mm2s_run_.get(), halt_.get());
  s2mm.step(now(), s2mm_run_.get(), halt_.get());
}

void DescriptorEngine::write_back() {
  if (writing_ && b.can_pop()) {
    writing_->updated(descriptor_error(b.pop().resp));
    writing_ = nullptr;
    ++updated_;
    return;
  }
  if (writing_ || !aw.can_push() || !w.can_push()) return;
  writing_ = mm2s.wants_update() ? &mm2s : s2mm.wants_update() ? &s2mm : nullptr;
  if (!writing_) return;
  const DescriptorChain::Update& update = writing_->update();
  aw.push({update.address + kDescStatus, 1});
  WriteBeat& beat = w.push();
  std::memcpy(beat.data.data(), &update.status, sizeof update.status);
  beat.strobe = byte_mask(sizeof update.status);
  beat.last = true;
}

void DescriptorEngine::fetch() {
  if (reading_ || !ar.can_push()) return;
  DescriptorChain& preferred = s2mm_next_ ? s2mm : mm2s;
  DescriptorChain& other = s2mm_next_ ? mm2s : s2mm;
  reading_ = preferred.wants_fetch(now()) ? &preferred : other.wants_fetch(now()) ? &other : nullptr;
  if (!reading_) return;
  s2mm_next_ = reading_ == &mm2s;
  ar.push({reading_->fetch(), kDescWords});
  received_ = 0;
  errors_ = 0;
}

void DescriptorEngine::receive() {
  if (!reading_ || !r.can_pop()) return;
  const ReadBeat& beat = r.pop();
  std::memcpy(&words_[received_++], beat.data.data(), sizeof words_[0]);
  errors_ |= descriptor_error(beat.resp);
  if (beat.last != (received_ == words_.size())) violation("RLAST of a descriptor is not at its last word");
  if (!beat.last) return;
  reading_->fetched(words_, errors_, now());
  reading_ = nullptr;
  ++fetched_;
}

std::string DescriptorEngine::waiting_for() const {
  const std::string text = mm2s.waiting_for();
  return text.empty() ? s2mm.waiting_for() : text;
}

}  // namespace fansim::axi
