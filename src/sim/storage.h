// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fansim::sim {

class Module;

// Bits that a block keeps from edge to edge, as a fault finds them: a memory or a bank of registers. It is declared
// once, as a member of its block. All words have the same width, and bit 0 is the lowest. It may be accessed between
// edges only.
class Storage {
 public:
  // The contents of shift registers move, so none of their bits can be stuck.
  enum class Of { block_ram, flip_flops, shift_registers, dsp_registers, tables, ddr };

  Storage(Module& owner, const char* storage_name, Of what);
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  virtual ~Storage() = default;

  std::string full_name() const;
  virtual std::size_t words() const = 0;
  virtual int word_bits() const = 0;
  virtual void flip(std::size_t word, int bit) = 0;
  // Holds a bit at a value although its word may change at any edge. To be called before each edge.
  virtual void hold(std::size_t word, int bit, bool value) = 0;

  const char* const name;
  const Of of;

 private:
  const Module& owner_;
};
const char* word_of(Storage::Of of);

// Where the words are: integers of `bytes` bytes one behind the other, whose lowest `bits` are stored. With
// `sign_extended` the other bits repeat the highest stored one.
struct StoredWords {
  void* data = nullptr;
  std::size_t words = 0;
  int bytes = 1;
  int bits = 8;
  bool sign_extended = false;

  template <class T>
  static StoredWords all(std::vector<T>& values, int bits = 8 * static_cast<int>(sizeof(T))) {
    return {values.data(), values.size(), static_cast<int>(sizeof(T)), bits, bits < 8 * static_cast<int>(sizeof(T))};
  }
};

// A storage whose words lie in memory. It asks each time where they are.
class Memory final : public Storage {
 public:
  Memory(Module& owner, const char* memory_name, Of what, std::function<StoredWords()> where)
      : Storage(owner, memory_name, what), where_(std::move(where)) {}

  std::size_t words() const override { return where_().words; }
  int word_bits() const override { return where_().bits; }
  void flip(std::size_t word, int bit) override;
  void hold(std::size_t word, int bit, bool value) override;

 private:
  const std::function<StoredWords()> where_;
};

}  // namespace fansim::sim
