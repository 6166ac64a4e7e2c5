// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace fansim::base {

// More than any text that this program is for; a larger file is no such text, or has no end.
constexpr std::size_t kLargestText = std::size_t{256} << 20;

// The whole file as bytes; "-" is standard input. UserError if it cannot be read or has more than
// `most` bytes.
std::string read_file(const std::string& path, std::size_t most = kLargestText);
// Its first bytes, at most so many.
std::string read_head(const std::string& path, std::size_t most);
// This process has read it.
bool was_read(const struct stat& file);
// As far as the process may look.
bool exists(const std::string& path);

// `path` holds what it held before or all of `content`; OutputFile says how. UserError if it cannot be written.
void write_file(const std::string& path, std::string_view content);

// `path` as seen from the directory of `file`; an absolute path stays.
std::string beside(const std::string& file, const std::string& path);

}  // namespace fansim::base
