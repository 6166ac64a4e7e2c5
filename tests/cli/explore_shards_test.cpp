// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "explore/database.h"
#include "program.h"

namespace fansim::explore_shards_test {

using nlohmann::json;
using test::Outcome;
using test::run_program;

namespace {

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::vector<std::string> kSearch{"explore", "tiny_stream", "tiny_conv", "--jobs", "1"};

std::string refusal(const std::vector<std::string>& more) {
  const Outcome outcome = run_program(with(kSearch, more));
  CHECK(outcome.code == 2);
  return outcome.err;
}

}  // namespace

TEST_CASE("shares merge into the files that one task writes") {
  const test::ScratchDirectory folder;
  const std::string shared = folder / "shared";
  REQUIRE(run_program(with(kSearch, {"--csv", folder / "one.csv", "--json", folder / "one.json"})).code == 0);
  for (const char* shard : {"2/3", "1/3", "3/3"}) {
    const Outcome outcome = run_program(with(kSearch, {"--shard", shard, "--dir", shared}));
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(outcome.out, Catch::Contains(std::string("task ") + shard[0] + " of 3: "));
  }
  const Outcome status = run_program({"explore", "--status", shared});
  CHECK(status.code == 0);
  CHECK_THAT(status.first_line(), Catch::Contains("100.0 % of 3 tasks; 3 finished, 0 running"));
  const Outcome merged =
      run_program({"explore", "merge", shared, "--csv", folder / "all.csv", "--json", folder / "all.json"});
  CAPTURE(merged.err);
  REQUIRE(merged.code == 0);
  CHECK(base::read_file(folder / "all.csv") == base::read_file(folder / "one.csv"));
  const json all = json::parse(base::read_file(folder / "all.json")),
             one = json::parse(base::read_file(folder / "one.json"));
  CHECK(all["front"] == one["front"]);
  CHECK(all["proven"] == true);
  CHECK(all["counts"]["points"] == one["counts"]["points"]);
}

TEST_CASE("a killed task goes on where it was and an unfinished search says which tasks lack") {
  const test::ScratchDirectory folder;
  const std::string shared = folder / "shared";
  const std::vector<std::string> search{"explore", "uestc_stream", "alexnet", "--jobs", "1"};
  REQUIRE(run_program(with(search, {"--csv", folder / "one.csv"})).code == 0);
  REQUIRE(run_program(with(search, {"--shard", "1/2", "--dir", shared})).code == 0);
  for (const int milliseconds : {20, 60, 150}) {
    const pid_t child = test::start_program(with(search, {"--shard", "2/2", "--dir", shared}));
    ::usleep(static_cast<unsigned>(milliseconds) * 1000);
    ::kill(child, SIGKILL);
    test::wait_for(child);
  }
  const Outcome early = run_program({"explore", "merge", shared});
  if (early.code != 0) {  // it may have been faster
    CHECK(early.code == 1);
    CHECK_THAT(early.err, Catch::Contains("not finished: task 2; the front is that of what has been seen"));
  }
  REQUIRE(run_program(with(search, {"--shard", "2/2", "--dir", shared})).code == 0);
  REQUIRE(run_program({"explore", "merge", shared, "--csv", folder / "all.csv"}).code == 0);
  CHECK(base::read_file(folder / "all.csv") == base::read_file(folder / "one.csv"));
}

TEST_CASE("an array job and a merge job are submitted as sbatch takes them") {
  const test::ScratchDirectory folder;
  const std::string sbatch = folder / "sbatch", shared = folder / "it's shared";
  base::write_file(sbatch, "#!/bin/sh\necho \"$@\" >> " + (folder / "asked") + "\necho \"41;here\"\n");
  ::chmod(sbatch.c_str(), 0755);
  const auto in_path = [&] { ::setenv("PATH", (folder.path() + ":/usr/bin:/bin").c_str(), 1); };
  const Outcome outcome = run_program(
      with(kSearch, {"--slurm", "--array", "5", "--partition", "long", "--time", "1:00:00", "--dir", shared}), in_path);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("job 41 of 5 tasks, then job 41 merges them"));
  CHECK_THAT(base::read_file(folder / "asked"), Catch::Contains("--dependency=afterany:41"));
  const std::string tasks = base::read_file(shared + "/tasks.sh");
  CHECK_THAT(tasks, Catch::Contains("#SBATCH --array=1-5") && Catch::Contains("#SBATCH --partition=long") &&
                        Catch::Contains("#SBATCH --time=1:00:00") && Catch::Contains("--requeue") &&
                        Catch::Contains("--shard \"$SLURM_ARRAY_TASK_ID/5\""));
  // Each task runs this.
  for (int i = 1; i <= 5; ++i)
    CHECK(std::system(("SLURM_ARRAY_TASK_ID=" + std::to_string(i) + " sh '" + folder.path() +
                       "/it'\"'\"'s shared/tasks.sh' > /dev/null")
                          .c_str()) == 0);
  CHECK(run_program({"explore", "merge", shared}).code == 0);
}

TEST_CASE("an array larger than the cluster takes is refused before anything is submitted") {
  const test::ScratchDirectory folder;
  const auto script = [&](const char* name, const std::string& text) {
    base::write_file(folder / name, "#!/bin/sh\n" + text);
    ::chmod((folder / name).c_str(), 0755);
  };
  script("sbatch", "echo 7\n");
  const auto in_path = [&] { ::setenv("PATH", (folder.path() + ":/usr/bin:/bin").c_str(), 1); };
  const auto submit = [&](const char* tasks) {
    return run_program(with(kSearch, {"--slurm", "--array", tasks, "--dir", folder / "d"}), in_path);
  };
  script("scontrol", "echo 'MaxArraySize            = 1001'\necho 'MaxDBDMsgs              = 20000'\n");
  const Outcome large = submit("1001");
  CHECK(large.code == 2);
  CHECK(large.err ==
        "explore: --slurm: --array 1001: this cluster allows 1..1000, less than MaxArraySize of its "
        "slurm.conf\n");
  CHECK_FALSE(std::filesystem::exists(folder / "d"));
  CHECK(submit("1000").code == 0);
  script("scontrol", "echo 'MaxArraySize            = 0'\n");
  CHECK_THAT(submit("1").err, Catch::Contains("takes no array jobs"));
  for (const char* silent : {"exit 1\n", "echo 'MaxArraySize = (null)'\n", ""}) {
    script("scontrol", silent);
    CHECK(submit("100000").code == 0);
  }
}

TEST_CASE("sbatch that fails or is not there is told in its words") {
  const test::ScratchDirectory folder;
  const std::string sbatch = folder / "sbatch";
  const auto in_path = [&] { ::setenv("PATH", (folder.path() + ":/usr/bin:/bin").c_str(), 1); };
  const std::vector<std::string> words = with(kSearch, {"--slurm", "--array", "2", "--dir", folder / "d"});
  base::write_file(sbatch, "#!/bin/sh\necho 'sbatch: error: invalid partition' >&2\nexit 1\n");
  ::chmod(sbatch.c_str(), 0755);
  const Outcome failed = run_program(words, in_path);
  CHECK(failed.code == 2);
  CHECK_THAT(failed.err, Catch::Contains("invalid partition"));
  const auto nowhere = [&] { ::setenv("PATH", "/nowhere", 1); };
  const Outcome none = run_program(words, nowhere);
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Catch::Contains("sbatch"));
}

TEST_CASE("a method without shares is refused before there is a folder or a job") {
  const test::ScratchDirectory folder;
  const std::string space = folder / "space.yaml", shared = folder / "d";
  const std::string shipped = base::read_file(std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/tiny_stream.yaml");
  const std::size_t config = shipped.find("config: ../systems/");
  REQUIRE(config != std::string::npos);
  std::string text = shipped;
  text.replace(config, std::string("config: ../systems/tiny_stream.yaml").size(),
               "config: " + test::config("tiny_stream"));
  base::write_file(space, text + "search: {method: nsga2}\n");
  for (const std::vector<std::string>& share :
       {std::vector<std::string>{"--shard", "1/2"}, std::vector<std::string>{"--slurm", "--array", "2"}}) {
    std::vector<std::string> arguments{"explore", space, "tiny_conv", "--dir", shared};
    arguments.insert(arguments.end(), share.begin(), share.end());
    const Outcome refused = run_program(arguments);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Catch::Contains("nsga2 has no shares"));
    CHECK_FALSE(std::filesystem::exists(shared));
  }
  base::write_file(space, text);
  CHECK(run_program({"explore", space, "tiny_conv", "--shard", "1/2", "--dir", shared}).code == 0);
}

TEST_CASE("shares that make no sense are refused with what is allowed") {
  const test::ScratchDirectory folder;
  const std::string shared = folder / "d";
  for (const char* shard : {"0/3", "4/3", "1", "1/0", "a/b", "-1/3", "1/999999999", "/"})
    CHECK_THAT(refusal({"--shard", shard, "--dir", shared}), Catch::Contains("allowed: I/N"));
  CHECK_THAT(refusal({"--shard", "1/2"}), Catch::Contains("--shard needs --dir"));
  CHECK_THAT(refusal({"--dir", shared}), Catch::Contains("--dir needs --shard or --slurm"));
  CHECK_THAT(refusal({"--slurm", "--dir", shared}), Catch::Contains("--array says how many tasks"));
  CHECK_THAT(refusal({"--array", "3"}), Catch::Contains("--array needs --slurm"));
  CHECK_THAT(refusal({"--shard", "1/2", "--dir", shared, "--json", "x.json"}), Catch::Contains("explore merge DIR"));
  CHECK_THAT(refusal({"--shard", "1/2", "--slurm", "--array", "2", "--dir", shared}), Catch::Contains("exclude"));
  CHECK(test::files_in(folder.path()).empty());
  const Outcome none = run_program({"explore", "merge", shared});
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Catch::Contains("plan.json"));
  CHECK(run_program({"explore", "--status", shared}).code == 2);
  REQUIRE(run_program(with(kSearch, {"--shard", "1/2", "--dir", shared})).code == 0);
  CHECK_THAT(refusal({"--shard", "1/3", "--dir", shared}), Catch::Contains("divided among 2 tasks, not 3"));
  CHECK_THAT(refusal({"--shard", "1/2", "--dir", shared, "--seed", "2"}), Catch::Contains("has the seed 1, not 2"));
}

TEST_CASE("a task is done by one process at a time and --status knows the storage's clock alone") {
  const test::ScratchDirectory folder;
  const std::string shared = folder / "shared";
  const std::vector<std::string> share = with(kSearch, {"--shard", "1/2", "--dir", shared});
  REQUIRE(run_program(share).code == 0);
  {
    const explore::Database held(shared + "/task-1/store.db", explore::Database::Users::one);
    const Outcome second = run_program(share);
    CHECK(second.code == 2);
    CHECK(second.err == shared + "/task-1/store.db: is in use by another process, which lets nobody else write\n");
  }
  CHECK(run_program(share).code == 0);
  // This host's clock is off by decades, but it reported a moment ago.
  json task = json::parse(base::read_file(shared + "/task-1/told.json"));
  task["state"] = "running";
  task["fraction"] = 0.5;
  task["began"] = 1000.0;
  task["told"] = 1000.0 + 3600;
  base::write_file(shared + "/task-1/told.json", task.dump());
  const Outcome status = run_program({"explore", "--status", shared});
  CHECK_THAT(status.out, Catch::Contains("0 finished, 1 running, 0 stopped, 0 silent, 1 waiting") &&
                             Catch::Contains("1:00:0") && !Catch::Contains("nothing told"));
  std::filesystem::last_write_time(shared + "/task-1/told.json",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::minutes(5));
  CHECK_THAT(run_program({"explore", "--status", shared}).out, Catch::Contains("0 running, 0 stopped, 1 silent"));
}

TEST_CASE("parts of a sweep are its rows one behind the other") {
  const test::ScratchDirectory folder;
  const std::vector<std::string> sweep{"sweep",  "tiny_stream",        "tiny_conv", "--vary", "host.dma_setup=0,50,100",
                                       "--vary", "axi.outstanding=1,2"};
  const auto rows = [&](const std::vector<std::string>& more) {
    const Outcome outcome = run_program(with(sweep, with(more, {"--csv", folder / "s.csv"})));
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    const std::string csv = base::read_file(folder / "s.csv");
    const std::size_t header = csv.find('\n') + 1;
    return std::pair{csv.substr(0, header), csv.substr(header)};
  };
  const auto [header, whole] = rows({});
  std::string parts;
  for (const char* part : {"1/4", "2/4", "3/4", "4/4"}) {
    const auto [same, some] = rows({"--shard", part});
    CHECK(same == header);
    CHECK_FALSE(some.empty());
    parts += some;
  }
  CHECK(parts == whole);
  const Outcome none = run_program(with(sweep, {"--shard", "1/9"}));
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Catch::Contains("of 6 points that part has none"));
  CHECK_THAT(run_program(with(sweep, {"--shard", "3/2"})).err, Catch::Contains("allowed: I/N"));
}

}  // namespace fansim::explore_shards_test
