// SPDX-License-Identifier: Apache-2.0
#include "sim/storage.h"

#include <cstring>

#include "sim/module.h"

namespace fansim::sim {
namespace {

std::uint64_t load(const StoredWords& where, std::size_t word) {
  std::uint64_t value = 0;
  std::memcpy(&value, static_cast<const char*>(where.data) + word * static_cast<std::size_t>(where.bytes),
              static_cast<std::size_t>(where.bytes));
  return value;
}

void store(const StoredWords& where, std::size_t word, std::uint64_t value) {
  if (where.sign_extended) {
    const std::uint64_t above = ~std::uint64_t{0} << where.bits;
    value = (value >> (where.bits - 1) & 1) != 0 ? value | above : value & ~above;
  }
  std::memcpy(static_cast<char*>(where.data) + word * static_cast<std::size_t>(where.bytes), &value,
              static_cast<std::size_t>(where.bytes));
}

}  // namespace

Storage::Storage(Module& owner, const char* storage_name, Of what) : name(storage_name), of(what), owner_(owner) {
  owner.storages_.push_back(this);
}

std::string Storage::full_name() const { return std::string(owner_.name()) + "." + name; }

const char* word_of(Storage::Of of) {
  switch (of) {
    case Storage::Of::block_ram:
      return "block RAM";
    case Storage::Of::flip_flops:
      return "flip-flops";
    case Storage::Of::shift_registers:
      return "shift registers";
    case Storage::Of::dsp_registers:
      return "DSP registers";
    case Storage::Of::tables:
      return "LUT tables";
    case Storage::Of::ddr:
      return "DDR";
  }
  return "";
}

void Memory::flip(std::size_t word, int bit) {
  const StoredWords where = where_();
  store(where, word, load(where, word) ^ std::uint64_t{1} << bit);
}

void Memory::hold(std::size_t word, int bit, bool value) {
  const StoredWords where = where_();
  const std::uint64_t now = load(where, word);
  if ((now >> bit & 1) != std::uint64_t{value}) store(where, word, now ^ std::uint64_t{1} << bit);
}

}  // namespace fansim::sim
