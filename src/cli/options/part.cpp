// SPDX-License-Identifier: Apache-2.0
#include "cli/options/part.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/options/options.h"

namespace fansim::cli {

Part parse_part(const std::string& subcommand, const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::uint64_t index = parse_natural(text.substr(0, slash)).value_or(0);
  const std::uint64_t of = slash == std::string::npos ? 0 : parse_natural(text.substr(slash + 1)).value_or(0);
  if (index < 1 || index > of || of > Part::kMost)
    throw base::UserError(fmt::format("{}: --shard {}: allowed: I/N, N in 1..{} and I in 1..N", subcommand, text,
                                      std::uint64_t{Part::kMost}));
  return {static_cast<int>(index) - 1, static_cast<int>(of)};
}

}  // namespace fansim::cli
