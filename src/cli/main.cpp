// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <new>
#include <nlohmann/json.hpp>
#include <systemc>

#include "base/build_id.h"
#include "base/console.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "cli/options/exit_code.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "primitives/catalogue.h"
#include "sim/violation.h"

namespace {

using namespace fansim;

struct Subcommand {
  const char* name;
  const char* help;
  int (*function)(const cli::Arguments&);  // none: not built yet
};

constexpr Subcommand kSubcommands[] = {
    {"run", "simulate a network; a table, its first line the answer", cli::run},
    {"train", "learn pictures in floating point, cycle by cycle", cli::train},
    {"estimate", "resources against the device, Fmax, power; no simulation", cli::estimate},
    {"calibrate", "a utilisation report beside the estimate, before and after fitting", cli::calibrate},
    {"quantise", "floats to every method's codes, and what each loses", cli::quantise},
    {"quality", "floats beside codes, layer by layer, the worst first", cli::quality},
    {"reproduce", "simulated beside published figures", cli::reproduce},
    {"drive", "a primitive, DMA, memory or LUT kernel alone, a row per clock", cli::drive},
    {"describe", "parameters, ranges, units, meanings; a configuration's keys", cli::describe},
    {"list", "what comes with the program", cli::list},
    {"explore", "search configurations for the best, proven or by chance", cli::explore},
    {"sweep", "every combination of values as a row", cli::sweep},
    {"inject", "faults drawn by chance, what driver and output make of them", cli::inject_faults},
    {"compare", "what differs between reports of run, the largest first", cli::compare},
    {"import", "ONNX or SCALE-Sim's tables to networks of floats or of codes", cli::import_model},
};

void print_help() {
  base::print("usage: fansim SUBCOMMAND ... [--help]\n       fansim --version\n\n");
  for (const Subcommand& subcommand : kSubcommands) base::print("  {:<10} {}\n", subcommand.name, subcommand.help);
  base::print(
      "\nExamples:\n"
      "  fansim list configs\n"
      "  fansim run zcu102_stream alexnet --verify\n"
      "  fansim run --help\n");
}

// Prints what man pages and completion are made of (scripts/command_pages.py), besides each subcommand's own
// --help-json.
void print_help_json() {
  using nlohmann::ordered_json;
  ordered_json subcommands = ordered_json::array(), parts = ordered_json::array();
  for (const Subcommand& subcommand : kSubcommands)
    if (subcommand.function) subcommands.push_back({{"name", subcommand.name}, {"help", subcommand.help}});
  for (const primitives::Primitive& primitive : primitives::catalogue()) parts.push_back(primitive.name);
  const ordered_json words{{"CONFIG", cli::shipped_configs()}, {"NETWORK", cli::shipped_networks()},
                           {"SPACE", cli::shipped_spaces()},   {"PRIMITIVE", parts},
                           {"PAPER", cli::paper_words()},      {"METRIC", cli::described_words()}};
  const ordered_json all{{"version", FANSIM_VERSION}, {"subcommands", subcommands}, {"words", words}};
  base::print_text(all.dump(1) + "\n");
}

int dispatch(const std::string& name, const cli::Arguments& arguments) {
  std::vector<std::string> names;
  for (const Subcommand& subcommand : kSubcommands) {
    names.emplace_back(subcommand.name);
    if (name != subcommand.name) continue;
    if (subcommand.function == nullptr) throw base::UserError(name + " is not built yet");
    return subcommand.function(arguments);
  }
  throw base::UserError(fmt::format("subcommand '{}' unknown{}", name, base::did_you_mean(name, names)));
}

int guarded(const cli::Arguments& arguments) {
  if (arguments.empty()) {
    print_help();
    return cli::kUserError;
  }
  if (arguments[0] == "--version" || arguments[0] == "-V") {
    base::print("fansim {}\nbuild {}\n", FANSIM_VERSION, base::build_id());
    return cli::kDone;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_help();
    return cli::kDone;
  }
  if (arguments[0] == "--help-json") {
    print_help_json();
    return cli::kDone;
  }
  return dispatch(arguments[0], {arguments.begin() + 1, arguments.end()});
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);  // standard output is for data
  try {
    base::catch_interrupts();
    const int code = guarded({argv + 1, argv + argc});
    base::finish_printing();
    return code;
  } catch (const base::UserError& error) {
    base::print_error("{}\n", error.what());
    return cli::kUserError;
  } catch (const base::Interrupted&) {
    base::print_error("interrupted\n");
    return cli::kInterrupted;
  } catch (const sim::Violation& violation) {
    base::print_error("{}\n", violation.what());
    return cli::kViolation;
  } catch (const std::bad_alloc&) {
    base::print_error("fansim: this takes more memory than there is\n");
    return cli::kUserError;
  } catch (const std::exception& error) {
    base::print_error("fansim: a fault of the program, not of its input: {}\n", error.what());
    return cli::kViolation;
  }
}

// Replaces the main() of SystemC's library, which prints a banner before it calls sc_main.
int main(int argc, char* argv[]) {
  base::set_up_console();
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
