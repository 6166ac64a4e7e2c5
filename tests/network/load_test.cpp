// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "network/network.h"
#include "support/user_error.h"

namespace fansim::load_test {

using network::Network;

namespace {

const std::string kHead = "version: 1\nname: n\ninput: {shape: [4, 8, 8]}\nlayers:\n";
const std::string kSequence = "version: 1\nname: n\ninput: {steps: 5, features: 6}\nlayers:\n";

struct Scratch : test::ScratchDirectory {
  std::string path = *this / "n.yaml";

  Network load(const std::string& text, network::LoadOptions options = {}) const {
    base::write_file(path, text);
    return network::load_network(path, options);
  }
  // Returns the message without the path of the network's file, "line:column: ...".
  std::string message(const std::string& text, const network::LoadOptions& options = {}) const {
    std::string message = test::message_of([&] { load(text, options); });
    if (message.compare(0, path.size() + 1, path + ":") == 0) message.erase(0, path.size() + 1);
    for (std::size_t at; (at = message.find(this->ScratchDirectory::path() + "/")) != std::string::npos;) {
      message.erase(at, this->ScratchDirectory::path().size() + 1);
    }
    return message;
  }
  std::string layers(const std::string& text) const { return message(kHead + text); }
};

}  // namespace

TEST_CASE("unknown layer types and keys name the line and the nearest word") {
  const Scratch scratch;
  CHECK(scratch.layers("- {name: a, type: cnov}\n") == "5:19: a: type 'cnov' unknown; did you mean 'conv'?");
  CHECK(scratch.layers("- {name: a, type: sotfmax}\n") == "5:19: a: type 'sotfmax' unknown; did you mean 'softmax'?");
  CHECK(scratch.layers("- {name: a, type: conv, filters: 4, kernel: 3, activation: rleu}\n") ==
        "5:60: a: activation 'rleu' unknown; did you mean 'relu'?");
  CHECK(scratch.layers("- {name: a, type: conv, filters: 4, kernel: 3, dilation: 2}\n") ==
        "5:48: a: key 'dilation' unknown");
  CHECK(scratch.layers("- {name: a, type: conv, filters: 4, kernal: 3}\n") == "5:3: a: key 'kernel' is missing");
  CHECK(scratch.layers("- {name: a, type: fc, units: 4, quant: {scale: 1, shfit: 2}}\n") ==
        "5:40: a: quant: key 'shift' is missing");
  CHECK(scratch.layers("- {name: a, type: fc, units: 4, quant: {zero: 2}}\n").find("a: quant: key 'zero' unknown") !=
        std::string::npos);
}

TEST_CASE("only an lstm's hidden state has a scale of its own") {
  const Scratch scratch;
  const std::string head = "version: 1\nname: n\ninput: {steps: 2, features: 3}\nlayers:\n";
  CHECK(scratch.message(head + "- {name: a, type: lstm, hidden: 4, hidden_quant: {scale: 3, shift: 1}}\n") == "");
  CHECK(scratch.message(head + "- {name: a, type: gru, hidden: 4, hidden_quant: {scale: 3, shift: 1}}\n") ==
        "5:49: a: hidden_quant: only an lstm's hidden state has a scale of its own, gru has none");
  CHECK(scratch.message(head + "- {name: a, type: lstm, hidden: 4, hidden_quant: {scale: 0, shift: 1}}\n") ==
        "5:58: a: hidden_quant: scale 0 is out of range; allowed: an integer 1..32767");
  CHECK(scratch.message(head + "- {name: a, type: lstm, hidden: 4, hidden_quant: {scale: 1}}\n")
            .find("key 'shift' is missing") != std::string::npos);
}

TEST_CASE("the top of a network is checked") {
  const Scratch scratch;
  CHECK(scratch.message("version: 2\nname: n\n") == "1:10: version 2 is out of range; allowed: an integer 1..1");
  CHECK(scratch.message("name: n\n") == "1:1: key 'version' is missing");
  CHECK(scratch.message("version: 1\nname: n\ninput: {shape: [1, 2]}\nlayers: []\n") ==
        "3:16: input: shape: expected [C, H, W], found 2 integers");
  CHECK(scratch.message("version: 1\nname: n\ninput: {shape: [1, 2, 2], type: int4}\nlayers: []\n") ==
        "3:33: input: type 'int4' unknown; did you mean 'int8'?");
  CHECK(scratch.message("version: 1\nname: n\ninput: {shape: [1, 2, 2]}\nlayers: []\n") ==
        "4:9: layers: expected a list of layers, found an empty one");
  CHECK(scratch.message("version: 1\nname: n\ninput: {shape: [1, 2, 2]}\nlayer: []\n") ==
        "1:1: key 'layers' is missing");
  CHECK(scratch.message("version: 1\nname: n\ninput: {shape: [1048576, 1048576, 2]}\nlayers: []\n") ==
        "3:16: input: more than 2^31 values");
  CHECK(scratch.message("version: 1\nname: n\ninput: {steps: 65536, features: 65536}\nlayers: []\n") ==
        "3:8: input: more than 2^31 values");
  CHECK(scratch.layers("- {name: a, name: b, type: relu}\n") == "5:13: key 'name' given twice");
  CHECK(test::message_of([] { network::load_network("no.yaml"); }) ==
        "no.yaml: cannot read: No such file or directory");
}

TEST_CASE("names are unique and fit for files and refer to earlier layers") {
  const Scratch scratch;
  CHECK(scratch.layers("- {name: a, type: relu}\n- {name: a, type: relu}\n") ==
        "6:10: layer name 'a' already used in line 5");
  const std::string bad = "must consist of letters, digits, '_', '-' and '.', and not be 'input'";
  CHECK(scratch.layers("- {name: a/b, type: relu}\n") == "5:10: name 'a/b' " + bad);
  CHECK(scratch.layers("- {name: .., type: relu}\n") == "5:10: name '..' " + bad);
  CHECK(scratch.layers("- {name: input, type: relu}\n") == "5:10: name 'input' " + bad);
  CHECK(scratch.layers("- {name: conv1, type: relu}\n- {name: b, type: relu, input_from: covn1}\n") ==
        "6:37: b: input_from 'covn1' names no earlier layer; did you mean 'conv1'?");
  CHECK(scratch.layers("- {name: a, type: add, with: a}\n") == "5:30: a: with 'a' names no earlier layer");
  CHECK(scratch.load(kHead + "- {name: a, type: add, with: input}\n").layers[0].with == network::Layer::kInput);
}

TEST_CASE("layers that cannot take their input say why") {
  const Scratch scratch;
  CHECK(scratch.layers("- {name: a, type: conv, filters: 4, kernel: 11, padding: 1}\n") ==
        "5:45: a: kernel 11 is larger than its padded input, 10 x 10");
  CHECK(scratch.layers("- {name: a, type: conv, filters: 4, kernel: 3, groups: 3}\n") ==
        "5:56: a: 4 input channels are not divisible by groups 3");
  CHECK(scratch.layers("- {name: a, type: conv, filters: 6, kernel: 3, groups: 4}\n") ==
        "5:56: a: 6 filters are not divisible by groups 4");
  CHECK(scratch.layers("- {name: a, type: conv, filters: 6, kernel: 3, padding: [1, 2]}\n") ==
        "5:57: a: padding: expected one integer or [top, left, bottom, right]");
  CHECK(scratch.layers("- {name: a, type: lstm, hidden: 4}\n") ==
        "5:19: a: lstm needs a sequence, but 'input' is a feature map (4, 8, 8)");
  CHECK(scratch.message(kSequence + "- {name: a, type: conv, filters: 1, kernel: 1}\n") ==
        "5:19: a: conv needs a feature map, but 'input' is a sequence (5, 6)");
  CHECK(scratch.message(kSequence + "- {name: a, type: gru, hidden: 4, steps: 6}\n") ==
        "5:42: a: steps 6 but its input has 5");
  CHECK(scratch.layers("- {name: a, type: maxpool, kernel: 2}\n- {name: b, type: add, with: input}\n") ==
        "6:30: b: add of different shapes: a (4, 4, 4) and input (4, 8, 8)");
  CHECK(scratch.layers("- {name: a, type: conv, filters: 4, kernel: 1, quant: {zero_point: 3}}\n"
                       "- {name: b, type: add, with: input}\n") ==
        "6:30: b: add of different number formats: a and input; 'quant' gives them 'weights'");
  CHECK(scratch.layers("- {name: b, type: add, with: input, quant: {scale: 1, shift: 0}}\n") ==
        "5:44: b: quant: key 'weights' is missing");
  CHECK(scratch.layers("- {name: b, type: add, with: input, quant: {weights: [1, 2, 3]}}\n") ==
        "5:54: b: quant: weights: expected one of each operand, found 3");
  CHECK(scratch.layers("- {name: b, type: add, with: input, quant: {weights: [0, 2]}}\n") ==
        "5:55: b: quant: weights 0 is out of range; allowed: an integer 1..32767");
  CHECK(scratch.layers("- {name: a, type: conv, filters: 1048576, kernel: 1024, padding: 1024}\n") ==
        "5:19: a: output (1048576, 1033, 1033) or its weights hold more than 2^31 values");
  // There are 2^64 weights, which 64 bits would count as none.
  CHECK(scratch.message("version: 1\nname: n\ninput: {shape: [16, 1024, 1024]}\nlayers:\n- {name: f, type: flatten}\n"
                        "- {name: a, type: conv, filters: 1048576, kernel: 1024, padding: 512}\n") ==
        "6:19: a: output (1048576, 2, 2) or its weights hold more than 2^31 values");
}

TEST_CASE("every window of a pooling meets its map") {
  const Scratch scratch;
  CHECK(scratch.layers("- {name: a, type: maxpool, kernel: 2, padding: 2}\n") ==
        "5:48: a: padding 2 is out of range for a pooling of kernel 2; allowed: an integer 0..1");
  CHECK(scratch.layers("- {name: a, type: avgpool, kernel: 3, padding: [0, 0, 0, 3]}\n") ==
        "5:48: a: padding 3 is out of range for a pooling of kernel 3; allowed: an integer 0..2");
  CHECK(scratch.load(kHead + "- {name: a, type: maxpool, kernel: 3, stride: 1, padding: 2}\n").layers[0].out ==
        network::Shape::map(4, 10, 10));
  CHECK(scratch.load(kHead + "- {name: a, type: conv, filters: 1, kernel: 1, padding: 3}\n").layers[0].out ==
        network::Shape::map(1, 14, 14));
}

TEST_CASE("requantisation is checked") {
  const Scratch scratch;
  const auto quant = [&](const std::string& text) {
    return scratch.layers("- {name: a, type: fc, units: 2, quant: {" + text + "}}\n");
  };
  CHECK(quant("scale: [1, 2], shift: 3, zero_point: -128").empty());
  CHECK(quant("scale: 0, shift: 3") == "5:48: a: quant: scale 0 is out of range; allowed: an integer 1..32767");
  CHECK(quant("scale: 32768, shift: 3") == "5:48: a: quant: scale 32768 is out of range; allowed: an integer 1..32767");
  CHECK(quant("scale: 1, shift: 32") == "5:58: a: quant: shift 32 is out of range; allowed: an integer 0..31");
  CHECK(quant("scale: [1, 2, 3], shift: 0") == "5:48: a: quant: scale: expected one integer or 2, found 3");
  CHECK(quant("zero_point: 128") == "5:53: a: quant: zero_point 128 is out of range; allowed: an integer -128..127");
  CHECK(quant("type: uint8, zero_point: -1") ==
        "5:66: a: quant: zero_point -1 is out of range; allowed: an integer 0..255");
  CHECK(scratch.message(kSequence + "- {name: a, type: lstm, hidden: 4, quant: {scale: [1], shift: 2}}\n") ==
        "5:51: a: quant: scale: a recurrent layer takes one integer, found a list");
}

TEST_CASE("a list of equal scales is one scale") {
  const Scratch scratch;
  const auto scales = [&](const std::string& quant) {
    return scratch.load(kHead + "- {name: a, type: fc, units: 2, quant: {" + quant + "}}\n").layers[0].scales();
  };
  CHECK(scales("scale: [3, 3], shift: 4").scale == std::vector<int>{3});
  CHECK(scales("scale: [3, 3], shift: [4, 5]").scale == std::vector<int>{3, 3});
}

TEST_CASE("tensors come from .npy files beside the network") {
  const Scratch scratch;
  const std::string text =
      kHead + "- {name: a, type: fc, units: 2, weights: w.npy, bias: b.npy, quant: {scale: 1, shift: 4}}\n";
  CHECK(scratch.message(text) == "5:42: a: w.npy: cannot read: No such file or directory");
  base::write_npy<std::int8_t>(scratch / "w.npy", {2, 255}, std::vector<std::int8_t>(510));
  CHECK(scratch.message(text) == "5:42: a: w.npy: expected shape (2, 256), found (2, 255)");
  base::write_npy<std::int32_t>(scratch / "w.npy", {2, 256}, std::vector<std::int32_t>(512));
  CHECK(scratch.message(text) == "5:42: a: w.npy: expected int8, found int32");
  base::write_npy<std::int8_t>(scratch / "w.npy", {2, 256}, std::vector<std::int8_t>(512, 3));
  base::write_npy<std::int32_t>(scratch / "b.npy", {2}, {7, -8});
  const Network first = scratch.load(text);
  CHECK(first.layers[0].parameters().weights == std::vector<std::int8_t>(512, 3));
  CHECK(first.layers[0].parameters().bias == std::vector<std::int64_t>{7, -8});
  base::write_npy<std::int32_t>(scratch / "b.npy", {2}, {7, -9});
  CHECK(scratch.load(text).hash != first.hash);
}

TEST_CASE("the input may come from a file") {
  const Scratch scratch;
  const std::string text =
      "version: 1\nname: n\ninput: {shape: [1, 1, 2], type: uint8}\nlayers: [{name: a, type: relu}]\n";
  network::LoadOptions options;
  options.input = scratch / "in.npy";
  base::write_npy<std::uint8_t>(options.input, {1, 1, 2}, {7, 200});
  CHECK(scratch.load(text, options).input.at(1) == 200);
  base::write_npy<std::uint8_t>(options.input, {1, 2, 1}, {7, 200});
  CHECK(scratch.message(text, options) == "in.npy: expected shape (1, 1, 2), found (1, 2, 1)");
}

TEST_CASE("random tensors depend on the seed and the layer's name and shape alone") {
  const Scratch scratch;
  const std::string conv = "- {name: c, type: conv, filters: 4, kernel: 3}\n";
  network::LoadOptions other;
  other.seed = 2;
  const Network alone = scratch.load(kHead + conv);
  const Network after = scratch.load(kHead + "- {name: b, type: conv, filters: 9, kernel: 3, input_from: input}\n" +
                                     "- {name: c, type: conv, filters: 4, kernel: 3, input_from: input}\n");
  CHECK(after.layers[1].parameters().weights == alone.layers[0].parameters().weights);
  CHECK(after.layers[1].parameters().bias == alone.layers[0].parameters().bias);
  CHECK(scratch.load(kHead + conv).layers[0].parameters().weights == alone.layers[0].parameters().weights);
  CHECK(scratch.load(kHead + conv, other).layers[0].parameters().weights != alone.layers[0].parameters().weights);
  CHECK(scratch.load(kHead + conv, other).input.bytes != alone.input.bytes);
  CHECK(scratch.load(kHead + conv, other).hash == alone.hash);
}

TEST_CASE("weights are drawn for the layers that are wanted and are the same as for all") {
  const Scratch scratch;
  const std::string text = kHead +
                           "- {name: a, type: conv, filters: 4, kernel: 3}\n"
                           "- {name: b, type: conv, filters: 4, kernel: 3}\n";
  const Network all = scratch.load(text);
  network::LoadOptions options;
  options.wanted = [](const Network& network) {
    CHECK(network.layers.size() == 2);
    return std::vector<bool>{false, true};
  };
  const Network some = scratch.load(text, options);
  CHECK(some.layers[0].parameters().weights.empty());
  CHECK(some.layers[0].parameters().bias.empty());
  CHECK(some.layers[1].parameters().weights == all.layers[1].parameters().weights);
  CHECK(some.layers[1].parameters().bias == all.layers[1].parameters().bias);
  CHECK(some.layers[0].scales().scale == all.layers[0].scales().scale);
}

}  // namespace fansim::load_test
