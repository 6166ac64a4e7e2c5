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
  Reproduction (*reproduce)();  // none: not built yet
};

constexpr Paper kPapers[] = {
    {"uestc", reproduce_uestc}, {"faq", reproduce_faq},       {"faq-bandwidth", reproduce_faq_bandwidth},
    {"pg021", reproduce_pg021}, {"kassel", reproduce_kassel}, {"wp490", reproduce_wp490},
    {"float-trainer", nullptr}};

// The paper of that name, or all that are built.
std::vector<Paper> chosen(const std::string& name) {
  std::vector<Paper> papers;
  std::vector<std::string> names;
  for (const Paper& paper : kPapers) {
    names.emplace_back(paper.name);
    if (name == paper.name && !paper.reproduce)
      throw base::UserError(fmt::format("reproduce: '{}' is not built yet", name));
    if (paper.reproduce && (name.empty() || name == paper.name)) papers.push_back(paper);
  }
  if (papers.empty())
    throw base::UserError(fmt::format("reproduce: paper '{}' unknown{}", name, base::did_you_mean(name, names)));
  return papers;
}

}  // namespace

int reproduce(const Arguments& arguments) {
  Options options("reproduce");
  options.positional("PAPER", false)
      .value("json", "F", "write the rows as JSON")
      .value("html", "F", "write the plot of faq-bandwidth as a page");
  if (!options.parse(arguments)) return kDone;
  const std::vector<Paper> papers = chosen(options.text("PAPER"));
  const std::string json = options.text("json"), html = options.text("html");
  check_writable(json);
  check_writable(html);
  std::vector<report::Row> rows;
  std::string text, page;
  for (const Paper& paper : papers) {
    const Reproduction result = paper.reproduce();
    rows.insert(rows.end(), result.rows.begin(), result.rows.end());
    text += result.text;
    page += result.html;
  }
  std::fputs((report::text(rows) + text).c_str(), stdout);
  if (!html.empty() && page.empty()) throw base::UserError("reproduce: --html: only faq-bandwidth has a plot");
  if (!html.empty()) base::write_file(html, page);
  if (!json.empty()) base::write_file(json, report::json(rows));
  return report::any_outside(rows) ? kDiffers : kDone;
}

}  // namespace fansim::cli
