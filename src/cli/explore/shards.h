// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/explore/explore_options.h"
#include "explore/shards/folder.h"

// This file declares searches in shares, each of which is a task of its own (docs/cluster.md).
namespace fansim::cli {

// Returns what the tasks of a search must agree on.
explore::shards::Plan plan_of(const ExploreOptions& options, const explore::Identity& identity);

// Runs `explore --status DIR`, which shows what the tasks have reported.
int explore_status(const Arguments& arguments);

// Runs `explore ... --slurm`: it submits an array job with a task for each share, and a job that merges them when all
// have ended.
int submit(const ExploreOptions& options);

}  // namespace fansim::cli
