// SPDX-License-Identifier: Apache-2.0
#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output_files.h"
#include "cli/options/command_line.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"
#include "report/comparison.h"
#include "report/pages/page.h"

namespace fansim::cli {

int compare(const Arguments& arguments) {
  Options options("compare");
  options.positionals("A.json B.json ...")
      .value("json", "F", "write what differs as JSON")
      .value("html", "F", "write it as a page with charts");
  options.example("compare before.json after.json", "what differs, the largest first")
      .example("compare before.json after.json --html change.html", "the same in charts");
  if (!options.parse(arguments)) return kDone;
  const std::vector<std::string> files = options.rest();
  if (files.size() < 2) throw base::UserError("compare: two reports of 'run --json' at least; the first is the base");
  const std::string json = options.text("json");
  const std::string html = options.text("html");
  base::check_outputs({json, html});
  std::vector<report::ReadReport> reports;
  for (const std::string& file : files) reports.push_back(report::read_report(file, base::read_file(file)));
  const report::Comparison comparison = report::compare(reports);
  const bool piped = base::is_standard_output(json) || base::is_standard_output(html);
  (piped ? base::print_error_text : base::print_text)(report::text(comparison));
  if (!json.empty()) base::write_file(json, report::json(comparison));
  if (!html.empty()) base::write_file(html, report::compare_page(comparison, command_line("compare", arguments)));
  return kDone;
}

}  // namespace fansim::cli
