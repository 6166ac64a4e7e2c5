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
  std::string partition, time;  // empty: the cluster's own
};

struct ExploreOptions {
  std::string space, network, json, csv, html, store;
  std::string folder;                   // that tasks share; empty: none do
  std::optional<explore::Share> share;  // that this task searches
  std::optional<SlurmOptions> slurm;
  int jobs = 1;
  std::uint64_t seed = 1;
  bool help = false;
};

// What the results of a store depend on: the program, the space, the configuration and the network.
explore::Identity identity_of(const std::string& space, const std::string& space_identity,
                              const std::string& config_hash, const std::string& network_hash);

// `explore` of a space of number formats (docs/trainer.md, "Which formats").
int explore_formats(const Arguments& arguments, const ExploreOptions& options);

}  // namespace fansim::cli
