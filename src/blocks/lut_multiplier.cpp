// SPDX-License-Identifier: Apache-2.0
#include "blocks/lut_multiplier.h"

namespace fansim::blocks {

namespace {
constexpr std::uint32_t kOdd = 0xaaaaaaaa;
}

LutMultiplier::LutMultiplier(const sc_core::sc_module_name& name, const contract::LutKernelConfig& config)
    : sim::Module(name),
      kernel_(config.format),
      shadow_(config.shadow_luts),
      tables_(config.shadow_luts),
      pipeline_(contract::LutKernelConfig::table_latency()) {
  for (Bank& bank : banks_) {
    bank.lower.resize(static_cast<std::size_t>(config.format.inputs));
    bank.top.resize(static_cast<std::size_t>(config.format.inputs));
  }
}

void LutMultiplier::step() {
  if (pipeline_.empty() && inputs.empty() && reload.empty() && !tables_.may_start(false)) {
    sleep();
    return;
  }
  shift_tables();
  bool advancing = true;
  if (pipeline_.out_valid()) {
    advancing = entries.can_push();
    if (advancing)
      entries.push() = pipeline_.out();
    else
      ++stalls_;
  }
  bool waits = false;
  if (advancing) {
    pipeline_.advance();
    waits = inputs.can_pop() && !take_vector();
  }
  if (tables_.may_start(waits)) tables_.start();
}

// Returns false if the vector has to wait for its tables.
bool LutMultiplier::take_vector() {
  if (inputs.front().new_coefficients) {
    if (!tables_.loaded()) {
      ++reload_waits_;
      return false;
    }
    tables_.take();
    if (shadow_) in_use_ = 1 - in_use_;
  }
  look_up(inputs.pop(), pipeline_.enter());
  ++vectors_;
  return true;
}

void LutMultiplier::shift_tables() {
  if (!tables_.running() || !reload.can_pop()) return;
  load(reload.pop());
  tables_.shift();
  if (tables_.loaded()) ++reloads_;
}

// Loads a bit per pair of product bits into the tables that are not read. It begins with entry 15; odd bits come first,
// then even ones.
void LutMultiplier::load(const ReloadBeat& beat) {
  Bank& bank = banks_[shadow_ ? 1 - in_use_ : 0];
  const int address = arith::kTableEntries - 1 - beat_ % arith::kTableEntries;
  const bool even = beat_ >= arith::kTableEntries;
  const auto put = [&](Table& table, std::uint32_t word) {
    std::uint32_t& entry = table[static_cast<std::size_t>(address)];
    entry = even ? (entry & kOdd) | (word & kOdd) >> 1 : word & kOdd;
  };
  for (std::size_t i = 0; i < bank.lower.size(); ++i) {
    put(bank.lower[i], beat.lower[i]);
    put(bank.top[i], beat.top[i]);
  }
  beat_ = (beat_ + 1) % arith::kReloadCycles;
}

void LutMultiplier::look_up(const KernelInputs& vector, TableEntries& out) const {
  const Bank& bank = banks_[in_use_];
  const std::size_t n = bank.lower.size();
  out.index = vector.index;
  for (int s = 0; s < kernel_.slices(); ++s) {
    const std::vector<Table>& tables = s == kernel_.slices() - 1 ? bank.top : bank.lower;
    const std::uint32_t kept = ~((std::uint32_t{1} << kernel_.first_bit(s)) - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const int address = vector.x[i] >> arith::kSliceBits * s & (arith::kTableEntries - 1);
      out.bits[static_cast<std::size_t>(s) * n + i] = tables[i][static_cast<std::size_t>(address)] & kept;
    }
  }
}

}  // namespace fansim::blocks
