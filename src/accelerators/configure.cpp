// SPDX-License-Identifier: Apache-2.0
#include "accelerators/configure.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace fansim::accelerators {

void check_keys(const explore::Space& space, const std::vector<std::string>& keys) {
  const auto check = [&](const std::string& path, const base::Location& where) {
    const bool in_part = path.rfind("ddr.part.", 0) == 0;
    if (in_part || std::find(keys.begin(), keys.end(), path) != keys.end()) return;
    throw base::UserError(where,
                          fmt::format("'{}' is no key of the configuration{}", path, base::did_you_mean(path, keys)));
  };
  for (const explore::Parameter& parameter : space.parameters) check(parameter.path, parameter.where);
  for (const explore::Derived& derived : space.derived) check(derived.path, derived.where);
}

}  // namespace fansim::accelerators
