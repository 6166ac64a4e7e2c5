// SPDX-License-Identifier: Apache-2.0
#include "primitives/ram_cells.h"

#include <algorithm>

namespace fansim::primitives {
namespace {

std::vector<std::uint64_t> words_of(const std::vector<Word256>& init) {
  std::vector<std::uint64_t> words;
  for (const Word256& row : init) words.insert(words.end(), row.begin(), row.end());
  return words;
}

void replace(std::uint64_t& cells, std::uint64_t word, std::uint64_t mask, std::uint64_t shift) {
  cells = (cells & ~(mask << shift)) | (word & mask) << shift;
}

}  // namespace

RamCells::RamCells(const std::vector<Word256>& init, const std::vector<Word256>& init_parity) {
  planes_[kData].value = words_of(init);
  planes_[kParity].value = words_of(init_parity);
  for (Plane& plane : planes_) plane.unknown.resize(plane.value.size());
}

void RamCells::forget() {
  for (Plane& plane : planes_) {
    std::fill(plane.value.begin(), plane.value.end(), 0);
    std::fill(plane.unknown.begin(), plane.unknown.end(), ~std::uint64_t{0});
  }
}

std::uint64_t RamCells::first_bit(std::uint64_t address, int width, RamPlane plane) {
  const auto bits = static_cast<std::uint64_t>(plane_bits(width, plane));
  return (plane == kData ? address : address / 8) / bits * bits;
}

RamWord RamCells::read(std::uint64_t address, int width) const {
  RamWord word;
  for (const RamPlane plane : kRamPlanes) {
    const int bits = plane_bits(width, plane);
    if (bits == 0) continue;
    const std::uint64_t first = first_bit(address, width, plane);
    const Plane& cells = planes_[plane];
    word[plane] = {cells.value[first / 64] >> (first % 64) & ones(bits),
                   cells.unknown[first / 64] >> (first % 64) & ones(bits), 0};
  }
  return word;
}

void RamCells::write(std::uint64_t address, int width, const RamWord& word, const RamMask& mask) {
  for (const RamPlane plane : kRamPlanes) {
    if (mask[plane] == 0) continue;
    const std::uint64_t first = first_bit(address, width, plane);
    Plane& cells = planes_[plane];
    replace(cells.value[first / 64], word[plane].value, mask[plane], first % 64);
    replace(cells.unknown[first / 64], word[plane].unknown, mask[plane], first % 64);
  }
}

RamMask RamCells::seen(const RamMask& mask, std::uint64_t address, int width, std::uint64_t seen_address,
                       int seen_width) {
  RamMask result{};
  for (const RamPlane plane : kRamPlanes) {
    const int bits = plane_bits(seen_width, plane);
    if (mask[plane] == 0 || bits == 0) continue;
    const std::uint64_t at = first_bit(address, width, plane), from = first_bit(seen_address, seen_width, plane);
    const std::uint64_t shift = at > from ? at - from : from - at;
    if (shift < 64) result[plane] = (at > from ? mask[plane] << shift : mask[plane] >> shift) & ones(bits);
  }
  return result;
}

}  // namespace fansim::primitives
