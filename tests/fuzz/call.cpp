// SPDX-License-Identifier: Apache-2.0
#include "fuzz/call.h"

#include <map>

#include "base/error.h"
#include "cli/options/subcommand.h"

namespace fansim::test {

int call(const std::vector<std::string>& words) {
  static const std::map<std::string, int (*)(const cli::Arguments&)> kSubcommands{{"run", cli::run},
                                                                                  {"train", cli::train},
                                                                                  {"estimate", cli::estimate},
                                                                                  {"calibrate", cli::calibrate},
                                                                                  {"quantise", cli::quantise},
                                                                                  {"quality", cli::quality},
                                                                                  {"drive", cli::drive},
                                                                                  {"describe", cli::describe},
                                                                                  {"list", cli::list},
                                                                                  {"sweep", cli::sweep},
                                                                                  {"compare", cli::compare},
                                                                                  {"import", cli::import_model},
                                                                                  {"inject", cli::inject_faults}};
  if (words.empty() || kSubcommands.count(words[0]) == 0) throw base::UserError("no such subcommand");
  return kSubcommands.at(words[0])({words.begin() + 1, words.end()});
}

}  // namespace fansim::test
