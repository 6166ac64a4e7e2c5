// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/estimate/buffers.h"

#include <algorithm>

#include "base/units.h"
#include "estimate/bram.h"
#include "estimate/coefficients.h"

namespace fansim::stream {
namespace {

namespace k = estimate::coefficients;
using contract::BufferPorts;
using contract::Resources;
using estimate::Path;
using estimate::Terminal;

constexpr int kByte = 8;

int row_bytes(const BufferPorts& ports) { return std::max(ports.write_bytes, ports.read_bytes); }
int words(int kib, const BufferPorts& ports) { return base::ceil_div(kib * 1024, row_bytes(ports)); }
// Returns the rows of RAM64M8.
int lut_ram_rows(int kib, const BufferPorts& ports) { return base::ceil_div(words(kib, ports), k::kLutRamWords); }

// Each part of a row is written separately, with a write enable for each row of RAM64M8. Reads pass the same two
// registers as those of a block RAM, which are in the fabric here.
Resources distributed(int kib, const BufferPorts& ports) {
  const int rows = lut_ram_rows(kib, ports), bits = row_bytes(ports) * kByte;
  const int parts = base::ceil_div(row_bytes(ports), ports.write_bytes);
  const int ram = parts * rows * k::kLutRamLuts * base::ceil_div(ports.write_bytes * kByte, k::kLutRamBits);
  const int choice = bits * k::lut_per_mux_bit(rows);
  const int n = ports.readers;
  return {0, n * (ram + choice) + parts * rows, n * 2 * bits, 0, n * ram};
}

// Parts of a row that are written separately are separate memories: a block RAM writes its parity bits together with
// its bytes, so these cannot hold bits of another part (UG573).
Resources block(int kib, const BufferPorts& ports) {
  const int parts = base::ceil_div(row_bytes(ports), ports.write_bytes);
  const double part = estimate::bram36(ports.write_bytes * kByte, words(kib, ports));
  return {0, 0, 0, ports.readers * parts * part};
}

}  // namespace

Resources memory_use(int kib, const BufferPorts& ports, RamStyle style) {
  if (kib == 0) return {};
  return style == RamStyle::distributed ? distributed(kib, ports) : block(kib, ports);
}

// The half in use is selected, then the address reaches every RAM. If there are several rows of RAMs, their outputs are
// selected.
std::vector<Path> memory_paths(int kib, const BufferPorts& ports, RamStyle style, const Resources& use) {
  if (style == RamStyle::distributed) {
    return {Path{"address to every LUT RAM", 2}.across(estimate::clbs(use)),
            Path{"word of distributed RAM", 1 + estimate::mux_levels(lut_ram_rows(kib, ports))}};
  }
  return {
      Path{"address to every block RAM", 2}.across(estimate::clbs(use)).between(Terminal::register_, Terminal::bram),
      estimate::read_path(words(kib, ports))};
}

}  // namespace fansim::stream
