// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "importer/convert.h"

// The two input files of SCALE-Sim, versions 2 and 3.
namespace fansim::importer {

// A topology: each row a layer by itself, its sizes with padding already in them.
struct TopologyLayer {
  std::string name;     // serves as a file's name, of one row alone
  std::string network;  // text of a network file
};
struct Topology {
  std::vector<TopologyLayer> layers;
  std::vector<Refusal> refused;  // rows that no layer stands for, with their line
};
// UserError at a line that is none: another head, cells missing, numbers that are no sizes.
Topology read_topology(const std::string& path);

// An array: what each of its keys is here.
struct ArrayKey {
  std::string key, value;
  std::string setting;  // "conv.tn=32"; empty: none
  std::string why;      // or what was made of it
};
struct ArrayFile {
  std::string name;
  std::vector<ArrayKey> keys;  // all of the file's
};
ArrayFile read_array(const std::string& path);

}  // namespace fansim::importer
