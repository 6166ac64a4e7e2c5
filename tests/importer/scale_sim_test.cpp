// SPDX-License-Identifier: Apache-2.0
#include "importer/scale_sim.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"

using namespace fansim;

namespace {

struct Folder : base::TemporaryFolder {
  std::string file() const { return path() + "/f"; }
  importer::Topology topology(const std::string& text) const {
    base::write_file(file(), text);
    return importer::read_topology(file());
  }
  importer::ArrayFile array(const std::string& text) const {
    base::write_file(file(), text);
    return importer::read_array(file());
  }
  // Without the file's name: "2:5: ...".
  template <class Read>
  std::string error(Read read) const {
    try {
      read();
    } catch (const base::UserError& error) {
      const std::string what = error.what();
      return what.substr(file().size() + 1);
    }
    return "";
  }
};

const std::string kHead =
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n";

}  // namespace

TEST_CASE("a topology's rows are networks of one layer, whatever their line ends and names") {
  const Folder folder;
  const importer::Topology conv = folder.topology(
      "\xef\xbb\xbf" + kHead + "../a b, 31, 15, 5, 5, 3, 64, 2,\r\n\r\n../a b, 9, 9, 1, 1, 1, 1, 1\r\n");
  REQUIRE(conv.layers.size() == 2);
  CHECK(conv.refused.empty());
  CHECK(conv.layers[0].name == "a_b");
  CHECK(conv.layers[1].name == "a_b_2");
  CHECK(conv.layers[0].network ==
        "version: 1\nname: \"a_b\"\ninput: {shape: [3, 31, 15], type: int8}\nlayers:\n"
        "  - {name: layer, type: conv, filters: 64, kernel: 5, stride: 2}\n");
  const importer::Topology product = folder.topology("Layer, M, N, K,\nqk, 128, 96, 64,\n");
  REQUIRE(product.layers.size() == 1);
  CHECK(product.layers[0].network.find("shape: [64, 128, 1]") != std::string::npos);
  CHECK(product.layers[0].network.find("filters: 96, kernel: 1") != std::string::npos);
}

TEST_CASE("rows that no layer stands for are listed, each with its line and reason") {
  const Folder folder;
  const std::string head =
      "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Stride Height, Stride "
      "Width, Sparsity\n";
  const importer::Topology topology =
      folder.topology(head +
                      "a, 9, 9, 1, 3, 4, 4, 1, 1\nb, 9, 9, 3, 3, 4, 4, 1, 2\nc, 2, 9, 3, 3, 4, 4, 1, 1\n"
                      "d, 9, 9, 3, 3, 4, 4, 1, 1, 2:4\ne, 9, 9, 3, 3, 4, 4, 2, 2\n");
  CHECK(topology.layers.size() == 1);
  REQUIRE(topology.refused.size() == 4);
  CHECK(topology.refused[0].node == "line 2, a");
  CHECK(topology.refused[0].reason == "a filter of 1 x 3; square ones are computed");
  CHECK(topology.refused[1].reason == "strides of 1 x 2; equal ones are computed");
  CHECK(topology.refused[2].reason == "a filter of 3 x 3 over 2 x 9");
  CHECK(topology.refused[3].reason == "sparsity 2:4: weights are dense here");
}

TEST_CASE("what is no topology is refused at its place") {
  const Folder folder;
  const auto error = [&](const std::string& text) { return folder.error([&] { folder.topology(text); }); };
  CHECK(error("") == " no topology: it is empty");
  CHECK(error(kHead) == " a topology without layers");
  CHECK(error("name, a, b\nx, 1, 2\n").find("1:1: no topology: its head must be") == 0);
  CHECK(error(kHead + "a, 9, 9, 3, 3, 4, 4\n") == "2:1: 7 cells, the head has 8");
  CHECK(error(kHead + "a, 9, 9, 3, 3, 4, 4, 1, 5\n") == "2:1: 9 cells, the head has 8");
  CHECK(error(kHead + "a, 9, 0, 3, 3, 4, 4, 1\n") == "2:7: ifmapwidth: expected a size of 1..1048576, found '0'");
  CHECK(error(kHead + "a, 9, -9, 3, 3, 4, 4, 1\n").find("found '-9'") != std::string::npos);
  CHECK(error(kHead + "a, 99999999999999999999, 9, 3, 3, 4, 4, 1\n").find("2:4: ifmapheight") == 0);
  CHECK(error(kHead + std::string(1 << 20, 'x') + "\n") == "2:1: 1 cells, the head has 8");
}

TEST_CASE("an array's keys are settings, or say why there is none; none is left out") {
  const Folder folder;
  const importer::ArrayFile array = folder.array(
      "[general]\nrun_name = small\n[architecture_presets]\nArrayHeight: 16\nArrayWidth: 32\nIfmapSramSzkB: 64\n"
      "OfmapSramSzkB: 32\nFilterSramSzkB: 8\nBandwidth: 10\nDataflow: ws\nIfmapOffset: 0\nMemoryBanks: 1\n");
  CHECK(array.name == "small");
  std::map<std::string, std::string> settings;
  for (const importer::ArrayKey& key : array.keys) settings[key.key] = key.setting;
  CHECK(settings == std::map<std::string, std::string>{{"run_name", ""},
                                                       {"ArrayHeight", "conv.tn=16"},
                                                       {"ArrayWidth", "conv.tm=32"},
                                                       {"IfmapSramSzkB", "conv.input_words=2048"},
                                                       {"OfmapSramSzkB", "conv.output_words=512"},
                                                       {"FilterSramSzkB", "weights.kib=4"},
                                                       {"Bandwidth", "load.input_bits=128"},
                                                       {"Dataflow", ""},
                                                       {"IfmapOffset", ""},
                                                       {"MemoryBanks", ""}});
}

TEST_CASE("what is no array is refused at its line") {
  const Folder folder;
  const auto error = [&](const std::string& text) { return folder.error([&] { folder.array(text); }); };
  CHECK(error("") == " no array: it has no keys");
  CHECK(error("ArrayHeight: 8\n") == " no array: key 'arraywidth' is missing");
  CHECK(error("ArrayHeight: 8\nArrayWidth: many\n") == "2:1: ArrayWidth: expected 1..512, found 'many'");
  CHECK(error("ArrayHeight: 8\nArrayWidth: 1024\n") == "2:1: ArrayWidth: expected 1..512, found '1024'");
  CHECK(error("ArrayHeight: 8\nArrayHeight: 8\n") == "2:1: key 'ArrayHeight' is there already");
  CHECK(error("ArrayHeight 8\n") == "1:1: expected 'key : value', found 'ArrayHeight 8'");
}
