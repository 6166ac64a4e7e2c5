// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/explore/explore_options.h"
#include "explore/shards/folder.h"

// A search in shares, each a task of its own (docs/cluster.md).
namespace fansim::cli {

// What the tasks of a search agree on.
explore::shards::Plan plan_of(const ExploreOptions& options, const explore::Identity& identity);

// `explore --status DIR`: what the tasks have told.
int explore_status(const Arguments& arguments);

// `explore ... --slurm`: an array job with a task for each share, and one that merges them when all have ended.
int submit(const ExploreOptions& options);

}  // namespace fansim::cli
