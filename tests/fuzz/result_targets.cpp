// SPDX-License-Identifier: Apache-2.0
// These targets are results that are read again, reports of synthesis and of runs, and also command lines themselves.
#include "base/file.h"
#include "fuzz/target.h"
#include "fuzz/workshop.h"

namespace fansim::test {
namespace {

std::string report(const std::string& name) {
  return base::read_file(std::string(FANSIM_SOURCE_DIR) + "/tests/cli/reports/" + name);
}

Target text(const std::string& name, const std::string& file, const std::vector<std::string>& seeds,
            const std::vector<std::string>& command) {
  Target target;
  target.name = name;
  target.file = file;
  target.seeds = seeds;
  target.command = command;
  return target;
}

}  // namespace

void add_results(std::vector<Target>& targets) {
  targets.push_back(text("report_vivado", "m.rpt", {report("flat.rpt"), report("hierarchical.rpt")},
                         {"calibrate", "@", "-o", "device.yaml"}));
  targets.push_back(
      text("report_yosys", "m.json",
           {report("hierarchy.json"), base::read_file(std::string(FANSIM_SOURCE_DIR) + "/tests/synthesis/stat.json")},
           {"calibrate", "@"}));
  targets.push_back(text("report_run", "m.json", {base::read_file("report.json"), base::read_file("view.json")},
                         {"compare", "report.json", "@", "--html", "compared.html", "--json", "compared.json"}));
  targets.push_back(text("vary", "vary.txt",
                         {"host.dma_setup=0,500\n", "axi.data_bits=64,128\nclock_mhz=100,1000/3\n",
                          "array.multiplier=lut,dsp48e2\n", "device=zcu102,kv260\n", "ddr.refresh_cycles=1,2\n"},
                         {"sweep", "tiny_stream", "models/mutant/tiny.yaml", "--html", "sweep.html", "@lines --vary"}));
  Target words =
      text("arguments", "arguments.txt",
           {"run\ntiny_stream\nmodels/mutant/tiny.yaml\n--layers\nc..p\n--frames\n2\n--verify\n",
            "run\ntiny_stream\nmodels/mutant/tiny.yaml\n--timing-only\n--seed\n7\n--mapping\n",
            "run\ntiny_stream\nmodels/mutant/tiny.yaml\n--inputs\nmany.npy\n--labels\nlabels.npy\n--jobs\n2\n",
            "run\ntiny_stream\nonnx/small.onnx\n--shape\n1,1,12,12\n--outputs\ny\n--calibrate\nx.npy\n",
            "run\nvision_zcu102\nmodels/mutant/view.yaml\n--out\nout.png\n--dump\nout\n--csv\nout.csv\n",
            "quantise\nmodels/mutant/small/network.yaml\n--calibrate\nx.npy\n-o\nout\n--method\ndorefa,linear\n"
            "--ranges\nkl\n--weight-bits\n4\n--activation-bits\n7\n--per-channel\n--correct-bias\n--symmetric\n",
            "import\nonnx/small.onnx\n-o\nout\n--shape\n1,1,12,12\n--outputs\ny\n--inputs\nx.npy\n--out\ny.npy\n",
            "train\nfloat_trainer\nmodels/mutant/digits.yaml\n--data\ndigits\n--epochs\n2\n--seed\n3\n--verify\n",
            "describe\naxi.outstanding\n", "describe\ntiny_stream\n--set\naxi.outstanding=4\n",
            "describe\nspace\ntiny_stream\n", "list\nprimitives\n", "estimate\ntiny_stream\n--json\nout.json\n",
            "sweep\ntiny_stream\nmodels/mutant/tiny.yaml\n--vary\naxi.data_bits=64\n--shard\n1/1\n",
            "drive\nDSP48E2\nseed_DSP48E2.csv\n--bits\n--guide\n--set\nAREG=1\n"},
           {"@lines"});
  targets.push_back(words);
}

}  // namespace fansim::test
