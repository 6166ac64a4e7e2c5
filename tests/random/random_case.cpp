// SPDX-License-Identifier: Apache-2.0
#include "random/random_case.h"

namespace fansim::test {

std::string Case::body() const {
  std::string text = "input: " + input + "\nlayers:\n";
  for (const std::string& layer : layers) text += layer;
  return text;
}

std::string Case::network() const { return "version: 1\nname: random\n" + body(); }

std::string Case::replay(const std::string& network_file) const {
  std::string text = "fansim run " + base + " " + network_file + " --cross-check";
  for (const std::string& setting : settings) text += " --set " + setting;
  return text;
}

}  // namespace fansim::test
