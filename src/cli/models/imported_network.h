// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "importer/convert.h"
#include "network/network.h"

namespace fansim::cli {

// What of a file has no layer, `what` it is made of, and why not.
std::string refusals(const std::string& path, const char* what, const std::vector<importer::Refusal>& refused);

bool is_onnx(const std::string& path);

// "N,C,H,W", and "A,B"; empty: none.
importer::Dims parse_shape(const std::string& command, const std::string& text);
std::vector<std::string> parse_names(const std::string& text);

// The model as a network of floats, FOLDER/network.yaml, and what is to be said of that. False if some node has no
// layer: the list is printed, and nothing is written.
struct ModelFile {
  std::string path;
  importer::Dims shape;              // of the input, where the file leaves it open
  std::vector<std::string> outputs;  // that are wanted; empty: the file's
};
bool import_floats(const ModelFile& file, const std::string& folder, std::string& said);

// A network of codes made of an ONNX model, for as long as this lives: in the codes that an accelerator computes, the
// ranges from calibration data, or from inputs drawn at random where there are none.
class ImportedNetwork {
 public:
  struct Wanted {
    ModelFile model;
    std::string calibration;  // .npy in float32; empty: none
    std::uint64_t seed = 1;
  };
  ImportedNetwork(const Wanted& wanted, const network::Coding& coding);

  bool whole() const { return whole_; }  // false: refused, and said so
  std::string path() const;

 private:
  base::TemporaryFolder folder_;
  const std::string method_;
  bool whole_ = false;
};

}  // namespace fansim::cli
