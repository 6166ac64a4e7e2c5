// SPDX-License-Identifier: Apache-2.0
#include "estimate/energy.h"

#include "estimate/coefficients.h"

namespace fansim::estimate {
namespace {

namespace k = coefficients;

// "Horowitz" is M. Horowitz, "Computing's Energy Problem", ISSCC 2014, figure 1.1.9: 45 nm, 0.9 V. docs/estimate.md
// works every figure out.
constexpr double kBytesOfWord = 8;                           // Horowitz counts caches and DRAM by words of 64 bits
constexpr double kAddPj = 0.1, kMultiplyPj = 0.2;            // Horowitz: 32 bits, 8 bits
constexpr double kCache8KPj = 10, kCache1MPj = 100;          // Horowitz
constexpr double kDramLeastPj = 1300, kDramMostPj = 2600;    // Horowitz
constexpr double kLogicGap = 14;                             // Kuon and Rose, TCAD 2007
constexpr double kRegisterFilePj = 1, kBytesOfRegister = 4;  // Han et al., NIPS 2015, table 1
constexpr double kOperandBytes = 2;                          // of Eyeriss, ISCA 2016
constexpr double kBramBytes = 9;                             // a port of 72 bits
constexpr Spread kMacPj{kAddPj + kMultiplyPj, k::kDspPj, (kAddPj + kMultiplyPj) * kLogicGap};
constexpr Spread kRegisterPj{8 * k::kFfPj, kRegisterFilePj / kBytesOfRegister, k::kDspPj / kOperandBytes};
constexpr Spread kBufferPj{k::kBram36Pj / kBramBytes, kCache8KPj / kBytesOfWord, kCache1MPj / kBytesOfWord};

// Currents of Micron's DDR4-3200, 8 Gb, die G, in milliamperes, as DRAMPower's memspecs have them from its data sheet;
// the method is that of Micron's TN-40-07.
constexpr double kVdd = 1.2, kVpp = 2.5;
constexpr double kIdd2n = 37, kIpp3n = 3;        // all banks precharged
constexpr double kIdd3nX16 = 61;                 // a bank open
constexpr double kIdd5X16 = 72, kIpp5 = 5;       // refreshing at tREFI
constexpr double kIdd3nX8 = 56, kIdd4wX8 = 155;  // a bank open; writing without a pause
constexpr double kBytesPerNsX8 = 3.2;            // 3,200 million transfers a second of a byte
constexpr double kBurstLeastPj = (kIdd4wX8 - kIdd3nX8) * kVdd / kBytesPerNsX8;
constexpr Spread kDdrPj{kBurstLeastPj, kDramLeastPj / kBytesOfWord, kDramMostPj / kBytesOfWord};
constexpr Spread kStandbyMw{kIdd2n * kVdd + kIpp3n * kVpp, kIdd3nX16* kVdd + kIpp3n* kVpp,
                            kIdd5X16* kVdd + kIpp5* kVpp};

constexpr const char* kMacSource =
    "low: 8-bit multiplier and 32-bit adder, 45 nm cells (Horowitz, ISSCC 2014); typical: a DSP slice's cycle, "
    "assumed; "
    "high: the cells in LUTs, 14 times (Kuon and Rose, TCAD 2007)";
constexpr const char* kRegisterSource =
    "low: eight flip-flops, assumed; typical: a 32-bit register file, 45 nm (Han et al., NIPS 2015); high: 16 bits as "
    "much as a MAC (Eyeriss, ISCA 2016)";
constexpr const char* kBufferSource =
    "low: a block RAM's cycle for 72 bits, assumed; typical and high: caches of 8 KB and 1 MB, 45 nm (Horowitz)";
constexpr const char* kDdrSource =
    "low: bursts alone by DDR4 currents (Micron 8 Gb, TN-40-07); typical and high: 1.3 and 2.6 nJ for 64 bits "
    "(Horowitz)";

}  // namespace

Spread Energy::whole_mj() const {
  const Spread chip{chip_mj(), chip_mj(), chip_mj()};
  return chip + ddr_mj();
}

int memory_devices(const contract::DdrConfig& ddr) {
  constexpr int kX16GroupBits = 1;  // JESD79-4, 2.7: x16 devices have two groups of banks, x8 four
  if (!ddr.has_part()) return 0;
  const int width = ddr.part.group_bits <= kX16GroupBits ? 16 : 8;
  return (ddr.part.data_bits + width - 1) / width;
}

Energy energy(const FrameUse& frame, const Power& power, const contract::DdrConfig& ddr) {
  const double mj_per_w = frame.seconds * 1e3;
  Energy result{power.processing_system_w * mj_per_w, power.static_w * mj_per_w, power.blocks_w() * mj_per_w, {}, {}};
  result.levels.push_back({"mac", "MAC", frame.macs, kMacPj, kMacSource});
  if (frame.register_bytes)
    result.levels.push_back({"registers", "B", *frame.register_bytes, kRegisterPj, kRegisterSource});
  if (frame.buffer_bytes) result.levels.push_back({"buffers", "B", *frame.buffer_bytes, kBufferPj, kBufferSource});
  result.levels.push_back({"ddr", "B", frame.ddr_bytes, kDdrPj, kDdrSource});
  result.ddr_standby_mj = kStandbyMw * (memory_devices(ddr) * frame.seconds);  // milliwatts times seconds
  return result;
}

}  // namespace fansim::estimate
