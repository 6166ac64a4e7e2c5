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
#include "report/gate.h"
#include "report/pages/page.h"

namespace fansim::cli {

int compare(const Arguments& arguments) {
  Options options("compare");
  options.positionals("A.json B.json ...")
      .value("json", "F", "write what differs as JSON")
      .value("html", "F", "write it as a page with charts")
      .values("fail-above", "FIGURE=LIMIT", "exit 1 if a figure is worse by more, in its unit or %; may repeat");
  options.example("compare before.json after.json", "what differs, the largest first")
      .example("compare before.json after.json --fail-above cycles=1%", "exit 1 if cycles rose by more than 1 %")
      .example("compare before.json after.json --html change.html", "the same in charts");
  if (!options.parse(arguments)) return kDone;
  const std::vector<std::string> files = options.rest();
  if (files.size() < 2) throw base::UserError("compare: two reports of 'run --json' at least; the first is the base");
  const std::string json = options.text("json");
  const std::string html = options.text("html");
  std::vector<report::Gate> gates;
  for (const std::string& text : options.list("fail-above")) gates.push_back(report::parse_gate(text));
  base::check_outputs({json, html});
  std::vector<report::ReadReport> reports;
  for (const std::string& file : files) reports.push_back(report::read_report(file, base::read_file(file)));
  const std::vector<report::Gated> gated = report::judge(reports, gates);
  const report::Comparison comparison = report::compare(reports);
  const bool piped = base::is_standard_output(json) || base::is_standard_output(html);
  (piped ? base::print_error_text : base::print_text)(report::text(comparison));
  if (!json.empty()) base::write_file(json, report::json(comparison, report::json(gated)));
  if (!html.empty()) base::write_file(html, report::compare_page(comparison, command_line("compare", arguments)));
  const std::string failed = report::text(gated);
  base::print_error_text(failed);
  return failed.empty() ? kDone : kDiffers;
}

}  // namespace fansim::cli
