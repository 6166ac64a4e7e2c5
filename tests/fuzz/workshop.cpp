// SPDX-License-Identifier: Apache-2.0
#include "fuzz/workshop.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "base/file.h"
#include "base/npy.h"
#include "fuzz/call.h"
#include "fuzz/supervised.h"
#include "importer/crowded_models.h"

namespace fansim::test {
namespace {

namespace fs = std::filesystem;

const std::string kSource = FANSIM_SOURCE_DIR;

// Copies a folder of the source tree and adds a folder for mutants. They are copies because a mutant may name any file
// as an output.
void furnish(const std::string& folder) {
  fs::copy(kSource + "/" + folder, folder, fs::copy_options::recursive);
  fs::create_directories(folder + "/mutant");
}

void must(const std::vector<std::string>& words) {
  if (call(words) != 0) throw std::logic_error("workshop: cannot " + words[0]);
}

std::string idx(const std::vector<int>& extents, std::size_t bytes) {
  std::string file{'\0', '\0', '\x08', static_cast<char>(extents.size())};
  for (const int extent : extents) file += {'\0', '\0', static_cast<char>(extent >> 8), static_cast<char>(extent)};
  for (std::size_t i = 0; i < bytes; ++i) file += static_cast<char>(extents.size() == 1 ? i % 10 : 7 * i);
  return file;
}

// Makes images of 6 x 6 pixels to train on, a network that learns them, and a machine for such images.
void make_training() {
  fs::create_directories("digits");
  fs::create_directories("digits_npy");
  for (const auto& [set, count] : {std::pair{"train", 3}, {"t10k", 2}}) {
    base::write_file(fmt::format("digits/{}-images-idx3-ubyte", set),
                     idx({count, 6, 6}, static_cast<std::size_t>(count) * 36));
    base::write_file(fmt::format("digits/{}-labels-idx1-ubyte", set), idx({count}, static_cast<std::size_t>(count)));
  }
  const std::vector<std::uint8_t> pictures(3 * 36, 90), labels{1, 2, 3};
  for (const std::string set : {"train", "test"}) {
    base::write_npy("digits_npy/" + set + "_images.npy", {3, 6, 6}, pictures);
    base::write_npy("digits_npy/" + set + "_labels.npy", {3}, labels);
  }
  base::write_file(
      "models/mutant/digits.yaml",
      "version: 1\nname: d\ninput: {shape: [1, 6, 6], type: uint8}\nlayers:\n"
      "  - {name: conv, type: conv, filters: 2, kernel: 3, stride: 2, padding: [0, 0, 1, 1], "
      "activation: relu}\n  - {name: pool, type: maxpool, kernel: 2}\n  - {name: fc1, type: fc, units: 10}\n"
      "  - {name: fc2, type: fc, units: 10}\n  - {name: softmax, type: softmax}\n");
  must({"train", "float_trainer", "models/mutant/digits.yaml", "--data", "digits", "--images", "2", "--checkpoint",
        "w.ckpt"});
}

// Makes every kind of layer that a model's importer makes, as networks of floats and of codes.
void make_networks() {
  fs::create_directories("onnx");
  base::write_file("onnx/small.onnx", SmallModel().bytes());
  base::write_file("onnx/crowded.onnx", crowded_model());
  base::write_file("onnx/codes.onnx", crowded_codes());
  base::write_file("onnx/recurrent.onnx", recurrent_model());
  must({"import", "onnx/small.onnx", "-o", "models/mutant/small"});
  const std::vector<float> input(144, 0.5F);
  base::write_npy("x.npy", {1, 12, 12}, input);
  must({"quantise", "models/mutant/small/network.yaml", "--calibrate", "x.npy", "-o", "models/mutant/codes"});
  must({"import", "onnx/recurrent.onnx", "-o", "models/mutant/recurrent"});
}

// Makes a network with one convolution, one pooling and one fully connected layer, with an input, many inputs, and
// labels.
void make_small() {
  base::write_file("models/mutant/tiny.yaml",
                   "version: 1\nname: tiny\ninput: {shape: [3, 7, 6], type: int8}\nlayers:\n"
                   "  - {name: c, type: conv, filters: 5, kernel: 3, padding: 1, activation: relu}\n"
                   "  - {name: p, type: maxpool, kernel: 2, stride: 2}\n  - {name: f, type: fc, units: 4}\n");
  base::write_file("models/mutant/view.yaml",
                   "version: 1\nname: view\ninput: {width: 20, height: 8, channels: 1}\nstages:\n"
                   "  - {name: median, function: median3x3}\n"
                   "  - {name: edges, function: convolution, coefficients: [[0, -1, 0], [-1, 4, -1], [0, -1, 0]], "
                   "scale: 1}\n");
  base::write_npy("one.npy", {3, 7, 6}, std::vector<std::int8_t>(126, 3));
  base::write_npy("many.npy", {2, 3, 7, 6}, std::vector<std::int8_t>(252, 3));
  base::write_npy("labels.npy", {2}, std::vector<std::int32_t>{1, 3});
  must({"run", "tiny_stream", "models/mutant/tiny.yaml", "--json", "report.json", "--mapping"});
  must({"run", "vision_zcu102", "models/mutant/view.yaml", "--out", "view.png", "--json", "view.json"});
  must({"run", "vision_zcu102", "models/mutant/view.yaml", "--out", "view.pgm"});
}

}  // namespace

Workshop::Workshop() : before_(fs::current_path()) {
  fs::current_path(folder_.path());
  furnish("configs");
  furnish("models");
  fs::create_directories("models/pipelines/mutant");
  // This runs in a child, so that its output is discarded, and what it reads is not cached here.
  const auto make = [] {
    make_small();
    make_training();
    make_networks();
    ::_exit(0);
  };
  if (const End end = wait_for_end(start("errors.txt", make), 60, [] { return Work{}; }); end.status != 0)
    throw std::logic_error("workshop: " + end.text() + "\n" + base::read_file("errors.txt"));
}

Workshop::~Workshop() { fs::current_path(before_); }

std::vector<std::string> files_in_source(const std::string& folder, const std::string& ending) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(kSource + "/" + folder))
    if (entry.path().extension() == ending) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string left;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t hash = std::min(line.find('#'), line.size());
    const std::size_t last = line.find_last_not_of(' ', hash == 0 ? 0 : hash - 1);
    line.resize(hash == 0 || last == std::string::npos ? 0 : last + 1);
    if (!line.empty()) left += line + "\n";
  }
  return left;
}

std::vector<std::string> text_seeds(const std::string& folder, const std::string& ending) {
  std::vector<std::string> seeds;
  for (const std::string& file : files_in_source(folder, ending))
    seeds.push_back(without_comments(base::read_file(file)));
  return seeds;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

}  // namespace fansim::test
