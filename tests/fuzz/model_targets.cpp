// SPDX-License-Identifier: Apache-2.0
// Models of others: ONNX files, SCALE-Sim's tables and arrays; and what a training leaves.
#include "base/file.h"
#include "fuzz/target.h"
#include "fuzz/workshop.h"

namespace fansim::test {

void add_models(std::vector<Target>& targets) {
  Target onnx;
  onnx.name = "onnx_import";
  onnx.kind = Mutator::Kind::bytes;
  onnx.file = "m.onnx";
  for (const char* model : {"small", "crowded", "codes", "recurrent"})
    onnx.seeds.push_back(base::read_file(std::string("onnx/") + model + ".onnx"));
  onnx.command = {"import", "@", "-o", "out"};
  onnx.mib = 512;
  targets.push_back(onnx);
  onnx.name = "onnx_run";
  onnx.command = {"run", "tiny_decoupled", "@", "--verify"};
  onnx.codes = {0, 2, 3};
  targets.push_back(onnx);

  Target topology;
  topology.name = "scale_sim_table";
  topology.file = "m.csv";
  topology.seeds = {
      "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n"
      "Conv1, 224, 224, 7, 7, 3, 64, 2,\nConv2, 56, 56, 3, 3, 64, 64, 1,\nFC, 1, 1, 1, 1, 512, 1000, 1,\n",
      "Layer, M, N, K,\nG1, 16, 32, 64,\nG2, 1, 10, 84,\n"};
  topology.command = {"import", "@", "-o", "out"};
  targets.push_back(topology);
  Target array = topology;
  array.name = "scale_sim_array";
  array.file = "m.cfg";
  array.seeds = {
      "[general]\nrun_name = small\n\n[architecture_presets]\nArrayHeight: 8\nArrayWidth: 4\nIfmapSramSzkB: 16\n"
      "FilterSramSzkB: 8\nOfmapSramSzkB: 8\nIfmapOffset: 0\nDataflow : ws\nBandwidth : 10\nMemoryBanks: 1\n\n"
      "[run_presets]\nInterfaceBandwidth: USER\n"};
  targets.push_back(array);

  Target checkpoint;
  checkpoint.name = "checkpoint_train";
  checkpoint.file = "m.ckpt";
  checkpoint.seeds = {base::read_file("w.ckpt")};
  checkpoint.command = {"train",
                        "float_trainer",
                        "models/mutant/digits.yaml",
                        "--data",
                        "digits",
                        "--images",
                        "2",
                        "--epochs",
                        "2",
                        "--checkpoint",
                        "@"};
  targets.push_back(checkpoint);
  checkpoint.name = "checkpoint_run";
  checkpoint.command = {"run", "float_trainer", "models/mutant/digits.yaml", "--checkpoint", "@", "--verify"};
  checkpoint.codes = {0, 2, 3};
  targets.push_back(checkpoint);
}

}  // namespace fansim::test
