// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace fansim::base {

// No text for this program is larger. A larger file is no such text, or has no end.
constexpr std::size_t kLargestText = std::size_t{256} << 20;

// Returns the whole file as bytes; "-" is standard input. Throws UserError if it cannot be read or has more than `most`
// bytes.
std::string read_file(const std::string& path, std::size_t most = kLargestText);
// Returns the file's first bytes, `most` at most.
std::string read_head(const std::string& path, std::size_t most);
// Returns whether this process has read the file.
bool was_read(const struct stat& file);
// Returns whether the path exists, as far as the process may look.
bool exists(const std::string& path);

// Writes a file. Afterwards `path` holds either what it held before or all of `content`; OutputFile says how. Throws
// UserError if it cannot be written.
void write_file(const std::string& path, std::string_view content);

// Returns `path` as seen from the directory of `file`. An absolute path stays as it is.
std::string beside(const std::string& file, const std::string& path);

}  // namespace fansim::base
