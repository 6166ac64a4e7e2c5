// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/estimate/estimate.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "accelerators/stream/config/buffer_ports.h"
#include "base/file.h"
#include "estimate/twins.h"
#include "support/user_error.h"

namespace fansim::estimate_test {

namespace {

stream::Config load(const std::vector<std::string>& overrides = {}) {
  return stream::Config::read(std::string(FANSIM_SOURCE_DIR) + "/configs/systems/zcu102_stream.yaml", overrides);
}

contract::Resources use(const std::string& block, const std::vector<std::string>& overrides = {}) {
  for (const estimate::BlockUse& b : block_uses(load(overrides)))
    if (b.name == block) return b.use;
  FAIL("no block " << block);
  return {};
}

double error(double estimated, double published) { return std::abs(estimated - published) / published; }

}  // namespace

TEST_CASE("a DSP slice computes one product or two with a shared activation") {
  CHECK(use("mac_array").dsp == 288);
  CHECK(use("mac_array", {"array.multiplier=dsp48e2"}).dsp == 576);
  CHECK(use("quantiser").dsp == 8);
  CHECK(use("recurrent_cell").dsp == 3);
}

TEST_CASE("the adder tree costs one LUT per bit of every adder as counted by hand") {
  // 72 products of 16 bits take 36 sums of 17 bits, 18 of 18, 9 of 19, then 4, 2, 1 and 1 sums held at 20 bits.
  CHECK(use("adder_tree").lut == 8 * (36 * 17 + 18 * 18 + 9 * 19 + 4 * 20 + 2 * 20 + 20 + 20));
}

TEST_CASE("line buffers are shift registers: depth costs LUTs and not block RAM") {
  CHECK(use("line_buffers").bram36 == 0);
  // Each of 3 x 64 bits takes 8 SRLs for storage, 2 LUTs for the depth and 1 for the entry; the handshake takes half a
  // LUT.
  CHECK(use("line_buffers").lut == 192 * 11 + 96);
  CHECK(use("line_buffers", {"array.line_columns=512"}).lut > use("line_buffers").lut);
}

TEST_CASE("buffers cost block RAM by their widths and depths") {
  // Rows of 192 bytes are written 16 bytes at a time: twelve parts of 128 bits x 1024, or x 1536, whose parity bits
  // stay unused.
  CHECK(use("weight_buffer").bram36 == 48);
  CHECK(use("resident_store").bram36 == 72);
  CHECK(use("resident_store", {"buffers.resident_kib=0"}).bram36 == 0);
  CHECK(use("input_buffer").bram36 == 11);
  CHECK(use("output_buffer").bram36 == 7.5);
}

TEST_CASE("a distributed buffer costs LUTs by its words and bits and registers for what it reads but no block RAM") {
  // 3072 words of 16 bytes take 48 rows of RAM64M8, 19 side by side for 128 bits, with a write enable each. A selection
  // among 48 takes 12 LUTs per bit. A row has two registers.
  const contract::Resources input = use("input_buffer", {"buffers.input_ram_style=distributed"});
  CHECK(input.lutram == 48 * 19 * 8);
  CHECK(input.lut == 48 * 19 * 8 + 128 * 12 + 48);
  CHECK(input.ff == 2 * 128);
  CHECK(input.bram36 == 0);
  // Two readers of 128 words of 64 bytes, written in four parts, take two rows.
  const contract::Resources bias = use("bias_buffer", {"buffers.bias_ram_style=distributed"});
  CHECK(bias.lutram == 2 * 4 * 2 * 19 * 8);
  CHECK(bias.lut == bias.lutram + 2 * 512 + 4 * 2);
  CHECK(bias.bram36 == 0);
  // The store's choice beside the buffer stays.
  const contract::Resources resident = use("resident_store", {"buffers.resident_ram_style=distributed"});
  CHECK(resident.lut > resident.lutram + 192 * 8);
  CHECK(use("resident_store", {"buffers.resident_ram_style=distributed", "buffers.resident_kib=0"}).lut == 0);
  for (const contract::Coefficients set : {contract::Coefficients::vivado, contract::Coefficients::yosys}) {
    for (const char* buffer : {"input", "weight", "resident", "bias", "output"}) {
      CAPTURE(static_cast<int>(set), buffer);
      stream::Config as_block = load();
      stream::Config in_luts = load({std::string("buffers.") + buffer + "_ram_style=distributed"});
      as_block.device.coefficients = in_luts.device.coefficients = set;
      const estimate::Estimate block = cost_of(as_block), distributed = cost_of(in_luts);
      CHECK(distributed.total.bram36 < block.total.bram36);
      CHECK(distributed.total.lutram > block.total.lutram);
    }
  }
}

TEST_CASE("lines are shift registers of flip-flops or block RAMs with a choice of the ring's line") {
  const contract::Resources ff = use("line_buffers", {"array.line_memory=ff"});
  // A choice of 256 columns takes 64 LUTs a bit, what enters one, the handshake half.
  CHECK(ff.lut == 192 * 65 + 96);
  CHECK(ff.ff == 192 * 256 + 192 + 2 * 192);
  CHECK(ff.lutram == 0);
  const contract::Resources block = use("line_buffers", {"array.line_memory=block"});
  CHECK(block.bram36 == 3);  // 64 bits x 256, each two RAMB18 of 36 bits
  CHECK(block.lutram == 0);
  CHECK(block.lut < use("line_buffers").lut);
  CHECK(use("line_buffers", {"array.line_memory=srl"}).lut == use("line_buffers").lut);
}

TEST_CASE("a deeper distributed buffer is slower to choose from") {
  const auto ns = [](const std::string& kib) {
    for (const estimate::BlockUse& b :
         block_uses(load({"buffers.input_ram_style=distributed", "buffers.input_kib=" + kib})))
      if (b.name == "input_buffer") return b.paths.back().luts;
    return 0;
  };
  CHECK(ns("4") == 2);   // 256 words, four rows: the RAM and one choice
  CHECK(ns("48") == 4);  // 48 rows: three choices
}

TEST_CASE("what two blocks read at once has two copies: bias records at 64 bytes of them a cycle") {
  CHECK(use("bias_buffer").bram36 == 16);
  CHECK(use("bias_buffer", {"array.output_channels=16"}).bram36 == 32);
}

TEST_CASE("the block RAMs that are paid for move at a cycle what the machine is held to") {
  constexpr double kBitsPerBlock = 72;  // of a RAMB36E2 in simple dual port, written and read
  for (const char* name : {"zcu102_stream", "zcu102_stream_64", "tiny_stream", "lut_kernel"}) {
    const stream::Config c =
        stream::Config::read(std::string(FANSIM_SOURCE_DIR) + "/configs/systems/" + name + ".yaml", {});
    for (const auto& [block, ports] :
         std::vector<std::pair<std::string, contract::BufferPorts>>{{"input_buffer", input_ports(c)},
                                                                    {"weight_buffer", weight_ports(c)},
                                                                    {"resident_store", weight_ports(c)},
                                                                    {"bias_buffer", bias_ports(c)},
                                                                    {"output_buffer", output_ports(c)}}) {
      CAPTURE(name, block);
      for (const estimate::BlockUse& use : block_uses(c)) {
        if (use.name != block) continue;
        CHECK(use.use.bram36 * kBitsPerBlock >= 8 * ports.readers * ports.read_bytes);
        CHECK(use.use.bram36 * kBitsPerBlock >= 8 * ports.readers * ports.write_bytes);
      }
    }
  }
}

TEST_CASE("pooling pays a line memory for each window open above one another") {
  CHECK(use("pooling").bram36 == 2 * 2);
  CHECK(use("pooling", {"pooling.lines=7"}).bram36 == 7 * 2);
  CHECK(use("pooling", {"pooling.line_words=12208"}).bram36 > 2 * 20);
  CHECK(use("pooling", {"pooling.kernel=7"}).ff == use("pooling").ff + 4 * 64);
}

TEST_CASE("the DMA's FIFOs are as deep as their keys ask for") {
  CHECK(use("dma").bram36 == 4);                                                    // 65 and 32 beats of 137 bits
  CHECK(use("dma", {"axi.burst_beats=64", "axi.outstanding=8"}).bram36 == 4 + 2);   // 513 and 128
  CHECK(use("dma", {"axi.burst_beats=256", "axi.outstanding=4"}).bram36 == 6 + 2);  // 1025 and 512
}

TEST_CASE("the writer costs what its twins are synthesised to") {
  const auto synthesised = [](const char* twin, const estimate::Parameters& p) {
    return estimate::twin_use(twin, p).resources().lut;
  };
  CHECK(use("writer").lut ==
        synthesised("output_writer", {{"ADDRESS_BITS", 11}}) + synthesised("packer", {{"WORD_BYTES", 8}}));
}

TEST_CASE("the total is the sum of the blocks") {
  const estimate::Estimate e = cost_of(load());
  contract::Resources sum;
  for (const estimate::BlockUse& block : e.blocks) sum += block.use;
  CHECK(e.total.dsp == sum.dsp);
  CHECK(e.total.lut == sum.lut);
  CHECK(e.total.ff == sum.ff);
  CHECK(e.total.bram36 == sum.bram36);
}

TEST_CASE("the thesis's design: DSP within 10 % of the published figure") {
  CHECK(error(cost_of(load()).total.dsp, 306) < 0.10);
}

TEST_CASE("modelled power is that of the blocks while the rest are constants") {
  const stream::Config config = load();
  const estimate::Estimate e = cost_of(config);
  double blocks = 0;
  for (const estimate::BlockUse& block : e.blocks)
    blocks += estimate::power(config.clock_hz(), config.device, block.use).blocks_w();
  CHECK(e.power.blocks_w() == Approx(blocks));
  const estimate::Power idle = cost_of(load({"clock_mhz=25"})).power;
  CHECK(e.power.blocks_w() == Approx(10 * idle.blocks_w()));
  CHECK(e.power.total_w() - blocks == Approx(idle.total_w() - idle.blocks_w()));
}

TEST_CASE("a design that does not fit says which resource is short and by how much") {
  CHECK(cost_of(load()).fit.fits);
  const estimate::Fit fit = estimate::fit({2000, 1, 1, 145.5}, load({"device=kv260"}).device);
  CHECK_FALSE(fit.fits);
  CHECK(fit.reasons == std::vector<std::string>{"DSP 2000 of 1248", "BRAM36 145.5 of 144"});
  CHECK(estimate::fit({1248, 117120, 234240, 144}, load({"device=kv260"}).device).fits);
}

TEST_CASE("Fmax names the limiting path and its block and where its time goes") {
  const estimate::Fmax fmax = cost_of(load()).fmax;
  CHECK(fmax.block == "control");
  CHECK(fmax.limit == "end of the loop nest");
  double ns = 0;
  for (const estimate::PathPart& part : fmax.parts) ns += part.ns;
  CHECK(fmax.ns() == Approx(ns));
  CHECK(fmax.uncertainty() > 0);
}

TEST_CASE(
    "the UESTC design takes the 3.959 ns that its slack of 0.041 ns at 250 MHz leaves and nets are fitted to it") {
  CHECK(cost_of(load()).fmax.ns() == Approx(3.959).epsilon(0.001));
}

TEST_CASE(
    "Fmax falls with fan-out and with deeper buffers and with a slower device and some designs miss their clock") {
  const auto mhz = [](const std::vector<std::string>& overrides) { return cost_of(load(overrides)).fmax.hz / 1e6; };
  const double thesis = mhz({});
  CHECK(mhz({"array.output_channels=16"}) < thesis);
  CHECK(mhz({"array.output_channels=16", "array.input_channels=16"}) < 250);
  CHECK(mhz({"buffers.input_kib=1024"}) < thesis);
  CHECK(mhz({"buffers.input_kib=2048"}) < mhz({"buffers.input_kib=1024"}));
  CHECK(mhz({"device=zu9eg"}) < thesis);
  CHECK(mhz({"device=xc7z045", "array.multiplier=dsp48e2"}) < mhz({"device=zu9eg", "array.multiplier=dsp48e2"}));
  const estimate::Fmax wide = cost_of(load({"array.output_channels=16", "array.input_channels=16"})).fmax;
  CHECK(wide.block == "mac_array");
  CHECK(wide.limit == "stall of the array");
}

TEST_CASE("a DSP48E1 refuses two packed products with a reason and takes one product a slice") {
  const estimate::Fit packed = cost_of(load({"device=xc7z045"})).fit;
  CHECK_FALSE(packed.fits);
  CHECK_FALSE(packed.buildable);
  REQUIRE(packed.reasons.size() == 1);
  CHECK_THAT(packed.reasons.front(), Catch::Contains("operand of 27 bits, the DSP48E1 has 25; use dsp48e2"));
  const estimate::Estimate plain = cost_of(load({"device=xc7z045", "array.multiplier=dsp48e2"}));
  CHECK(plain.fit.fits);
  CHECK(plain.total.dsp == 589);
  // An operand of 26 bits takes one slice of 27 x 18 and two of 25 x 18.
  const auto slices = [](const char* device) {
    return use("quantiser", {device, "array.multiplier=dsp48e2", "quantiser.operand_bits=26"}).dsp;
  };
  CHECK(slices("device=zcu102") == 8);
  CHECK(slices("device=xc7z045") == 16);
}

TEST_CASE("shift registers and reconfigurable tables are LUTs of the kind that can be memory and too many do not fit") {
  // Line buffers take 192 bits of 8 SRLC32E; control takes 40 bits of tags.
  CHECK(cost_of(load()).total.lutram == 192 * 8 + 40);
  // There are two slices of 12-bit entries, with two bits per CFGLUT5, and as many in shadow.
  CHECK(use("mac_array", {"array.multiplier=lut_reconfigurable"}).lutram == 576 * 2 * 12);
  stream::Config config = load();
  config.device.lutram = 1575;
  CHECK(cost_of(config).fit.reasons == std::vector<std::string>{"LUTRAM 1576 of 1575"});
  CHECK(cost_of(config).fit.buildable);
}

TEST_CASE("power has a processing system where the device has one and grows with the square of the voltage") {
  const estimate::Power zynq = cost_of(load()).power, virtex = cost_of(load({"device=vu9p"})).power;
  CHECK(zynq.processing_system_w == 2.6);
  CHECK(zynq.static_w == Approx(0.334));
  CHECK(virtex.processing_system_w == 0);
  CHECK(cost_of(load({"device=xc7z020"})).power.processing_system_w == 1.53);
  CHECK(virtex.static_w == Approx(0.234 * 1182240 / 274080));
  CHECK(virtex.blocks_w() == Approx(zynq.blocks_w()));
  CHECK(cost_of(load({"device=kv260"})).power.blocks_w() == Approx(zynq.blocks_w() * 0.72 * 0.72 / 0.85 / 0.85));
}

TEST_CASE("dynamic power of the fabric is proportional to the clock") {
  const estimate::Power at250 = cost_of(load()).power;
  const estimate::Power at125 = cost_of(load({"clock_mhz=125"})).power;
  CHECK(at125.dsp_w == Approx(at250.dsp_w / 2));
  CHECK(at125.logic_w == Approx(at250.logic_w / 2));
  CHECK(at125.static_w == at250.static_w);
}

TEST_CASE("the device file chooses the set of coefficients while vendor cores cost the same in both") {
  const test::ScratchDirectory folder;
  const std::string file = std::string(FANSIM_SOURCE_DIR) + "/configs/devices/zcu102.yaml";
  std::string device = base::read_file(file);
  const std::string key = "coefficients: vivado";
  REQUIRE(device.find(key) != std::string::npos);
  device.replace(device.find(key), key.size(), "coefficients: yosys");
  base::write_file(folder / "yosys.yaml", device);
  const std::string yosys = "device=" + folder / "yosys.yaml";

  CHECK(use("mac_array", {yosys}).dsp == 288);
  CHECK(use("mac_array", {yosys}).lut > use("mac_array").lut);
  CHECK(use("line_buffers", {yosys}).bram36 == 0);
  for (const char* vendor : {"dma", "interconnect"}) CHECK(use(vendor, {yosys}).lut == use(vendor).lut);
  // The core reads its hidden state from a twin beside the cell's, which has a copy of its own.
  const estimate::Parameters cell{{"OUTPUT_CHANNELS", 8}, {"BLOCKS", 256}};
  CHECK(use("recurrent_cell", {yosys}).bram36 == estimate::twin_use("recurrent_cell", cell).bram36 +
                                                     estimate::twin_use("hidden_state", cell).bram36 +
                                                     estimate::twin_use("activation", {{"OUTPUT_CHANNELS", 8}}).bram36);
  CHECK(load({yosys}).hash != load().hash);

  device.replace(device.find("yosys"), 5, "yosis");
  base::write_file(folder / "wrong.yaml", device);
  CHECK_THAT(test::message_of([&] { load({"device=" + folder / "wrong.yaml"}); }),
             Catch::Contains("coefficients 'yosis' unknown; did you mean 'yosys'?"));
}

TEST_CASE("every small and large configuration has an estimate in both sets") {
  for (const char* config : {"tiny_stream", "zcu102_stream_64"}) {
    stream::Config c =
        stream::Config::read(std::string(FANSIM_SOURCE_DIR) + "/configs/systems/" + config + ".yaml", {});
    const contract::Resources vivado = cost_of(c).total;
    c.device.coefficients = contract::Coefficients::yosys;
    const contract::Resources yosys = cost_of(c).total;
    CAPTURE(config);
    CHECK(yosys.lut > vivado.lut / 2);
    CHECK(yosys.lut < vivado.lut * 4);
    CHECK(yosys.dsp >= vivado.dsp);
  }
}

}  // namespace fansim::estimate_test
