// SPDX-License-Identifier: Apache-2.0
// Speed of the tiled accelerator's two engines, without values and with them: seconds of CPU for a network. The clocked
// one runs once; a process elaborates once, so there is one for each row.
//   tiled_bench [CONFIG NETWORK [REPEATS [KEY=VALUE...]]]
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/accelerator.h"
#include "compile/tiled/compile_tiled.h"
#include "count.h"
#include "cpu_seconds.h"
#include "systems/tiled_machine.h"
#include "timing/tiled/tiled_engine.h"

using namespace fansim;

namespace {

using bench::cpu_seconds;

// Without a memory's image if the program is only timed: the fast engine never looks at it.
arch::Program program_of(const arch::TiledConfig& config, const std::string& path, bool values, bool memory) {
  network::LoadOptions load;
  load.values = values;
  network::Network network = network::load_network(path, load);
  cli::prepare(network, config, load);
  compile::Options options;
  options.values = values;
  options.memory = memory;
  return std::get<arch::Program>(compile::compile(network, config, options));
}

std::int64_t run_fast(const arch::TiledConfig& config, arch::Program program, bool values) {
  timing::EngineOptions options;
  options.values = values;
  std::int64_t cycles = 0;
  for (const arch::LayerResult& layer : timing::run_tiled(config, std::move(program), options)) cycles += layer.cycles;
  return cycles;
}

void measure(const arch::TiledConfig& config, const std::string& network, bool values, int repeats) {
  const arch::Program program = program_of(config, network, values, values);
  std::vector<double> fast;
  std::int64_t cycles = 0;
  for (int i = 0; i < repeats; ++i) {
    arch::Program copy = program;
    const double start = cpu_seconds();
    cycles = run_fast(config, std::move(copy), values);
    fast.push_back(cpu_seconds() - start);
  }
  std::sort(fast.begin(), fast.end());
  systems::MachineOptions options;
  options.values = values;
  arch::Program with_memory = program_of(config, network, values, true);
  const double start = cpu_seconds();
  systems::TiledMachine machine(config, std::move(with_memory), std::move(options));
  machine.run();
  const double clocked = cpu_seconds() - start;
  fmt::print("{} cycles, {}: clocked {:.0f} ms, fast {:.2f} ms (best {:.2f}), {:.0f} times faster\n", cycles,
             values ? "values" : "timing only", clocked * 1e3, fast[fast.size() / 2] * 1e3, fast.front() * 1e3,
             clocked / fast[fast.size() / 2]);
  std::fflush(stdout);
}

}  // namespace

// Instead of the entry in SystemC's library, which prints a banner.
int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char* argv[]) {
  const std::string root = FANSIM_SOURCE_DIR;
  const std::string config_path = argc > 2 ? argv[1] : root + "/configs/systems/faq_zcu102_dorefa8.yaml";
  const std::string network = argc > 2 ? argv[2] : root + "/models/alexnet.yaml";
  const std::optional<int> repeats = argc > 3 ? bench::count_of(argv[3], 1000) : 5;
  if (argc == 2 || !repeats) {
    const std::string problem = repeats ? "" : fmt::format(": REPEATS is '{}'; allowed: 1..1000", argv[3]);
    fmt::print(stderr, "tiled_bench [CONFIG NETWORK [REPEATS [KEY=VALUE...]]]{}\n", problem);
    return 2;
  }
  const std::vector<std::string> settings(argv + std::min(argc, 4), argv + argc);
  const arch::TiledConfig config = arch::load_tiled_config(config_path, settings);
  for (const bool values : {false, true}) {
    const pid_t child = fork();
    if (child == 0) {
      measure(config, network, values, *repeats);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  return 0;
}
