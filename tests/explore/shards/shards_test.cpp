// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <thread>

#include "explore/shards/folder_peers.h"
#include "explore/synthetic.h"

namespace fansim::shards_test {

using namespace explore;
using shards::Folder;
using shards::FolderPeers;
using shards::Plan;
using shards::Task;

namespace {

Space space_by(const std::string& method, const std::string& objectives = "[latency_ms, lut]") {
  return test::space_of(test::kSmallSpace + "objectives: " + objectives + "\nsearch: {method: " + method + "}\n");
}

Plan plan_of(int tasks) { return {"space.yaml", "net.yaml", {{kBuild, "1"}, {"space", "abc"}}, tasks, 1}; }

// Runs task `index` of `of` by itself.
SearchResult search_share(const Space& space, const Model& model, const Folder& folder, int index, int of) {
  Task task;
  task.index = index + 1;
  FolderPeers peers(space, folder, task, of, [] {});
  SearchOptions options;
  options.share = {index, of};
  options.peers = &peers;
  SearchResult result = search(space, model, options);
  peers.finish(result, 7);
  return result;
}

std::vector<Task> told(const Folder& folder, int of) {
  std::vector<Task> tasks;
  for (int i = 1; i <= of; ++i)
    if (auto task = folder.task(i)) tasks.push_back(*task);
  return tasks;
}

SearchResult whole(const Space& space, const Model& model) { return search(space, model, {}); }

}  // namespace

TEST_CASE("shares together find the front that one task finds and deal with every point once") {
  for (const std::string method : {"branch_and_bound", "exhaustive"})
    for (const char* objectives : {"[latency_ms]", "[latency_ms, lut]", "[frames_per_s, dsp, lut]"})
      for (const int of : {1, 2, 3, 7, 40}) {
        CAPTURE(method, objectives, of);
        const Space space = space_by(method, objectives);
        const test::Synthetic model(space, static_cast<std::uint64_t>(of));
        const test::ScratchDirectory scratch;
        const Folder folder(scratch / "shared");
        folder.join(plan_of(of));
        double points = 0;
        for (int i = 0; i < of; ++i) points += search_share(space, model, folder, i, of).counts.space;
        const SearchResult merged = shards::merged(space, folder, told(folder, of), of);
        const SearchResult alone = whole(space, model);
        CHECK(test::points_of(merged.front) == test::points_of(alone.front));
        CHECK(merged.proven);
        CHECK(points == space.count());
        const Counts& counts = merged.counts;
        CHECK(static_cast<double>(counts.evaluated) + counts.cannot_meet + counts.cannot_win == space.count());
      }
}

TEST_CASE("shares are of like size in the order of what they may hold") {
  const Space space = space_by("exhaustive");
  const test::Synthetic model(space);
  const test::ScratchDirectory scratch;
  const Folder folder(scratch / "shared");
  folder.join(plan_of(4));
  for (int i = 0; i < 4; ++i) {
    const double points = search_share(space, model, folder, i, 4).counts.space;
    CHECK(points > 0.5 * space.count() / 4);
    CHECK(points < 2.0 * space.count() / 4);
  }
}

TEST_CASE("walks of annealing are dealt out and those of one task stay what they are") {
  const Space space = space_by("annealing, chains: 5, steps: 40");
  const test::Synthetic model(space);
  const test::ScratchDirectory scratch;
  const Folder folder(scratch / "shared");
  folder.join(plan_of(3));
  for (int i = 0; i < 3; ++i) search_share(space, model, folder, i, 3);
  const SearchResult merged = shards::merged(space, folder, told(folder, 3), 3);
  CHECK(test::points_of(merged.front) == test::points_of(whole(space, model).front));
  CHECK_FALSE(merged.proven);
}

TEST_CASE("a method whose steps hang together has no shares") {
  const Space space = space_by("nsga2");
  const test::Synthetic model(space);
  SearchOptions options;
  options.share = {0, 2};
  CHECK_THROWS_WITH(search(space, model, options), Catch::Contains("nsga2 has no shares"));
}

TEST_CASE("what one task has found rules out boxes of the next") {
  const Space space = space_by("branch_and_bound", "[latency_ms, lut]");
  const test::Synthetic model(space);
  const auto evaluations = [&](bool told_first) {
    const test::ScratchDirectory scratch;
    const Folder folder(scratch / "shared");
    folder.join(plan_of(2));
    if (told_first) search_share(space, model, folder, 0, 2);
    return search_share(space, model, folder, 1, 2).counts.evaluated;
  };
  CHECK(evaluations(true) < evaluations(false));
}

TEST_CASE("a task's words and finds come back as they were told") {
  const test::ScratchDirectory scratch;
  const Folder folder(scratch / "shared");
  folder.join(plan_of(3));
  CHECK_FALSE(folder.task(2));
  Task task;
  task.index = 2;
  task.state = Task::State::stopped;
  task.fraction = 0.25;
  task.host = "n\"1";
  task.proven = true;
  task.counts.space = 1e15;
  task.counts.evaluated = 7;
  task.counts.misfit = 2;
  task.layers_simulated = 12;
  shards::Found found{{1, 2, 0}, {}};
  of(found.outcome.metrics, Metric::latency_ms) = 1.0 / 3;
  task.front = {found};
  task.failures = {{{0, 0, 0}, Outcome::failed("broke \"down\"")}};
  folder.tell(task);
  const auto back = folder.task(2);
  REQUIRE(back);
  CHECK(back->state == Task::State::stopped);
  CHECK(back->fraction == 0.25);
  CHECK(back->host == "n\"1");
  CHECK(back->counts.space == 1e15);
  CHECK((back->counts.evaluated == 7 && back->counts.misfit == 2 && back->layers_simulated == 12));
  REQUIRE(back->front.size() == 1);
  CHECK(back->front[0].point == found.point);
  CHECK(back->front[0].outcome.metrics == found.outcome.metrics);
  CHECK(back->failures.at(0).outcome.reason == "broke \"down\"");
  folder.publish(2, 1, {found});
  std::set<std::string> known;
  CHECK(folder.news(known).size() == 1);
  CHECK(folder.news(known).empty());
  CHECK(known == std::set<std::string>{"2-1.json"});
}

TEST_CASE("tasks of other shares or another seed or another subject are refused") {
  const test::ScratchDirectory scratch;
  const Folder folder(scratch / "shared");
  folder.join(plan_of(3));
  folder.join(plan_of(3));
  CHECK_THROWS_WITH(folder.join(plan_of(4)), Catch::Contains("is divided among 3 tasks, not 4"));
  Plan other = plan_of(3);
  other.seed = 9;
  CHECK_THROWS_WITH(folder.join(other), Catch::Contains("has the seed 1, not 9"));
  other = plan_of(3);
  other.identity[0].second = "2";
  CHECK_THROWS_WITH(folder.join(other),
                    Catch::Contains("plan.json: is of another build: '1', not '2'; results of two"));
  other = plan_of(3);
  other.identity[1].second = "f";
  CHECK_THROWS_WITH(folder.join(other), Catch::Contains("plan.json: is of another space: 'abc', not 'f'"));
  CHECK_THROWS_AS(Folder(scratch / "none").plan(), base::UserError);
}

TEST_CASE("the folder that an earlier program made is refused in words") {
  const test::ScratchDirectory scratch;
  base::write_file(scratch / "plan.json", R"({"format": 1, "space": "space.yaml", "network": "net.yaml",
 "identity": "0123456789abcdef", "tasks": 3, "seed": 1})");
  CHECK_THROWS_WITH(Folder(scratch.path()).join(plan_of(3)),
                    scratch /
                        "plan.json: has format 1, so is of another build; this one's is 3: name another folder, or "
                        "go on with the build that made it");
}

TEST_CASE("of many who make the plan at once one does and no other file is left") {
  const test::ScratchDirectory scratch;
  std::vector<std::thread> tasks;
  std::atomic<int> joined{0};
  for (int i = 0; i < 8; ++i)
    tasks.emplace_back([&] {
      Folder(scratch.path()).join(plan_of(3));
      ++joined;
    });
  for (std::thread& task : tasks) task.join();
  CHECK(joined == 8);
  const auto files = std::filesystem::directory_iterator(scratch.path());
  CHECK(std::distance(begin(files), end(files)) == 2);  // and front/
}

TEST_CASE("the storage's clock says when a task told whatever its host's says") {
  const test::ScratchDirectory scratch;
  const Folder folder(scratch.path());
  Task task;
  task.index = 1;
  task.began = 5;
  task.told = 15;  // a host of 1970
  const double before = folder.now().value();
  folder.tell(task);
  CHECK(folder.told(1) >= before);
  CHECK(folder.told(1) <= folder.now().value());
  CHECK(folder.told(2) == 0);
}

TEST_CASE("damaged files of a shared search are the user's and no point is taken that the space lacks") {
  const Space space = space_by("branch_and_bound");
  const test::ScratchDirectory scratch;
  const Folder folder(scratch / "shared");
  folder.join(plan_of(2));
  folder.store(1);
  for (const char* text : {"", "{", "[]", "{\"task\": 1}", "{\"point\": 3}"}) {
    CAPTURE(text);
    base::write_file(scratch / "shared/task-1/told.json", text);
    CHECK_THROWS_WITH(folder.task(1), Catch::Contains("is no file of a shared search"));
  }
  for (const Point& point : {Point{0, 0}, Point{0, 0, 9}, Point{-1, 0, 0}, Point{0, 0, 0, 0}}) {
    const test::ScratchDirectory inner;
    const Folder foreign(inner / "shared");
    foreign.join(plan_of(2));
    foreign.publish(1, 1, {{point, {}}});
    CHECK_THROWS_WITH(shards::merged(space, foreign, {}, 2), Catch::Contains("a point that the space does not have"));
  }
}

TEST_CASE("what is merged before all have finished is not proven and has what was published") {
  const Space space = space_by("branch_and_bound", "[latency_ms]");
  const test::Synthetic model(space);
  const test::ScratchDirectory scratch;
  const Folder folder(scratch / "shared");
  folder.join(plan_of(2));
  search_share(space, model, folder, 0, 2);
  const SearchResult merged = shards::merged(space, folder, told(folder, 2), 2);
  CHECK(merged.stopped);
  CHECK_FALSE(merged.proven);
  CHECK(merged.front.size() == 1);
}

}  // namespace fansim::shards_test
