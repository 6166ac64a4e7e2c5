// SPDX-License-Identifier: Apache-2.0
// These targets are what `drive` plays: a primitive's ports and attributes, memory contents, and traces for DMA, DDR,
// ports and LUT kernels.
#include "base/file.h"
#include "fuzz/target.h"
#include "fuzz/workshop.h"
#include "primitives/catalogue.h"

namespace fansim::test {
namespace {

std::string trace(const std::string& name) {
  return without_comments(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/traces/" + name + ".csv"));
}

std::string ports_of(const primitives::Primitive& primitive) {
  std::string header, row;
  for (const primitives::PortRow& port : primitive.inputs) {
    header += (header.empty() ? "" : ",") + port.name;
    row += row.empty() ? "1" : ",1";
  }
  return header + "\n" + row + "\n" + row + "\n";
}

Target stimulus(const std::string& name, const std::string& seed, const std::vector<std::string>& command) {
  Target target;
  target.name = "drive_" + name;
  target.file = "m.csv";
  target.seeds = {seed};
  target.command = command;
  return target;
}

void add_primitives(std::vector<Target>& targets) {
  for (const primitives::Primitive& primitive : primitives::catalogue()) {
    const std::string name = primitive.name;
    Target ports = stimulus(name, ports_of(primitive), {"drive", name, "@"});
    for (const primitives::PortRow& port : primitive.inputs) ports.words.push_back(port.name);
    if (name == "DSP48E2") ports.seeds.push_back(trace("dsp48e2"));
    targets.push_back(ports);
    Target attributes = stimulus(name + "_set", "", {"drive", name, "seed.csv", "@lines --set"});
    base::write_file("seed_" + name + ".csv", ports_of(primitive));
    attributes.file = "settings.txt";
    attributes.seeds.clear();
    attributes.command[2] = "seed_" + name + ".csv";
    for (const primitives::AttributeRow& row : primitive.attributes)
      attributes.seeds.push_back(row.name + "=" + row.fallback + "\n");
    targets.push_back(attributes);
  }
  Target cells = stimulus("init_file", "@0 1 0\n// c\n@1f /* d */ x 1\n0\n",
                          {"drive", "RAMB18E2", "seed_RAMB18E2.csv", "--set", "INIT_FILE=@"});
  cells.file = "m.mem";
  targets.push_back(cells);
}

}  // namespace

void add_stimuli(std::vector<Target>& targets) {
  add_primitives(targets);
  Target ddr = stimulus("ddr", trace("ddr_bursts"), {"drive", "ddr", "@"});
  targets.push_back(ddr);
  Target part = stimulus("ddr_part", "", {"drive", "ddr", "ddr.csv", "--set", "part=@"});
  base::write_file("ddr.csv", trace("ddr_bursts"));
  part.file = "m.yaml";
  part.seeds.clear();
  for (const char* name : {"zcu102_ddr4_2133", "ddr4_2400_x16"})
    part.seeds.push_back(
        without_comments(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/configs/parts/" + name + ".yaml")));
  targets.push_back(part);

  const std::string few =
      "case,port,write,burst_bytes,stride_bytes,base,window_bytes\n"
      "one,HP0,0,256,256,0x48000000,0x80000\n";
  Target ports = stimulus("ports", trace("zcu102_ports"), {"drive", "ports", "@"});
  ports.seeds.push_back(few);
  targets.push_back(ports);
  base::write_file("ports.csv", few);
  Target board =
      stimulus("ports_config",
               without_comments(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/configs/boards/zcu102_ports.yaml")),
               {"drive", "ports", "ports.csv", "--config", "@"});
  board.file = "configs/mutant/m.yaml";
  targets.push_back(board);

  Target dma = stimulus("dma", trace("dma_pg021"), {"drive", "dma", "@"});
  dma.seeds.push_back(
      "cycle,op,address,value\n,poke,0x1000,0x1040\n,write,0x00,1\n,read,0x04,\n,write,0x28,64\n"
      ",read,0x04,\n");
  dma.one_each = true;
  dma.codes = {0, 1, 2, 3, 4};  // 4: a channel that is told to wait for what never comes
  targets.push_back(dma);
  Target dma_settings = stimulus("dma_set", "dma.mode=direct\n", {"drive", "dma", "dma.csv", "@lines --set"});
  base::write_file("dma.csv", dma.seeds[0]);
  dma_settings.file = "settings.txt";
  dma_settings.one_each = true;
  dma_settings.mib = 1024 + 128;  // memory.kib is up to 1 GiB
  dma_settings.seeds = {"axi.data_bits=64\n",
                        "memory.kib=16\n",
                        "dma.sg_queue=1\n",
                        "dma.length_bits=8\n",
                        "axi.burst_beats=256\naxi.outstanding=1\n",
                        "dma.delay_resolution=2\n",
                        "clock_mhz=1000/3\n"};
  targets.push_back(dma_settings);
  Target kernel = stimulus("lut_kernel", trace("lut_kernel"), {"drive", "lut_kernel", "@"});
  kernel.one_each = true;
  targets.push_back(kernel);
}

}  // namespace fansim::test
