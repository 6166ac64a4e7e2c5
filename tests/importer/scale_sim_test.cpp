// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/file.h"
#include "base/random.h"
#include "importer/scale_sim/array_file.h"
#include "importer/scale_sim/topology.h"
#include "network/network.h"
#include "support/user_error.h"

namespace fansim::scale_sim_test {

using importer::ArrayFile;
using importer::ArraySetting;
using importer::Topology;
using importer::TopologyLayer;

namespace {

const std::string kHeader =
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n";

const std::string kArray =
    "[general]\nrun_name = small\n\n[architecture_presets]\nArrayHeight: 8\nArrayWidth: 4\nIfmapSramSzkB: 16\n"
    "FilterSramSzkB: 8\nOfmapSramSzkB: 8\nIfmapOffset: 0\nDataflow : ws\nBandwidth : 10\nMemoryBanks: 1\n\n"
    "[run_presets]\nInterfaceBandwidth: USER\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

struct Folder : test::ScratchDirectory {
  Topology table(const std::string& text) const {
    base::write_file(*this / "t.csv", text);
    return importer::read_topology(*this / "t.csv");
  }
  ArrayFile array(const std::string& text) const {
    base::write_file(*this / "a.cfg", text);
    return importer::read_array(*this / "a.cfg");
  }
  // Returns the message without the file's name.
  std::string wrong_table(const std::string& text) const {
    return behind(*this / "t.csv", test::message_of([&] { table(text); }));
  }
  std::string wrong_array(const std::string& text) const {
    return behind(*this / "a.cfg", test::message_of([&] { array(text); }));
  }
  // Returns why no layer represents the only row of a table.
  std::string refused(const std::string& text) const {
    const Topology topology = table(text);
    REQUIRE(topology.refused.size() == 1);
    CHECK(topology.refused[0].line == 2);
    return topology.refused[0].reason;
  }
  network::Network network(const TopologyLayer& layer) const {
    base::write_file(*this / "n.yaml", importer::network_text(layer));
    network::LoadOptions options;
    options.values = false;
    return network::load_network(*this / "n.yaml", options);
  }

 private:
  static std::string behind(const std::string& file, const std::string& message) {
    return message.rfind(file + ":", 0) == 0 ? message.substr(file.size() + 1) : message;
  }
};

std::string text_of(const TopologyLayer& l) {
  return fmt::format("{}: {}x{}x{} {} k{} s{} g{}", l.file, l.channels, l.height, l.width, l.filters, l.kernel,
                     l.stride, l.groups);
}
std::vector<std::string> texts_of(const Topology& topology) {
  std::vector<std::string> texts;
  for (const TopologyLayer& layer : topology.layers) texts.push_back(text_of(layer));
  return texts;
}

const ArraySetting& setting(const ArrayFile& array, const std::string& key) {
  for (const ArraySetting& setting : array.settings)
    if (setting.key == key) return setting;
  FAIL(key);
  throw std::logic_error(key);
}

}  // namespace

TEST_CASE("rows are networks of one convolution whatever editor and spreadsheet the table went through") {
  const Folder folder;
  const std::vector<std::string> expected{"Conv1: 3x224x224 96 k11 s4 g1", "c2: 96x27x27 256 k5 s1 g1"};
  const std::string rows = "Conv1, 224, 224, 11, 11, 3, 96, 4,\nc2,27,27,5,5,96,256,1,\n";
  CHECK(texts_of(folder.table(kHeader + rows)) == expected);
  CHECK(texts_of(folder.table("\xef\xbb\xbf# a comment\r\n\r\n,,,,,,,,\r\n" + kHeader +
                              "Conv1, 224, 224, 11, 11, 3, 96, 4\r\n,,,,,,,,\r\nc2,27,27,5,5,96,256,1,#last\r\n")) ==
        expected);
  CHECK(texts_of(folder.table("Layer,\xc2\xa0IFMAP Width,ifmap width,filter height,filter width,channel,num filters,"
                              "Stride Height,Stride Width,Sparsity,batch size\nConv1,224,224,11,11,3,96,4,4,1:1,1\n"
                              "c2,27,27,5,5,96,256,1,,,\n")) == expected);
  const Topology topology = folder.table(kHeader + rows);
  CHECK(topology.layers[1].line == 3);
  CHECK(topology.layers[0].remark == "54 x 54 outputs, SCALE-Sim counts 55 x 55: incomplete windows");
  CHECK(topology.layers[1].remark.empty());
  const network::Network network = folder.network(topology.layers[0]);
  REQUIRE(network.layers.size() == 1);
  CHECK(network.layers[0].in == network::Shape::map(3, 224, 224));
  CHECK(network.layers[0].out == network::Shape::map(96, 54, 54));
}

TEST_CASE("a GEMM is a convolution of 1 x 1 in a table of its own or as a row one window wide") {
  const Folder folder;
  const std::vector<std::string> expected{"a: 64x16x64 512 k1 s1 g1", "b: 7x199x1 5 k1 s1 g1"};
  CHECK(texts_of(folder.table("Layer, M, N, K,\na,1024,512,64,\nb,199,5,7,\n")) == expected);
  const Topology rows = folder.table(kHeader + "a,1024,64,1,64,1,512,1\nb,199,7,1,7,1,5,1\n");
  CHECK(texts_of(rows) == expected);
  CHECK(rows.layers[0].remark == "GEMM, 1024 x 64 by 64 x 512");
  // The rows exceed 16 bits: 4186116 = 2046 x 2046; 1005871 = 67 x 15013.
  CHECK(texts_of(folder.table("L,M,N,K,Sparsity\na,4186116,2,3\nb,1005871,2,3,4:4\n")) ==
        std::vector<std::string>{"a: 3x63426x66 2 k1 s1 g1", "b: 3x15013x67 2 k1 s1 g1"});
}

TEST_CASE("a depthwise row is known by its name and has a group for each channel") {
  const Folder folder;
  const Topology topology = folder.table(kHeader + "DP2,112,112,3,3,32,2,1\n");
  CHECK(texts_of(topology) == std::vector<std::string>{"DP2: 32x112x112 64 k3 s1 g32"});
  CHECK(topology.layers[0].remark == "depthwise (DP)");
  CHECK(folder.network(topology.layers[0]).layers[0].groups() == 32);
}

TEST_CASE("names of rows stay in the folder and each is another") {
  const Folder folder;
  std::vector<std::string> files;
  for (const TopologyLayer& layer : folder
                                        .table("L,M,N,K\n../x,1,1,1\nx,1,1,1\nx_2,1,1,1\nx,1,1,1\n/etc/passwd,1,1,1\n"
                                               "input,1,1,1\n..,1,1,1\n\"q\",1,1,1\na b\xc3\xa9,1,1,1\n" +
                                               std::string(100, 'l') + ",1,1,1\n")
                                        .layers) {
    files.push_back(layer.file);
    CHECK(folder.network(layer).layers[0].name == layer.file);
  }
  CHECK(files == std::vector<std::string>{"x", "x_2", "x_2_2", "x_3", "etc_passwd", "layer", "layer_2", "q_", "a_b__",
                                          std::string(60, 'l')});
}

TEST_CASE("a row that no layer stands for says why") {
  const Folder folder;
  const std::string more = replaced(kHeader, "Strides,", "Strides, Stride Width, Sparsity, Batch Size");
  CHECK(folder.refused(kHeader + "a,700,161,20,5,1,32,2\n") == "a filter of 20 x 5; square ones are computed");
  CHECK(folder.refused(kHeader + "a,5,9,7,7,1,32,1\n") == "a filter of 7 x 7 over 5 x 9");
  CHECK(folder.refused(kHeader + "a,2000,2000,1025,1025,1,1,1\n") ==
        "a filter of 1025 x 1025, stride 1; allowed: 1024");
  CHECK(folder.refused(more + "a,9,9,3,3,1,1,1,2\n") == "strides of 1 and 2; equal ones are computed");
  CHECK(folder.refused(more + "a,9,9,3,3,1,1,1,1,2:4\n") == "2 of 4 weights; every weight is multiplied here");
  CHECK(folder.refused(more + "a,9,9,3,3,1,1,1,,,16\n") == "a batch of 16; a layer has one input");
  CHECK(folder.refused(kHeader + "DP,9,9,3,3,1048576,2,1\n") == "depthwise (DP), 2097152 filters; allowed: 1048576");
  for (const char* row :
       {"1048576,1048576,1,1,1,1,1", "1,1,1,1,1048576,1048576,1", "65536,65536,1,1,1,1,2", "1024,1024,1,1,1,4096,1"})
    CHECK(folder.refused(kHeader + "a," + row + "\n") == "a map or its weights of more than 2^31 values");
  CHECK(folder.refused("L,M,N,K\na,2147483647,1,1\n") ==
        "a GEMM of M 2147483647: it has no two factors of up to 1048576");
  CHECK(folder.refused(kHeader + "a,2,1048576,1,1048576,2,1,1\n") == "a GEMM of K 2097152; allowed: 1048576");
}

TEST_CASE("a row that is wrong loses only itself") {
  const Folder folder;
  CHECK(folder.refused("L,M,N,K\na,1,1\n") == "3 cells; expected 4: layer name, m, n, k");
  CHECK(folder.refused("L,M,N,K\na,1,1,1,1\n") == "5 cells; expected 4: layer name, m, n, k");
  CHECK(folder.refused("L,M,N,K\n,1,1,1\n") == "a layer without a name");
  CHECK(folder.refused("L,M,N,K\na,1,,1\n") == "n: expected an integer 1..1048576, found nothing");
  for (const char* bad :
       {"0", "-1", "+1", "1.5", "1e3", "0x10", "ten", "\"1\"", "1 1", "1048577", "99999999999999999999"})
    CHECK(folder.refused(fmt::format("L,M,N,K\na,1,{},1\n", bad)) ==
          fmt::format("n: expected an integer 1..1048576, found '{}'", bad));
  CHECK(folder.refused("L,M,N,K\na," + std::string(4000, '9') + ",1,1\n") ==
        "m: expected an integer 1..2147483647, found '" + std::string(40, '9') + "...'");
  CHECK(folder.refused("L,M,N,K,Sparsity\na,1,1,1,2\n") ==
        "sparsity M of N:M: expected an integer 1..1048576, found nothing");
  const Topology topology = folder.table("L,M,N,K,Sparsity\na,1,1,1,1:2\nb,1,1,1\nc,1,1,1,2:1\nb,x,1,1\nb,2,1,1\n");
  CHECK(texts_of(topology) == std::vector<std::string>{"b: 1x1x1 1 k1 s1 g1", "b_2: 1x1x2 1 k1 s1 g1"});
  REQUIRE(topology.refused.size() == 3);
  CHECK(topology.refused[0].line == 2);
  CHECK(topology.refused[1].reason == "sparsity: 2 weights of 1");
  CHECK(topology.refused[2].line == 5);
}

TEST_CASE("the largest row that is taken is a network") {
  const Folder folder;
  for (const char* row : {"1048576,2047,1,1,1,1,1", "1,1,1,1,1048576,2047,1", "1024,1024,1024,1024,2,1023,1024"}) {
    const Topology topology = folder.table(kHeader + "a," + row + "\n");
    REQUIRE(topology.layers.size() == 1);
    CHECK(folder.network(topology.layers[0]).layers.size() == 1);
  }
}

TEST_CASE("a file that is no table is refused with line and column and the nearest right word") {
  const Folder folder;
  const std::string header =
      "a header, separated by commas: 'layer name, ifmap height, ifmap width, filter height, "
      "filter width, channels, num filter, strides' or 'layer name, m, n, k'";
  CHECK(folder.wrong_table("") == " empty; expected " + header);
  CHECK(folder.wrong_table("\n\r\n,,,\n# x\n") == " empty; expected " + header);
  CHECK(folder.wrong_table(kHeader) == " no layers");
  CHECK(folder.wrong_table("Layer name\tIFMAP Height\n") == "1:1: 1 columns; expected " + header);
  CHECK(folder.wrong_table(replaced(kHeader, "Filter Height", "Filter Hight")) ==
        "1:40: column 4: found 'Filter Hight', expected 'filter height'");
  CHECK(folder.wrong_table("Conv1,224,224,11,11,3,96,4\n") ==
        "1:7: column 2: found '224', expected 'ifmap height' or 'm'");
  CHECK(folder.wrong_table("L,M,N,K,Sparcity\n") ==
        "1:9: column 5: found 'Sparcity', allowed: sparsity, batch size; did you mean 'sparsity'?");
  CHECK(folder.wrong_table("L,M,N,K,Stride Width\n") ==
        "1:9: column 5: found 'Stride Width', allowed: sparsity, batch size");
  CHECK(folder.wrong_table("L,M,N,K,Sparsity,Sparsity\n") == "1:18: column 6: found 'Sparsity', which stands twice");
  CHECK(folder.wrong_table("L,M,N,K\n" + std::string(1 << 20, 'x')) ==
        "2:1: a line of 1048576 characters; allowed: 4096");
  CHECK(folder.wrong_table(std::string(3 << 20, '\n')) == " has more than 2097152 bytes");
  std::string rows = "L,M,N,K\n";
  for (int i = 0; i <= 2000; ++i) rows += "a,1,1,1\n";
  CHECK(folder.wrong_table(rows) == "2002:1: more than 2000 layers");
}

TEST_CASE("an array becomes the tiled accelerator and every key says what of it") {
  const Folder folder;
  const ArrayFile array = folder.array(kArray);
  CHECK(array.name == "small");
  std::vector<std::string> keys;
  for (const ArraySetting& setting : array.settings) keys.push_back(setting.key);
  CHECK(keys == std::vector<std::string>{"run_name", "ArrayHeight", "ArrayWidth", "IfmapSramSzkB", "FilterSramSzkB",
                                         "OfmapSramSzkB", "IfmapOffset", "Dataflow", "Bandwidth", "MemoryBanks",
                                         "InterfaceBandwidth"});
  CHECK(setting(array, "ArrayHeight").became == "conv.tn 8");
  CHECK(setting(array, "ArrayWidth").became == "conv.tm 4, store.lanes 4");
  CHECK(setting(array, "IfmapSramSzkB").became == "conv.input_words 1024");
  CHECK(setting(array, "FilterSramSzkB").became == "weights.kib 4");
  CHECK(setting(array, "OfmapSramSzkB").became == "conv.output_words 1024, store.words 1024");
  CHECK(setting(array, "Bandwidth").became ==
        "load.input_bits 64, load.weight_bits 32, store.bits 64, port.data_bits 64");
  CHECK(setting(array, "IfmapOffset").became.empty());
  CHECK(setting(array, "IfmapOffset").why == "the compiler lays tensors out in memory");
  const std::string text = importer::configuration_text(array, "small", "zcu102.yaml");
  CHECK_THAT(text, Catch::Contains("name: \"small\"\n") && Catch::Contains("conv: {tm: 4, tn: 8, ") &&
                       Catch::Contains("device: \"zcu102.yaml\"\n") && !Catch::Contains("../") &&
                       !Catch::Contains("first:") && !Catch::Contains("fc:"));
}

TEST_CASE("what has no nearest value is nearest to a limit and what has no counterpart is named") {
  const Folder folder;
  const ArrayFile large =
      folder.array(replaced(replaced(kArray, "ArrayWidth: 4", "arraywidth = 1000"), "Bandwidth : 10",
                            "Bandwidth: 1048576, 4\nEnergyTable = x\nBandwith=3"));
  CHECK(setting(large, "arraywidth").became == "conv.tm 512, store.lanes 512");
  CHECK_THAT(setting(large, "arraywidth").why, Catch::EndsWith("; store.lanes is 1..512"));
  CHECK(setting(large, "Bandwidth").became ==
        "load.input_bits 512, load.weight_bits 512, store.bits 256, port.data_bits 512");
  CHECK(setting(large, "EnergyTable").why == "unknown here");
  CHECK(setting(large, "Bandwith").why == "unknown here; did you mean 'Bandwidth'?");
  const ArrayFile calc = folder.array(replaced(replaced(kArray, "USER", "CALC"), "ws", "os"));
  CHECK(setting(calc, "Bandwidth").why == "InterfaceBandwidth is CALC: not used");
  CHECK_THAT(setting(calc, "InterfaceBandwidth").became, Catch::StartsWith("load.input_bits 128"));
  CHECK(setting(calc, "Dataflow").became.empty());
  CHECK_THAT(setting(calc, "Dataflow").why, Catch::StartsWith("none to choose"));
}

TEST_CASE("a file that describes no array is refused with its line") {
  const Folder folder;
  const auto changed = [&](const std::string& from, const std::string& to) {
    return folder.wrong_array(replaced(kArray, from, to));
  };
  CHECK(folder.wrong_array("") == " key 'run_name' is missing");
  CHECK(folder.wrong_array("\xef\xbb\xbf[a]\r\n; x\r\n# y\r\n") == " key 'run_name' is missing");
  CHECK(folder.wrong_array("run_name = a\n") == "1:1: expected a [section], found 'run_name = a'");
  CHECK(changed("run_name = small", "run_name") == "2:1: expected KEY = VALUE, found 'run_name'");
  CHECK(changed("run_name = small", "run_name =") == "2:1: run_name: is empty");
  CHECK(changed("ArrayHeight", "ArrayHeigth") == "5:1: key 'ArrayHeigth' unknown; did you mean 'ArrayHeight'?");
  CHECK(changed("ArrayHeight: 8\n", "") == " key 'ArrayHeight' is missing");
  CHECK(changed("Bandwidth : 10\n", "") == " key 'Bandwidth' is missing");
  CHECK(changed("ArrayWidth: 4", "ArrayWidth: 4\narrayheight: 8") == "7:1: key 'arrayheight' already stands in line 5");
  CHECK(changed("Dataflow : ws", "Dataflow : WS") == "11:1: Dataflow 'WS' unknown; allowed: os, ws, is");
  CHECK(changed("USER", "CLAC") ==
        "16:1: InterfaceBandwidth 'CLAC' unknown; allowed: CALC, USER; did you mean 'CALC'?");
  for (const char* bad : {"0", "-8", "8.5", "eight", "8 # rows", "1048577"})
    CHECK(changed("ArrayHeight: 8", fmt::format("ArrayHeight: {}", bad)) ==
          fmt::format("5:1: ArrayHeight: expected an integer 1..1048576, found '{}'", bad));
  CHECK(changed("ArrayHeight: 8", "ArrayHeight:") == "5:1: ArrayHeight: expected an integer 1..1048576, found nothing");
  CHECK(changed("Bandwidth : 10", "Bandwidth : ,10") ==
        "12:1: Bandwidth: expected an integer 1..1048576, found nothing");
  CHECK(folder.wrong_array("[a]\n" + std::string(1000000, 'x')) == "2:1: a line of 1000000 characters; allowed: 4096");
}

TEST_CASE("mutants of tables and arrays are read or refused whatever they are") {
  const Folder folder;
  constexpr std::uint64_t kSeed = 31;
  INFO("seed " << kSeed);
  base::Random random(kSeed, "mutants");
  const std::string table = kHeader + "Conv1, 224, 224, 11, 11, 3, 96, 4,\nDP2,27,27,5,5,96,256,1,\ng,64,8,1,8,1,9,1\n";
  int refused = 0, networks = 0;
  for (int i = 0; i < 2000; ++i) {
    const bool array = i % 2 == 0;
    std::string text = array ? kArray : table;
    for (int changes = random.uniform(1, 2); changes > 0; --changes) {
      const auto at = static_cast<std::size_t>(random.uniform(0, static_cast<int>(text.size()) - 1));
      if (random.chance(50))
        text[at] = static_cast<char>(random.uniform(0, 255));
      else
        text.insert(at, text.substr(static_cast<std::size_t>(random.uniform(0, static_cast<int>(text.size()) - 1)), 9));
    }
    if (array) {
      refused += !folder.wrong_array(text).empty();
      continue;
    }
    const std::string wrong = folder.wrong_table(text);
    refused += !wrong.empty();
    if (!wrong.empty()) continue;
    for (const TopologyLayer& layer : folder.table(text).layers) {
      networks += static_cast<int>(folder.network(layer).layers.size());
      CHECK(layer.file.find('/') == std::string::npos);
    }
  }
  CHECK(refused > 500);
  CHECK(networks > 100);
}

}  // namespace fansim::scale_sim_test
