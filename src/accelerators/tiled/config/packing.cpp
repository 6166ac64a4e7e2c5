// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/packing.h"

#include <algorithm>
#include <bitset>
#include <cstring>

namespace fansim::tiled {

namespace {

constexpr std::size_t kMaxBeat = 64;

// Makes it possible to read and write a whole 32-bit word anywhere in a beat, which a field of 16 bits may need, by
// adding bytes after the beat.
class Fields {
 public:
  Fields(const std::uint8_t* beat, const Encoding& e) : mask_((1U << e.value_bits) - 1U) {
    std::memcpy(bytes_, beat, static_cast<std::size_t>(e.beat_bytes()));
  }
  std::uint16_t get(int bit) const { return static_cast<std::uint16_t>(word(bit) >> bit % 8 & mask_); }
  void set(int bit, std::uint16_t code) {
    const std::uint32_t changed = (word(bit) & ~(mask_ << bit % 8)) | (code & mask_) << bit % 8;
    std::memcpy(bytes_ + bit / 8, &changed, sizeof changed);
  }
  const std::uint8_t* bytes() const { return bytes_; }

 private:
  std::uint32_t word(int bit) const {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes_ + bit / 8, sizeof word);
    return word;
  }
  const std::uint32_t mask_;
  std::uint8_t bytes_[kMaxBeat + sizeof(std::uint32_t)]{};
};

// Calls f(bit, i) for the i-th of `count` codes from `first` on.
template <class F>
void walk(const Encoding& e, int first, int count, F&& f) {
  const int per_word = e.per_word();
  int word = first / per_word * e.word_bits, in_word = first % per_word;
  for (int i = 0; i < count; ++i) {
    f(word + in_word * e.slot_bits, i);
    if (++in_word == per_word) {
      in_word = 0;
      word += e.word_bits;
    }
  }
}

// Unpacks codes that have bytes of their own; they are adjacent, in one slot each.
template <class Slot>
void unpack_slots(const std::uint8_t* beat, int value_bits, int first, int count, std::uint16_t* codes) {
  const auto mask = static_cast<std::uint16_t>((1U << value_bits) - 1U);
  for (int i = 0; i < count; ++i) {
    Slot slot;
    std::memcpy(&slot, beat + (first + i) * static_cast<int>(sizeof slot), sizeof slot);
    codes[i] = slot & mask;
  }
}
template <class Slot>
void pack_slots(const std::uint16_t* codes, int value_bits, int first, int count, std::uint8_t* beat) {
  const auto mask = static_cast<std::uint16_t>((1U << value_bits) - 1U);
  for (int i = 0; i < count; ++i) {
    Slot slot;
    std::uint8_t* to = beat + (first + i) * static_cast<int>(sizeof slot);
    std::memcpy(&slot, to, sizeof slot);
    slot = static_cast<Slot>((slot & ~mask) | (codes[i] & mask));
    std::memcpy(to, &slot, sizeof slot);
  }
}

bool slots_of(const Encoding& e, int bytes) { return e.byte_addressable() && e.slot_bits == 8 * bytes; }

}  // namespace

void unpack(const std::uint8_t* beat, const Encoding& encoding, int first, int count, std::uint16_t* codes) {
  if (slots_of(encoding, 1)) {
    unpack_slots<std::uint8_t>(beat, encoding.value_bits, first, count, codes);
    return;
  }
  if (slots_of(encoding, 2)) {
    unpack_slots<std::uint16_t>(beat, encoding.value_bits, first, count, codes);
    return;
  }
  const Fields fields(beat, encoding);
  walk(encoding, first, count, [&](int bit, int i) { codes[i] = fields.get(bit); });
}

void pack(const std::uint16_t* codes, const Encoding& encoding, int first, int count, std::uint8_t* beat) {
  if (slots_of(encoding, 1)) {
    pack_slots<std::uint8_t>(codes, encoding.value_bits, first, count, beat);
    return;
  }
  if (slots_of(encoding, 2)) {
    pack_slots<std::uint16_t>(codes, encoding.value_bits, first, count, beat);
    return;
  }
  Fields fields(beat, encoding);
  walk(encoding, first, count, [&](int bit, int i) { fields.set(bit, codes[i]); });
  std::memcpy(beat, fields.bytes(), static_cast<std::size_t>(encoding.beat_bytes()));
}

std::uint64_t strobe(const Encoding& encoding, int first, int count) {
  if (encoding.byte_addressable()) {
    const int bytes = encoding.slot_bits / 8;
    return ~std::uint64_t{0} >> (64 - count * bytes) << first * bytes;
  }
  std::uint64_t bytes = 0;
  walk(encoding, first, count, [&](int bit, int) {
    const int begin = bit / 8, end = (bit + encoding.slot_bits - 1) / 8;  // up to three bytes
    bytes |= ((std::uint64_t{2} << (end - begin)) - 1) << begin;
  });
  return bytes;
}

// All full beats have the same number.
std::int64_t strobed_bytes(const Encoding& encoding, const Extent& run) {
  if (encoding.byte_addressable()) return std::int64_t{run.values} * (encoding.slot_bits / 8);
  const auto bytes = [&encoding](int first, int count) {
    return static_cast<std::int64_t>(std::bitset<64>(strobe(encoding, first, count)).count());
  };
  const int head = std::min(run.values, encoding.per_beat() - run.skip);
  const int full = (run.values - head) / encoding.per_beat(), tail = (run.values - head) % encoding.per_beat();
  return bytes(run.skip, head) + (full > 0 ? full * bytes(0, encoding.per_beat()) : 0) +
         (tail > 0 ? bytes(0, tail) : 0);
}

void pack(const std::vector<std::uint16_t>& codes, const Encoding& encoding, std::uint8_t* beats) {
  const auto values = static_cast<std::int64_t>(codes.size());
  std::fill_n(beats, encoding.beats(values) * encoding.beat_bytes(), std::uint8_t{0});
  const std::int64_t at_once = encoding.byte_addressable() ? values : encoding.per_beat();
  for (std::int64_t i = 0; i < values; i += at_once, beats += encoding.beat_bytes())
    pack(&codes[static_cast<std::size_t>(i)], encoding, 0, static_cast<int>(std::min(at_once, values - i)), beats);
}

std::vector<std::uint8_t> pack(const std::vector<std::uint16_t>& codes, const Encoding& encoding) {
  const std::int64_t beats = encoding.beats(static_cast<std::int64_t>(codes.size()));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(beats * encoding.beat_bytes()));
  pack(codes, encoding, bytes.data());
  return bytes;
}

std::vector<std::uint16_t> unpack(const std::vector<std::uint8_t>& bytes, const Encoding& encoding,
                                  std::int64_t count) {
  std::vector<std::uint16_t> codes(static_cast<std::size_t>(count));
  const std::uint8_t* beat = bytes.data();
  for (std::int64_t i = 0; i < count; i += encoding.per_beat(), beat += encoding.beat_bytes())
    unpack(beat, encoding, 0, static_cast<int>(std::min<std::int64_t>(encoding.per_beat(), count - i)),
           &codes[static_cast<std::size_t>(i)]);
  return codes;
}

}  // namespace fansim::tiled
