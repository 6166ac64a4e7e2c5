// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "base/file.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/output_files.h"
#include "cli/reproduce_papers.h"
#include "cli/subcommand.h"

namespace fansim::cli {
namespace {

struct Paper {
  const char* name;
  std::vector<report::Row> (*rows)();  // none: not built yet
};

constexpr Paper kPapers[] = {
    {"uestc", reproduce_uestc}, {"pg021", reproduce_pg021}, {"faq-bandwidth", nullptr}, {"faq", nullptr},
    {"kassel", nullptr},        {"wp490", nullptr},         {"float-trainer", nullptr},
};

// The paper of that name, or all that are built.
std::vector<Paper> chosen(const std::string& name) {
  std::vector<Paper> papers;
  std::vector<std::string> names;
  for (const Paper& paper : kPapers) {
    names.emplace_back(paper.name);
    if (name == paper.name && !paper.rows) throw base::UserError(fmt::format("reproduce: '{}' is not built yet", name));
    if (paper.rows && (name.empty() || name == paper.name)) papers.push_back(paper);
  }
  if (papers.empty())
    throw base::UserError(fmt::format("reproduce: paper '{}' unknown{}", name, base::did_you_mean(name, names)));
  return papers;
}

}  // namespace

int reproduce(const Arguments& arguments) {
  Options options("reproduce");
  options.positional("PAPER", false).value("json", "F", "write the rows as JSON");
  if (!options.parse(arguments)) return kDone;
  const std::vector<Paper> papers = chosen(options.text("PAPER"));
  const std::string json = options.text("json");
  check_writable(json);
  std::vector<report::Row> rows;
  for (const Paper& paper : papers)
    for (report::Row& row : paper.rows()) rows.push_back(std::move(row));
  std::fputs(report::text(rows).c_str(), stdout);
  if (!json.empty()) base::write_file(json, report::json(rows));
  return report::any_outside(rows) ? kDiffers : kDone;
}

}  // namespace fansim::cli
