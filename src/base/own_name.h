// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::base {

// PATH.PROCESS.N.tmp: a file or folder that nobody else writes, locked as long as its descriptor is open. So what one
// left that was killed can be told, on any host that sees it: nobody holds it.
struct Own {
  std::string name;
  int descriptor = -1;  // none: errno says why
};
Own make_own_file(const std::string& path);    // open to be written
Own make_own_folder(const std::string& path);  // for this user alone

// Removes what nobody holds under names of `path`, the first time that this process asks: a folder that has many files
// is not read for each that is written. Where storage has no locks, nothing.
void remove_stale(const std::string& path);

}  // namespace fansim::base
