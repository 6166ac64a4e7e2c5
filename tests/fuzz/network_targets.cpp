// SPDX-License-Identifier: Apache-2.0
// These targets are networks of codes, networks of floats, and pipelines. Each is read, compiled, and run if possible.
#include <algorithm>
#include <string>

#include "base/file.h"
#include "fuzz/target.h"
#include "fuzz/workshop.h"

namespace fansim::test {
namespace {

constexpr std::size_t kSmall = 2000;  // bytes of a network that runs in a moment

std::vector<std::string> small_networks() {
  std::vector<std::string> seeds;
  for (const std::string& file : files_in_source("models", ".yaml"))
    if (const std::string text = without_comments(base::read_file(file));
        file.find("/tiny_") != std::string::npos || file.find("/hand_") != std::string::npos)
      if (text.size() < kSmall) seeds.push_back(text);
  return seeds;
}

// Pictures of these are small, so that a run takes a moment.
std::vector<std::string> small_pipelines() {
  std::vector<std::string> seeds{base::read_file("models/mutant/view.yaml")};
  for (std::string text : text_seeds("models/pipelines", ".yaml")) {
    for (const auto& [large, small] : {std::pair{"1920", "40"},
                                       {"1080", "10"},
                                       {"640", "24"},
                                       {"480", "12"},
                                       {"256", "16"},
                                       {"640", "24"},
                                       {"480", "12"}})
      text = replaced(text, large, small);
    seeds.push_back(text);
  }
  return seeds;
}

const std::vector<std::string> kLayerWords{
    "conv",    "fc",        "maxpool", "avgpool",  "lstm",   "gru",        "add",    "relu",       "flatten",
    "softmax", "sigmoid",   "tanh",    "concat",   "resize", "leaky_relu", "lrn",    "hard_swish", "quant",
    "scale",   "shift",     "groups",  "dilation", "with",   "input_from", "alpha",  "ceil_mode",  "zero_point",
    "step",    "input",     "int8",    "uint8",    "int16",  "float32",    "steps",  "features",   "hidden_quant",
    "weights", "bias",      "padding", "stride",   "kernel", "filters",    "hidden", "factor",     "weights: x.npy",
    "slice",   "transpose", "pad",     "reorg",    "shuffle"};

Target network(const std::string& name, const std::vector<std::string>& command) {
  Target target;
  target.name = "network_" + name;
  target.file = "models/mutant/m.yaml";
  target.seeds = small_networks();
  target.words = kLayerWords;
  target.command = command;
  target.codes = {0, 2, 3};
  target.mib = 1024;
  return target;
}

}  // namespace

void add_networks(std::vector<Target>& targets) {
  targets.push_back(network("stream", {"run", "tiny_stream", "@", "--verify"}));
  targets.push_back(network("tiled", {"run", "faq_zcu102_dorefa8_dsp", "@", "--verify"}));
  targets.push_back(network("decoupled", {"run", "tiny_decoupled", "@", "--verify"}));
  targets.push_back(network("timing", {"run", "zcu102_stream", "@", "--timing-only", "--mapping"}));

  Target training = network("trainer", {"train", "float_trainer", "@", "--data", "digits", "--images", "2"});
  training.seeds = {base::read_file("models/mutant/digits.yaml")};
  training.codes = {0, 1, 2, 3};
  targets.push_back(training);

  Target pipeline = network("pipeline", {"run", "vision_zcu102", "@", "--verify"});
  pipeline.file = "models/pipelines/mutant/m.yaml";
  pipeline.seeds = small_pipelines();
  pipeline.words = {"box3x3",
                    "gaussian3x3",
                    "sobel3x3",
                    "dilate3x3",
                    "erode3x3",
                    "median3x3",
                    "median5x5",
                    "absdiff",
                    "accumulate",
                    "accumulate_square",
                    "add",
                    "subtract",
                    "multiply",
                    "minimum",
                    "maximum",
                    "bitwise_not",
                    "bitwise_and",
                    "threshold",
                    "magnitude",
                    "phase",
                    "half_scale",
                    "channel_extract",
                    "channel_combine",
                    "color_convert",
                    "accumulate_weighted",
                    "border",
                    "valid",
                    "constant",
                    "replicate",
                    "overflow",
                    "saturate",
                    "wrap",
                    "shift",
                    "int16",
                    "channels"};
  targets.push_back(pipeline);

  Target floats = network("floats", {"quantise", "@", "--calibrate", "x.npy", "-o", "out"});
  floats.file = "models/mutant/small/m.yaml";
  floats.seeds = {base::read_file("models/mutant/small/network.yaml")};
  floats.words.insert(floats.words.end(), {"slope", "float32"});
  targets.push_back(floats);

  Target codes = network("codes", {"quality", "@", "--input", "x.npy"});
  codes.file = "models/mutant/codes/linear/m.yaml";
  codes.seeds = {base::read_file("models/mutant/codes/linear/network.yaml")};
  targets.push_back(codes);
}

}  // namespace fansim::test
