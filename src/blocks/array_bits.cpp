// SPDX-License-Identifier: Apache-2.0
#include "blocks/array_bits.h"

#include <algorithm>
#include <utility>

namespace fansim::blocks {
namespace {

// Returns the lowest `bits` bits as a signed number.
std::int32_t signed_of(std::int64_t value, int bits) {
  const auto above = static_cast<std::uint64_t>(value) << (64 - bits);
  return static_cast<std::int32_t>(static_cast<std::int64_t>(above) >> (64 - bits));
}

std::int64_t with_bit(std::int64_t value, int bit, bool one) {
  const std::int64_t mask = std::int64_t{1} << bit;
  return one ? value | mask : value & ~mask;
}

int luts_of(const arith::LutKernel& kernel) {
  int luts = 0;
  for (int slice = 0; slice < kernel.slices(); ++slice) luts += kernel.table_luts(slice);
  return luts;
}

}  // namespace

void add_to_product(std::int16_t* product, std::int16_t* other, std::int64_t more) {
  const std::int64_t whole = *product + more;
  const std::int64_t held = other ? std::clamp<std::int64_t>(whole, INT16_MIN, INT16_MAX) : whole;
  *product = static_cast<std::int16_t>(held);
  if (other) *other = static_cast<std::int16_t>(*other + (whole - held));
}

WeightBits::WeightBits(sim::Module& owner, Of what, int sets, const ArrayShape& shape, int bits,
                       std::function<std::int16_t*(int)> set)
    : Storage(owner, "weights", what), sets_(sets), bits_(bits), shape_(shape), set_(std::move(set)) {}

std::int16_t& WeightBits::at(std::size_t word) {
  return set_(static_cast<int>(word / shape_.words()))[shape_.lane(word % shape_.words())];
}

void WeightBits::flip(std::size_t word, int bit) { hold(word, bit, (at(word) >> bit & 1) == 0); }

void WeightBits::hold(std::size_t word, int bit, bool value) {
  std::int16_t& weight = at(word);
  weight = static_cast<std::int16_t>(signed_of(with_bit(weight, bit, value), bits_));
}

ProductBits::ProductBits(sim::Module& owner, Of what, const ArrayShape& shape, int bits, std::function<bool()> leaves)
    : Storage(owner, "products", what), shape_(shape), bits_(bits), leaves_(std::move(leaves)) {}

void ProductBits::flip(std::size_t word, int bit) {
  if (leaves_()) hits_.push_back({word, bit, -1});
}

void ProductBits::hold(std::size_t word, int bit, bool value) {
  if (leaves_()) hits_.push_back({word, bit, value ? 1 : 0});
}

std::int32_t ProductBits::changed(std::int32_t value, const Hit& hit) const {
  const bool one = hit.value < 0 ? (value >> hit.bit & 1) == 0 : hit.value == 1;
  return signed_of(with_bit(value, hit.bit, one), bits_);
}

TableBits::TableBits(sim::Module& owner, const ArrayShape& shape, const arith::LutKernelFormat& format,
                     std::function<int()> set_in_use)
    : Storage(owner, "tables", Of::tables),
      shape_(shape),
      kernel_(format),
      luts_(luts_of(kernel_)),
      set_in_use_(std::move(set_in_use)) {}

bool TableBits::Hit::same_place(const Hit& other) const {
  return set == other.set && output == other.output && value == other.value && slice == other.slice &&
         address == other.address && bit == other.bit;
}

TableBits::Hit TableBits::hit(std::size_t word, int bit, int held) const {
  const auto product = static_cast<int>(word) / luts_;
  int lut = static_cast<int>(word) % luts_;
  Hit hit{set_in_use_(), product / shape_.values, product % shape_.values, 0, 0, 0, held};
  for (; lut >= kernel_.table_luts(hit.slice); ++hit.slice) lut -= kernel_.table_luts(hit.slice);
  hit.address = bit % arith::kTableEntries;
  hit.bit = kernel_.first_bit(hit.slice) + 2 * lut + bit / arith::kTableEntries;
  return hit;
}

// A second flip at the same place undoes the first.
void TableBits::flip(std::size_t word, int bit) {
  const Hit flipped = hit(word, bit, -1);
  const auto before = std::find_if(hits_.begin(), hits_.end(),
                                   [&flipped](const Hit& one) { return one.held < 0 && one.same_place(flipped); });
  if (before == hits_.end())
    hits_.push_back(flipped);
  else
    hits_.erase(before);
}

void TableBits::hold(std::size_t word, int bit, bool value) {
  const Hit held = hit(word, bit, value ? 1 : 0);
  const auto same = [&held](const Hit& one) { return one.held >= 0 && one.same_place(held); };
  if (std::none_of(hits_.begin(), hits_.end(), same)) hits_.push_back(held);
}

void TableBits::loaded(int set) {
  hits_.erase(std::remove_if(hits_.begin(), hits_.end(), [set](const Hit& hit) { return hit.set == set; }),
              hits_.end());
}

// The sign bit lies inverted in the tables. A bit beyond the product's bits is never read.
void TableBits::each(int set, const Factor& input, const Factor& weight,
                     const std::function<void(int output, int value, std::int64_t more)>& add) const {
  for (const Hit& hit : hits_) {
    if (hit.set != set || hit.bit >= kernel_.product_bits()) continue;
    const int factor = kernel_.slice_of(input(hit.output, hit.value), hit.slice);
    if ((factor & (arith::kTableEntries - 1)) != hit.address) continue;
    const bool inverted = hit.bit == kernel_.product_bits() - 1;
    const int stored = (weight(hit.output, hit.value) * factor >> hit.bit & 1) ^ int { inverted };
    const int now = hit.held < 0 ? 1 - stored : hit.held;
    const std::int64_t place = std::int64_t{1} << (hit.bit + arith::kSliceBits * hit.slice);
    add(hit.output, hit.value, (now - stored) * place);
  }
}

}  // namespace fansim::blocks
