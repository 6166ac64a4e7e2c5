// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "importer/convert.h"
#include "network/float/float_network.h"
#include "network/network.h"

namespace fansim::cli {

// Lists the parts of a file that have no layer, with the reasons. `what` names such a part.
std::string refusals(const std::string& path, const char* what, const std::vector<importer::Refusal>& refused);

bool is_onnx(const std::string& path);

// Parse "N,C,H,W" and "A,B"; an empty text gives an empty list.
importer::Dims parse_shape(const std::string& command, const std::string& text);
std::vector<std::string> parse_names(const std::string& text);

// Writes the model as a network of floats, FOLDER/network.yaml, and returns in `said` what to tell the user. Returns
// false if a node has no layer: then the list of such nodes is printed and nothing is written.
struct ModelFile {
  std::string path;
  importer::Dims shape;              // of the input, where the file leaves it open
  std::vector<std::string> outputs;  // the wanted outputs; empty: the file's own
};
bool import_floats(const ModelFile& file, const std::string& folder, std::string& said);

// Says why an imported network gets no codes without calibration; empty: it has them all.
std::string why_no_codes(const network::FloatNetwork& network);

// Holds a network of codes made from an ONNX model, for the lifetime of the object. The codes are those that an
// accelerator computes. The ranges come from calibration data or, without it, from inputs drawn at random.
class ImportedNetwork {
 public:
  struct Wanted {
    ModelFile model;
    std::string calibration;  // .npy in float32; empty: none
    std::uint64_t seed = 1;
  };
  ImportedNetwork(const Wanted& wanted, const network::Coding& coding);

  bool whole() const { return whole_; }  // false: it was refused, and the user was told why
  std::string path() const;

 private:
  base::TemporaryFolder folder_;
  const std::string method_;
  bool whole_ = false;
};

}  // namespace fansim::cli
