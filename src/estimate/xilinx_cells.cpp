// SPDX-License-Identifier: Apache-2.0
#include "estimate/xilinx_cells.h"

#include <algorithm>
#include <initializer_list>
#include <map>

namespace fansim::estimate {
namespace {

using Table = std::map<std::string, Cell>;

void add(Table& table, const contract::Resources& use, std::initializer_list<const char*> names,
         std::optional<bool> seven_series = std::nullopt) {
  for (const char* name : names) table[name] = {use, seven_series};
}

// A distributed RAM occupies the LUTs of its slice.
void add_luts(Table& table) {
  add(table, {0, 1, 0, 0},
      {"LUT1",     "LUT2",       "LUT3",     "LUT4",    "LUT5",    "LUT6",    "LUT6_2",   "INV",
       "SRL16",    "SRL16E",     "SRLC16",   "SRLC16E", "SRLC32E", "CFGLUT5", "RAM32X1S", "RAM32X1S_1",
       "RAM64X1S", "RAM64X1S_1", "RAM16X1S", "ROM16X1", "ROM32X1", "ROM64X1"});
  add(table, {0, 2, 0, 0},
      {"RAM16X1D", "RAM32X1D", "RAM32X1D_1", "RAM64X1D", "RAM64X1D_1", "RAM128X1S", "RAM128X1S_1", "RAM32X2S",
       "ROM128X1"});
  add(table, {0, 4, 0, 0}, {"RAM128X1D", "RAM256X1S", "RAM32M", "RAM64M", "ROM256X1"});
  add(table, {0, 8, 0, 0}, {"RAM256X1D", "RAM512X1S", "RAM32M16", "RAM64M8", "RAM64X8SW", "RAM32X16DR8"}, false);
}

// A latch takes the place of a flip-flop, as do the gates in its place.
void add_registers(Table& table) {
  add(table, {0, 0, 1, 0},
      {"FDRE", "FDSE", "FDCE", "FDPE", "FDRE_1", "FDSE_1", "FDCE_1", "FDPE_1", "FDR", "FDS", "FDC", "FDP", "LDCE",
       "LDPE", "LDCE_1", "LDPE_1", "AND2B1L", "OR2L"});
}

void add_blocks(Table& table) {
  add(table, {0, 0, 0, 0.5}, {"RAMB18E2", "FIFO18E2"}, false);
  add(table, {0, 0, 0, 1}, {"RAMB36E2", "FIFO36E2"}, false);
  add(table, {0, 0, 0, 0.5}, {"RAMB18E1", "FIFO18E1"}, true);
  add(table, {0, 0, 0, 1}, {"RAMB36E1", "FIFO36E1"}, true);
  add(table, {1, 0, 0, 0}, {"DSP48E2"}, false);
  add(table, {1, 0, 0, 0}, {"DSP48E1"}, true);
  add(table, {0, 0, 0, 0, 0, 1}, {"URAM288", "URAM288_BASE"}, false);
}

const Table& xilinx_cells() {
  static const Table kTable = [] {
    Table table;
    add_luts(table);
    add_registers(table);
    add_blocks(table);
    return table;
  }();
  return kTable;
}

// Multiplexers, carry chains, pins, clocks and hard blocks are in no table of a device.
bool is_free(const std::string& name) {
  constexpr const char* kBeginnings[] = {
      "MUXF",       "CARRY",       "MUXCY",      "XORCY",       "IBUF",     "OBUF",          "IOBUF",     "BUF",
      "VCC",        "GND",         "PULL",       "KEEPER",      "IDELAY",   "ODELAY",        "ISERDES",   "OSERDES",
      "IDDR",       "ODDR",        "MMCM",       "PLL",         "STARTUP",  "BSCAN",         "ICAP",      "DCIRESET",
      "XADC",       "SYSMON",      "PS7",        "PS8",         "GTP",      "GTX",           "GTH",       "GTY",
      "PCIE",       "CMAC",        "ILKN",       "HBM",         "BITSLICE", "RXTX_BITSLICE", "DNA_PORT",  "EFUSE",
      "USR_ACCESS", "FRAME_ECC",   "PHASER",     "PHY_CONTROL", "IN_FIFO",  "OUT_FIFO",      "HARD_SYNC", "HPIO",
      "RIU_OR",     "RX_BITSLICE", "TX_BITSLICE"};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](const char* beginning) { return name.rfind(beginning, 0) == 0; });
}

}  // namespace

std::optional<Cell> xilinx_cell(const std::string& name) {
  if (const auto known = xilinx_cells().find(name); known != xilinx_cells().end()) return known->second;
  if (is_free(name)) return Cell{};
  return std::nullopt;
}

}  // namespace fansim::estimate
