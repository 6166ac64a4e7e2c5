// SPDX-License-Identifier: Apache-2.0
#include "explore/store.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>

#include "explore/outcome_text.h"
#include "synthetic.h"

namespace fansim::store_test {

using namespace explore;
using Table = Store::Table;

namespace {

const Identity kIdentity{{kBuild, "1"}, {"space", "abc"}, {"network", "def"}};

std::string refused(const std::string& path, const Identity& identity = kIdentity) {
  return test::message_of([&] { const Store store(path, identity); });
}

Space searched_space() {
  return test::space_of(test::kSmallSpace + "objectives: [latency_ms, lut]\nsearch: {method: exhaustive}\n");
}

class Slow final : public test::Synthetic {
 public:
  using Synthetic::Synthetic;
  Outcome evaluate(const Point& point) const override {
    ::usleep(2000);
    return Synthetic::evaluate(point);
  }
};

SearchResult search_in(const Space& space, const Model& model, const std::string& path) {
  Store store(path, kIdentity);
  SearchOptions options;
  options.jobs = 2;
  options.store = &store;
  return search(space, model, options);
}

// Starts a process that searches until it is done.
pid_t start_search(const Space& space, const std::string& path) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int code = 1;
  try {
    const Slow model(space);
    code = search_in(space, model, path).proven ? 0 : 2;
  } catch (const std::exception&) {
    code = 3;
  }
  ::_exit(code);
}

int code_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("a store gives back what was put in this process and in the next") {
  const test::ScratchDirectory folder;
  {
    Store store(folder / "s.db", kIdentity);
    store.put(Table::points, "a=1", "x");
    store.put(Table::memo, "a=1", "y 'quoted'");
    CHECK(store.find(Table::points, "a=1") == "x");
    CHECK_FALSE(store.find(Table::points, "a=2"));
  }
  const Store store(folder / "s.db", kIdentity);
  CHECK(store.find(Table::points, "a=1") == "x");
  CHECK(store.find(Table::memo, "a=1") == "y 'quoted'");
  CHECK(store.size(Table::points) == 1);
}

TEST_CASE("two open stores on one file see what each other put") {
  const test::ScratchDirectory folder;
  Store one(folder / "s.db", kIdentity), other(folder / "s.db", kIdentity);
  one.put(Table::points, "a=1", "x");
  other.put(Table::points, "a=2", "y");
  one.put(Table::points, "both", "z");
  other.put(Table::points, "both", "z");
  one.flush();
  other.flush();
  one.flush();
  CHECK(one.find(Table::points, "a=2") == "y");
  CHECK(other.find(Table::points, "a=1") == "x");
  CHECK(one.size(Table::points) == 3);
}

TEST_CASE("what was put reaches the file by itself within a second") {
  const test::ScratchDirectory folder;
  Store one(folder / "s.db", kIdentity);
  one.put(Table::points, "a=1", "x");
  for (int i = 0; i < 200; ++i) {  // a loaded machine may take longer than the half second that it is due
    Store other(folder / "s.db", kIdentity);
    if (other.find(Table::points, "a=1")) break;
    ::usleep(50'000);
  }
  const Store other(folder / "s.db", kIdentity);
  CHECK(other.find(Table::points, "a=1") == "x");
}

TEST_CASE("a store of another identity or format and a foreign database and a damaged file are refused") {
  const test::ScratchDirectory folder;
  const std::string path = folder / "s.db";
  Store(path, kIdentity).put(Table::points, "a=1", "x");
  CHECK(refused(path) == "");
  CHECK(refused(path, {{kBuild, "2"}, {"space", "abc"}, {"network", "def"}}) ==
        path +
            ": is the store of another build: '1', not '2'; results of two builds are not mixed: name another place "
            "for this one's, or use the build whose `fansim --version` says that");
  CHECK(refused(path, {{kBuild, "1"}, {"space", "abc"}, {"network", "other"}}) ==
        path + ": is the store of another network: 'def', not 'other'; name another place for these results");
  Database(path).run("UPDATE fansim_explore SET value = '7' WHERE key = 'format'");
  CHECK_THAT(refused(path), Catch::Contains("is a store of format '7', so of another build; this one's is 3"));
  Database(folder / "foreign.db").run("CREATE TABLE birds (name TEXT)");
  CHECK(refused(folder / "foreign.db") == folder / "foreign.db: is a database, but no store of fansim explore");
  base::write_file(folder / "text.db", std::string(5000, 'x'));
  CHECK(refused(folder / "text.db") == folder / "text.db: file is not a database");
  CHECK(refused(folder / "no/such/folder.db") == folder / "no/such/folder.db: unable to open database file");
}

TEST_CASE("a store without a result is of nothing yet and two that fill it at once are told apart") {
  const test::ScratchDirectory folder;
  const std::string path = folder / "s.db";
  const Identity other{{kBuild, "1"}, {"space", "edited"}, {"network", "def"}};
  { const Store store(path, kIdentity); }
  CHECK(refused(path, other) == "");
  Store first(path, kIdentity), second(path, other);
  second.put(Table::points, "a=1", "x");
  second.flush();
  first.put(Table::points, "a=1", "y");
  CHECK_THROWS_WITH(first.flush(), Catch::Contains("is the store of another space: 'edited', not 'abc'"));
  CHECK_THAT(refused(path), Catch::Contains("is the store of another space"));
  CHECK(Store(path, other).find(Table::points, "a=1") == "x");
}

TEST_CASE("the store that an earlier program made is refused in words and stays as it is") {
  const test::ScratchDirectory folder;
  const std::string path = folder / "s.db";
  Database(path).run(
      "CREATE TABLE fansim_explore (key TEXT PRIMARY KEY, value TEXT NOT NULL);"
      "CREATE TABLE points (key TEXT UNIQUE NOT NULL, value TEXT NOT NULL);"
      "CREATE TABLE memo (key TEXT UNIQUE NOT NULL, value TEXT NOT NULL);"
      "INSERT INTO fansim_explore VALUES ('format', '2'), ('program', '0.1.0 build 0123456789abcdef'),"
      " ('space', 'abc'), ('network', 'def');"
      "INSERT INTO points VALUES ('a=1', 'misfit x')");
  const std::string before = base::read_file(path);
  CHECK(refused(path) == path +
                             ": is a store of format '2', so of another build; this one's is 3: name another file, or "
                             "go on with the build that made it");
  CHECK(base::read_file(path) == before);
}

TEST_CASE("a store for one process alone lets no other in and the next when that has gone") {
  const test::ScratchDirectory folder;
  const std::string path = folder / "s.db";
  {
    Store one(path, kIdentity, Database::Users::one);
    one.put(Table::points, "a=1", "x");
    one.flush();
    CHECK(std::filesystem::exists(path + "-wal"));
    CHECK_FALSE(std::filesystem::exists(path + "-shm"));
    const std::string said = test::message_of([&] { const Store two(path, kIdentity, Database::Users::one); });
    CHECK(said == path + ": is in use by another process, which lets nobody else write");
    one.put(Table::points, "a=2", "y");
  }
  const Store next(path, kIdentity, Database::Users::one);
  CHECK(next.size(Table::points) == 2);
}

TEST_CASE("a damaged row is named") {
  const test::ScratchDirectory folder;
  const Space space = searched_space();
  const test::Synthetic model(space);
  search_in(space, model, folder / "s.db");
  Database(folder / "s.db").run("UPDATE points SET value = 'scored 1 2' WHERE key = 'a=1 b=1 c=1'");
  CHECK_THROWS_WITH(search_in(space, model, folder / "s.db"),
                    "--resume: the store's row of 'a=1 b=1 c=1' is damaged: 'scored 1 2'");
}

TEST_CASE("outcomes survive being text with every number exact") {
  base::Random random(9);
  for (int trial = 0; trial < 200; ++trial) {
    Outcome outcome;
    for (double& metric : outcome.metrics)
      metric = std::ldexp(static_cast<double>(random.next()), random.uniform(-99, 20));
    const auto back = outcome_of(to_text(outcome));
    REQUIRE(back);
    REQUIRE(back->metrics == outcome.metrics);
  }
  CHECK(outcome_of(to_text(Outcome::misfit("BRAM36 1024 of 912")))->reason == "BRAM36 1024 of 912");
  CHECK(outcome_of(to_text(Outcome::failed("signal 11")))->kind == Outcome::Kind::failed);
  CHECK_FALSE(outcome_of("scored 1 2 3"));
  CHECK_FALSE(outcome_of("scord"));
}

TEST_CASE("a search that is killed and resumed gives the front of one that was not and repeats little") {
  const Space space = searched_space();
  const test::Synthetic reference(space);
  const SearchResult whole = search(space, reference, {});
  const test::ScratchDirectory folder;
  const pid_t child = start_search(space, folder / "s.db");
  std::size_t kept = 0;
  for (int i = 0; i < 600 && kept == 0; ++i) {
    ::usleep(20'000);
    if (std::filesystem::exists(folder / "s.db")) kept = Store(folder / "s.db", kIdentity).size(Table::points);
  }
  ::kill(child, SIGKILL);
  code_of(child);
  REQUIRE(kept > 0);
  const test::Synthetic model(space);
  const SearchResult resumed = search_in(space, model, folder / "s.db");
  CHECK(test::points_of(resumed.front) == test::points_of(whole.front));
  CHECK(resumed.counts.evaluated == whole.counts.evaluated);
  CHECK(resumed.counts.from_store >= static_cast<std::int64_t>(kept));
  CHECK(model.evaluations == resumed.counts.evaluated - resumed.counts.from_store);
}

TEST_CASE("two processes search with one store at a time") {
  const Space space = searched_space();
  const test::Synthetic reference(space);
  const SearchResult whole = search(space, reference, {});
  const test::ScratchDirectory folder;
  const pid_t one = start_search(space, folder / "s.db"), other = start_search(space, folder / "s.db");
  CHECK(code_of(one) == 0);
  CHECK(code_of(other) == 0);
  const test::Synthetic model(space);
  const SearchResult again = search_in(space, model, folder / "s.db");
  CHECK(model.evaluations == 0);
  CHECK(again.counts.from_store == again.counts.evaluated);
  CHECK(again.counts.evaluated == whole.counts.evaluated);
  CHECK(test::points_of(again.front) == test::points_of(whole.front));
}

}  // namespace fansim::store_test
