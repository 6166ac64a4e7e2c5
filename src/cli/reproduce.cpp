// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "cli/options/command_line.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"
#include "papers/papers.h"
#include "report/pages/page.h"

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
                             {"float-trainer", papers::reproduce_float_trainer}};

// Returns the paper of that name, or all papers that are built.
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

// Prints what `of` computes for a paper's headlines, in place of its rows.
template <class Figures>
int headlines(const char* option, const std::string& paper, const std::string& json, const std::string& html,
              Figures (*of)(const std::string& paper)) {
  if (!html.empty()) throw base::UserError(fmt::format("reproduce: --{} has no page for --html", option));
  base::check_outputs({json});
  const Figures figures = of(paper);
  if (figures.empty()) throw base::UserError(fmt::format("reproduce: --{}: '{}' has no headline", option, paper));
  (base::is_standard_output(json) ? base::print_error_text : base::print_text)(report::text(figures));
  if (!json.empty()) base::write_file(json, report::json(figures));
  return kDone;
}

}  // namespace

std::vector<std::string> paper_words() {
  std::vector<std::string> words;
  for (const Paper& paper : kPapers)
    if (paper.reproduce) words.emplace_back(paper.name);
  return words;
}

int reproduce(const Arguments& arguments) {
  Options options("reproduce");
  options.positional("PAPER", false)
      .example("reproduce uestc", "the rows of one publication")
      .example("reproduce faq-bandwidth --html rows.html", "its figures as a page with plots")
      .value("json", "F", "write the rows as JSON")
      .value("html", "F", "write the rows and their plots as a page")
      .flag("sensitivity", "the headlines with constants that the papers leave open changed, instead of the rows")
      .flag("ranges", "the headlines with all those constants at the ends of their ranges");
  if (!options.parse(arguments)) return kDone;
  const std::vector<Paper> papers = chosen(options.text("PAPER"));
  const std::string json = options.text("json"), html = options.text("html");
  const std::string name = options.text("PAPER");
  if (options.on("sensitivity")) return headlines("sensitivity", name, json, html, papers::sensitivities);
  if (options.on("ranges")) return headlines("ranges", name, json, html, papers::headline_spans);
  base::check_outputs({json, html});
  std::vector<report::Row> rows;
  std::vector<report::LineChart> charts;
  std::string text;
  for (const Paper& paper : papers) {
    const papers::Reproduction result = paper.reproduce();
    rows.insert(rows.end(), result.rows.begin(), result.rows.end());
    text += result.text;
    base::stop_if_interrupted();
    charts.insert(charts.end(), result.charts.begin(), result.charts.end());
  }
  const bool piped = base::is_standard_output(json) || base::is_standard_output(html);
  (piped ? base::print_error_text : base::print_text)(report::text(rows) + text);
  if (!html.empty()) base::write_file(html, report::rows_page(rows, charts, command_line("reproduce", arguments)));
  if (!json.empty()) base::write_file(json, report::json(rows));
  return report::any_outside(rows) ? kDiffers : kDone;
}

}  // namespace fansim::cli
