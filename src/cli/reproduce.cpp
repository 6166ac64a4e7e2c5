// SPDX-License-Identifier: Apache-2.0
#include "cli/reproduce.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "base/file.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/output_files.h"
#include "cli/subcommand.h"

namespace fansim::cli {
namespace {

using report::Row;

struct Paper {
  const char* name;
  std::vector<Row> (*rows)();  // none: not built yet
};

constexpr Paper kPapers[] = {
    {"uestc", reproduce_uestc},   {"faq", nullptr},           {"faq-bandwidth", nullptr}, {"pg021", nullptr},
    {"kassel", reproduce_kassel}, {"wp490", reproduce_wp490}, {"float-trainer", nullptr}};

void check_paper(const std::string& name) {
  std::vector<std::string> names;
  for (const Paper& paper : kPapers) {
    names.emplace_back(paper.name);
    if (name != paper.name) continue;
    if (paper.rows == nullptr) throw base::UserError(fmt::format("reproduce: '{}' is not built yet", name));
    return;
  }
  throw base::UserError(fmt::format("reproduce: paper '{}' unknown{}", name, base::did_you_mean(name, names)));
}

// Of one paper, or of all that are built.
std::vector<Row> rows_of(const std::string& name) {
  std::vector<Row> all;
  for (const Paper& paper : kPapers) {
    if (paper.rows == nullptr || (!name.empty() && name != paper.name)) continue;
    for (const Row& row : paper.rows()) all.push_back(row);
  }
  return all;
}

}  // namespace

int reproduce(const Arguments& arguments) {
  Options options("reproduce");
  options.positional("PAPER", false).value("json", "F", "write the rows as JSON");
  if (!options.parse(arguments)) return kDone;
  const std::string paper = options.text("PAPER");
  if (options.has("PAPER")) check_paper(paper);
  const std::string json = options.text("json");
  check_writable(json);
  const std::vector<Row> rows = rows_of(paper);
  std::fputs(report::text(rows).c_str(), stdout);
  if (!json.empty()) base::write_file(json, report::json(rows));
  return report::any_outside(rows) ? kDiffers : kDone;
}

}  // namespace fansim::cli
