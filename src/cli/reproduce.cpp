// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "base/file.h"
#include "base/output_files.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "papers/papers.h"

namespace fansim::cli {
namespace {

struct Paper {
  const char* name;
  papers::Reproduction (*reproduce)();  // none: not built yet
};

constexpr Paper kPapers[] = {{"uestc", papers::reproduce_uestc},
                             {"faq", papers::reproduce_faq},
                             {"faq-bandwidth", papers::reproduce_faq_bandwidth},
                             {"pg021", papers::reproduce_pg021},
                             {"kassel", papers::reproduce_kassel},
                             {"wp490", papers::reproduce_wp490},
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
  base::check_writable(json);
  base::check_writable(html);
  std::vector<report::Row> rows;
  std::string text, page;
  for (const Paper& paper : papers) {
    const papers::Reproduction result = paper.reproduce();
    rows.insert(rows.end(), result.rows.begin(), result.rows.end());
    text += result.text;
    if (!result.html.empty() && !page.empty())
      throw base::UserError("reproduce: --html: several papers have a page; name one");
    if (!result.html.empty()) page = result.html;
  }
  std::fputs((report::text(rows) + text).c_str(), stdout);
  if (!html.empty() && page.empty()) throw base::UserError("reproduce: --html: only faq-bandwidth has a plot");
  if (!html.empty()) base::write_file(html, page);
  if (!json.empty()) base::write_file(json, report::json(rows));
  return report::any_outside(rows) ? kDiffers : kDone;
}

}  // namespace fansim::cli
