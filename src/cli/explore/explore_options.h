// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options/subcommand.h"
#include "explore/search.h"
#include "explore/store.h"

namespace fansim::cli {

struct SlurmOptions {
  int tasks = 1;
  std::string partition, time;  // empty: the cluster's default
};

struct ExploreOptions {
  std::string space, network, json, csv, html, store;
  std::string folder;                   // shared by the tasks; empty: there is only one task
  std::optional<explore::Share> share;  // searched by this task
  std::optional<SlurmOptions> slurm;
  int jobs = 1;
  std::uint64_t seed = 1;
  bool allow_slack = false;  // a clock above Fmax breaks no constraint that the space file does not write
  bool help = false;
};

// Returns what the results of a store depend on: the program, the space, the configuration and the network.
explore::Identity identity_of(const std::string& space, const std::string& space_identity,
                              const std::string& config_hash, const std::string& network_hash);

// Runs `explore` for a space of number formats (docs/trainer.md, "Which formats").
int explore_formats(const Arguments& arguments, const ExploreOptions& options);

}  // namespace fansim::cli
