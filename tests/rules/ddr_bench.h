// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/overrides.h"
#include "contract/ddr_part.h"
#include "rules/ddr_controller.h"

namespace fansim::test {

inline contract::DdrPart ddr_part(const std::vector<std::string>& overrides = {},
                                  const std::string& name = "ddr4_2133_x8_4gb") {
  base::YamlNode document = base::load_yaml(std::string(FANSIM_SOURCE_DIR) + "/configs/parts/" + name + ".yaml");
  base::apply_overrides(document, overrides);
  base::YamlMap map(document);
  return contract::read_ddr_part(map);
}

// Holds a request and its result.
struct DdrAccess {
  bool write = false;
  rules::DdrRequest request;
  rules::DdrPick pick;
};

}  // namespace fansim::test
