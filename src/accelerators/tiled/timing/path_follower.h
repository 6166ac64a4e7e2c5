// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "accelerators/tiled/timing/path_event.h"

namespace fansim::tiled {

// Tells a path what happens to it and a stream what the path tells, whoever finds that out.
template <class Path, class Stream>
class PathFollower {
 public:
  using Runs = typename Path::Inputs;

  virtual ~PathFollower() = default;
  // The path takes what it needs of the runs, which are released. Calls stream.hear() with every event that it tells.
  virtual void follow(const PathEvent& told, Runs& runs, Stream& stream) = 0;
  // The path in its present state, and that somebody else has changed it.
  virtual Path& path() = 0;
  virtual void changed() = 0;
};

// Computes every event by the path's recurrences.
template <class Path, class Stream>
class ComputedPath final : public PathFollower<Path, Stream> {
 public:
  using Runs = typename Path::Inputs;

  explicit ComputedPath(Path path) : path_(std::move(path)) {}

  void follow(const PathEvent& told, Runs& runs, Stream& stream) override {
    events_.clear();
    path_.follow(told, runs, events_);
    runs.release();
    for (const PathEvent& event : events_) stream.hear(event);
  }
  Path& path() override { return path_; }
  void changed() override {}

 private:
  Path path_;
  PathEvents events_;
};

}  // namespace fansim::tiled
