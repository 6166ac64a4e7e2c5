// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "estimate/utilisation.h"

namespace fansim::estimate {

// Returns a name's words without what tools and habits add, in one: "u_mac_array_0", "MacArray" and
// "mac_array__parameterized1" give "macarray".
std::string core_of_name(const std::string& name);

// Says that an instance builds a block. The instance is named by the end of its path: components that are separated by
// slashes, each the name of an instance or of its module.
struct BlockMapping {
  std::string block;
  std::vector<std::string> path;
  std::string text;   // as the user wrote it
  std::string where;  // for messages: the option, or file and line
};

// Reads words of the form block=instance, or the names of files with one such line each, blank lines and lines that
// begin with #. Throws UserError at a word of another form, and at a block that is not among `blocks`.
std::vector<BlockMapping> read_block_mappings(const std::vector<std::string>& words,
                                              const std::vector<std::string>& blocks);

// Returns whether the path's components name the last of these instances and those above it.
bool names_instance(const BlockMapping& mapping, const std::vector<const Instance*>& from_top);

}  // namespace fansim::estimate
