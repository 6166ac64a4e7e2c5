// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fansim::base {

// The whole file as bytes. UserError if it cannot be read.
std::string read_file(const std::string& path);

// Writes a temporary file in the same directory and renames it when whole: `path` holds either what it held before
// or all of `content`. UserError if it cannot be written.
void write_file(const std::string& path, std::string_view content);

// `path` as seen from the directory of `file`; an absolute path stays.
std::string beside(const std::string& file, const std::string& path);

}  // namespace fansim::base
