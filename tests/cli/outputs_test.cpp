// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/file.h"
#include "program.h"

namespace fansim::outputs_test {

using test::config;
using test::model;
using test::Outcome;
using test::run_program;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

const std::string kTiny = config("tiny_stream");
const std::string kNet = model("tiny_conv");

Words run_with(const Words& more) {
  Words words{"run", kTiny, kNet};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void refused(const Outcome& outcome, const std::string& message) {
  CAPTURE(outcome.err);
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains(message));
  CHECK(outcome.out.empty());
}

mode_t mode_of(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
}

// Limits the size of files, as on a file system with no more room.
void limit_files(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace

TEST_CASE("an output with a second name is the same file under both afterwards and untouched if the run fails") {
  const test::ScratchDirectory folder;
  base::write_file(folder / "a", "older");
  std::filesystem::create_hard_link(folder / "a", folder / "b");
  CHECK(run_program(run_with({"--json", folder / "a", "--csv", folder / "b"})).code == 2);
  CHECK(run_program(run_with({"--json", folder / "a", "--layers", "conv9"})).code == 2);
  CHECK(base::read_file(folder / "b") == "older");
  REQUIRE(run_program(run_with({"--json", folder / "a"})).code == 0);
  CHECK(std::filesystem::equivalent(folder / "a", folder / "b"));
  CHECK(Json::parse(base::read_file(folder / "b")).contains("layers"));
  const auto files = std::filesystem::directory_iterator(folder.path());
  CHECK(std::distance(begin(files), end(files)) == 2);
}

TEST_CASE("an output with a second name for which there is no room stays as it was") {
  const test::ScratchDirectory folder;
  base::write_file(folder / "a", std::string(2'000, 'x'));
  std::filesystem::create_hard_link(folder / "a", folder / "b");
  // Its temporary file is as long as it, so that one is refused first; what is shorter takes its place.
  CHECK(run_program(run_with({"--json", folder / "a"}), [] { limit_files(3'000); }).code == 2);
  CHECK(base::read_file(folder / "b") == std::string(2'000, 'x'));
  REQUIRE(run_program(run_with({"--csv", folder / "a"}), [] { limit_files(3'000); }).code == 0);
  const std::string csv = base::read_file(folder / "b");
  CHECK_THAT(csv, Catch::Contains("conv1") && !Catch::Contains("xx"));
  CHECK(std::filesystem::equivalent(folder / "a", folder / "b"));
}

TEST_CASE("what an existing output is stays: its links and its mode and a pipe") {
  const test::ScratchDirectory folder;
  base::write_file(folder / "file", "older");
  std::filesystem::permissions(folder / "file", std::filesystem::perms{0640});
  std::filesystem::create_symlink("file", folder / "link");
  std::filesystem::create_symlink("new", folder / "dangling");
  CHECK(run_program(run_with({"--json", folder / "link", "--csv", folder / "dangling"})).code == 0);
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(Json::parse(base::read_file(folder / "file")).contains("layers"));
  CHECK(mode_of(folder / "file") == 0640);
  CHECK(std::filesystem::is_symlink(folder / "dangling"));
  CHECK_THAT(base::read_file(folder / "new"), Catch::Contains("conv1"));

  ::mkfifo((folder / "pipe").c_str(), 0600);
  std::filesystem::create_hard_link(folder / "pipe", folder / "same pipe");
  for (const char* option : {"--json", "--csv", "--counters", "--vcd"}) {
    CAPTURE(option);
    auto read = std::async(std::launch::async, [&] { return base::read_file(folder / "pipe"); });
    CHECK(run_program(run_with({option, folder / "pipe"})).code == 0);
    CHECK(std::filesystem::is_fifo(folder / "pipe"));
    ::close(::open((folder / "same pipe").c_str(), O_WRONLY | O_NONBLOCK));  // ends the reader whatever happened
    CHECK(read.get().size() > 100);
  }
}

TEST_CASE("an output may be standard output under any of its names and the text then is not") {
  const test::ScratchDirectory folder;
  std::filesystem::create_symlink("/proc/self/fd/1", folder / "stdout");
  const auto there = [&] { ::chdir(folder.path().c_str()); };
  for (const std::string& name : {std::string("-"), folder / "stdout"}) {
    CAPTURE(name);
    const Outcome json = run_program(run_with({"--json", name}), there);
    CHECK(json.code == 0);
    CHECK(Json::parse(json.out).contains("layers"));
    CHECK_THAT(json.err, Catch::Contains("tiny_conv on tiny_stream"));
    CHECK(Json::parse(run_program(run_with({"--counters", name}), there).out).contains("layers"));
    CHECK(run_program(run_with({"--csv", name}), there).out.rfind("name,", 0) == 0);
    CHECK(run_program(run_with({"--vcd", name, "--vcd-window", "10:20"}), there).out.rfind("$date", 0) == 0);
    CHECK(Json::parse(run_program({"reproduce", "wp490", "--json", name}, there).out).contains("rows"));
  }
  for (const char* option : {"--json", "--html"}) {
    const Outcome explored = run_program(
        {"explore", std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/tiny_tiled.yaml", model("lenet5"), option, "-"},
        there);
    CHECK(explored.code == 0);
    CHECK((option[2] == 'j' ? Json::accept(explored.out) : explored.out.rfind("<!DOCTYPE html>", 0) == 0));
  }
  base::write_file(folder / "s.csv", "op,address\nread,4\n");
  CHECK(run_program({"drive", "dma", folder / "s.csv", "--out", "-"}, there).out.rfind("cycle,event", 0) == 0);
  std::filesystem::remove(folder / "s.csv");
  const Outcome both = run_program(run_with({"--csv", "-", "--json", folder / "r.json"}), there);
  CHECK(both.code == 0);
  CHECK(test::files_in(folder.path()) == Words{"r.json", "stdout"});
}

TEST_CASE("a device is written in place and is not standard output because that is one too") {
  const test::ScratchDirectory folder;
  const std::string null = folder / "null", err = folder / "err";
  if (::mknod(null.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0 || ::access(null.c_str(), W_OK) != 0) {
    WARN("no device of one's own here");
    return;
  }
  CHECK(test::wait_for(test::start_program(run_with({"--json", null, "--csv", null}), {null, err})) == 0);
  CHECK(base::read_file(err).empty());
  CHECK(std::filesystem::is_character_file(null));
}

TEST_CASE("standard output that takes nothing is an error and the other files are written") {
  const test::ScratchDirectory folder;
  for (const Words& words : {run_with({"--json", folder / "r.json"}), Words{"list"}, Words{"describe", "array"},
                             Words{"estimate", kTiny}, Words{"--version"}, run_with({"--csv", "-"})}) {
    CAPTURE(words);
    const std::string err = folder / "err";
    CHECK(test::wait_for(test::start_program(words, {"/dev/full", err})) == 2);
    CHECK(base::read_file(err).find("standard output: cannot write: No space left on device\n") != std::string::npos);
    const auto closed = [] { ::close(STDOUT_FILENO); };
    CHECK(test::wait_for(test::start_program(words, {"/dev/null", err, closed})) == 2);
    CHECK(base::read_file(err).find("standard output: cannot write: Bad file descriptor\n") != std::string::npos);
  }
  CHECK(Json::parse(base::read_file(folder / "r.json")).contains("layers"));
}

TEST_CASE("a reader that has gone keeps no file from being written") {
  const test::ScratchDirectory folder;
  const auto gone = [] {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(126);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
  };
  CHECK(run_program(run_with({"--json", folder / "r.json", "--csv", folder / "r.csv"}), gone).code == 0);
  CHECK(test::files_in(folder.path()) == Words{"r.csv", "r.json"});
  CHECK(run_program(run_with({"--json", "-"}), gone).code == 0);
  ::mkfifo((folder / "pipe").c_str(), 0600);
  auto read = std::async(std::launch::async, [&] { return base::read_file(folder / "pipe"); });
  CHECK(run_program(run_with({"--csv", folder / "pipe"}), gone).code == 0);
  ::close(::open((folder / "pipe").c_str(), O_WRONLY | O_NONBLOCK));
  CHECK_THAT(read.get(), Catch::Contains("conv1"));
}

TEST_CASE("a standard error that takes nothing changes neither the exit code nor the files") {
  const test::ScratchDirectory folder;
  const auto closed = [] { ::close(STDERR_FILENO); };
  const auto full = [] { ::dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO); };
  for (const std::function<void()>& prepare : {std::function<void()>(closed), std::function<void()>(full)}) {
    CHECK(run_program({"run", kTiny, folder / "none"}, prepare).code == 2);
    const Outcome outcome =
        run_program(run_with({"--cross-check", "--timing-only", "--json", folder / "r.json"}), prepare);
    CHECK(outcome.code == 0);
    CHECK(Json::parse(base::read_file(folder / "r.json")).contains("layers"));
    std::filesystem::remove(folder / "r.json");
  }
}

TEST_CASE("a waveform that outgrows its file system is an error and leaves what was there") {
  const test::ScratchDirectory folder;
  base::write_file(folder / "w.vcd", "older");
  const Outcome outcome = run_program(run_with({"--vcd", folder / "w.vcd"}), [] { limit_files(20'000); });
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains(folder / "w.vcd: cannot write: File too large"));
  CHECK(base::read_file(folder / "w.vcd") == "older");
  CHECK(test::files_in(folder.path()) == Words{"w.vcd"});
}

TEST_CASE("one output that cannot be written keeps no other from being written") {
  const test::ScratchDirectory folder;
  const Outcome outcome = run_program(run_with({"--json", folder / "r.json", "--csv", folder / "r.csv"}),
                                      [] { limit_files(3'000); });  // the JSON is longer, the CSV shorter
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains(folder / "r.json: cannot write: File too large"));
  CHECK(test::files_in(folder.path()) == Words{"r.csv"});
}

TEST_CASE("paths that lead nowhere are errors of the user whatever is wrong with them") {
  const test::ScratchDirectory folder;
  const std::string longer(300, 'a');
  std::filesystem::create_symlink("loop", folder / "loop");
  base::write_file(folder / "file", "");
  for (const auto& [path, reason] :
       {std::pair{folder / longer, "File name too long"},
        std::pair{folder / "loop", "Too many levels of symbolic links"},
        std::pair{folder / "file/x", "Not a directory"}, std::pair{folder.path(), "Is a directory"}}) {
    CAPTURE(path);
    refused(run_program({"run", kTiny, path}), path + ": cannot read: " + reason);
    refused(run_program({"run", path, kNet}), path + ": cannot read: " + reason);
    refused(run_program({"drive", "dma", path}), path + ": cannot read: " + reason);
    for (const char* option : {"--json", "--csv", "--vcd", "--counters"})
      refused(run_program(run_with({option, path})), path + ": cannot write: " + reason);
    refused(run_program({"reproduce", "wp490", "--json", path}), path + ": cannot write: " + reason);
  }
  refused(run_program(run_with({"--dump", folder / "loop"})), "loop: cannot write");
  refused(run_program(run_with({"--set", "device=" + folder / "loop"})), "loop");
  refused(run_program({"explore", folder / "loop", kNet}), "loop: cannot read");
  refused(run_program(run_with({"--json", ""})), "--json: expected a value");
  // The longest possible name works.
  const std::string longest(255, 'b');
  CHECK(run_program(run_with({"--json", folder / longest})).code == 0);
}

TEST_CASE("an output that is an input or another output is refused before anything runs") {
  const test::ScratchDirectory folder;
  const auto copy = [&](const std::string& from, const std::string& to) {
    base::write_file(folder / to, base::read_file(from));
  };
  copy(kNet, "net.yaml");
  std::filesystem::create_symlink("net.yaml", folder / "link.yaml");
  for (const char* option : {"--json", "--csv", "--vcd", "--counters"})
    refused(run_program({"run", kTiny, folder / "net.yaml", option, folder / "link.yaml"}),
            "link.yaml: cannot write: is an input of this command");
  CHECK(base::read_file(folder / "net.yaml") == base::read_file(kNet));
  refused(run_program(run_with({"--json", folder / "r", "--csv",
                                folder / "../" + std::filesystem::path(folder.path()).filename().string() + "/r"})),
          "/r: cannot write: is another output of this command");

  base::write_file(folder / "s.csv", "op,address\nread,4\n");
  refused(run_program({"drive", "dma", folder / "s.csv", "--out", folder / "s.csv"}), "is an input");

  REQUIRE(run_program(run_with({"--dump", folder / "dump"})).code == 0);
  std::filesystem::create_hard_link(folder / "dump/conv2.npy", folder / "in.npy");
  const Outcome input = run_program(run_with({"--dump", folder / "dump", "--input", folder / "in.npy"}));
  CHECK(input.code == 2);

  const std::string space = std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/tiny_tiled.yaml";
  refused(run_program({"explore", space, model("lenet5"), "--resume", folder / "e", "--json", folder / "e"}),
          "is another output of this command");
}

TEST_CASE("bytes that are not UTF-8 are refused in a file and lose nothing in a name") {
  const test::ScratchDirectory folder;
  std::string net = base::read_file(kNet);
  net.replace(net.find("name: tiny_conv"), 15,
              "name: tiny\xff"
              "conv");
  base::write_file(folder / "net.yaml", net);
  refused(run_program({"run", kTiny, folder / "net.yaml"}), ":11: byte 0xff is not UTF-8");
  refused(run_program(run_with({"--set", "name=a\xff"})), "byte 0xff is not UTF-8");

  const std::string odd = folder / "it's \xff\x1b[1m";
  const Outcome outcome = run_program(run_with({"--json", odd, "--timing-only"}));
  CHECK(outcome.code == 0);
  const std::string command = Json::parse(base::read_file(odd))["tool"]["command"];
  CHECK_THAT(command, Catch::EndsWith("it\\'s \\xff\\x1b[1m' --timing-only"));
  refused(run_program({"run", kTiny, odd + "?"}), folder / "it's \\xff\\x1b[1m?: cannot read");
}

TEST_CASE("a command in a report is the same words to a shell whatever is in them") {
  const test::ScratchDirectory folder;
  const Words names{"a'b",
                    "$(touch x)",
                    "`touch x`",
                    "a\\b",
                    "'; touch x; '",
                    "\n\t\x01\x7f",
                    "a\xff"
                    "1",
                    "~",
                    "#",
                    "!x",
                    "é"};
  for (const std::string& name : names) {
    CAPTURE(name);
    const std::string file = folder / name;
    REQUIRE(run_program(run_with({"--timing-only", "--json", file})).code == 0);
    const std::string command = Json::parse(base::read_file(file))["tool"]["command"];
    const std::string script = "fansim() { printf %s \"$6\" >" + folder / "word; }\n" + command;
    base::write_file(folder / "script", script);
    REQUIRE(std::system(("cd " + folder.path() + " && bash script").c_str()) == 0);
    CHECK(base::read_file(folder / "word") == file);
    CHECK_FALSE(std::filesystem::exists(folder / "x"));
  }
}

TEST_CASE("what a killed process left is gone after the next one") {
  const test::ScratchDirectory folder, temporary;
  const auto prepare = [&] { ::setenv("TMPDIR", temporary.path().c_str(), 1); };
  const Words recorded = run_with({"--vcd", folder / "w.vcd", "--vcd-window", "10:20"});
  const auto kill_when_busy = [&](const Words& words, const test::ScratchDirectory& where) {
    const pid_t child = test::start_program(words, {"/dev/null", "/dev/null", prepare});
    for (int i = 0; i < 1000 && test::files_in(where.path()).empty(); ++i) ::usleep(5'000);
    ::kill(child, SIGKILL);
    CHECK(test::wait_for(child) == 1000 + SIGKILL);
  };
  kill_when_busy({"run", config("zcu102_stream"), model("vgg16"), "--timing-only", "--vcd", folder / "w.vcd",
                  "--vcd-layer", "conv1_1"},
                 folder);
  REQUIRE_FALSE(test::files_in(folder.path()).empty());
  kill_when_busy({"explore", std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/faq_alexnet.yaml", model("alexnet")},
                 temporary);
  REQUIRE_FALSE(test::files_in(temporary.path()).empty());
  // Another process holds this file; its number is from some other host.
  const std::string others = "w.vcd.1.0.tmp";
  base::write_file(folder / others, "");
  const int held = ::open((folder / others).c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(::flock(held, LOCK_EX) == 0);
  CHECK(run_program(recorded, prepare).code == 0);
  CHECK(test::files_in(folder.path()) == Words{"w.vcd", others});
  ::close(held);
  CHECK(run_program(recorded, prepare).code == 0);
  CHECK(test::files_in(folder.path()) == Words{"w.vcd"});
  const std::string space = std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/tiny_tiled.yaml";
  CHECK(run_program({"explore", space, model("lenet5"), "--json", folder / "e.json"}, prepare).code == 0);
  CHECK(test::files_in(temporary.path()).empty());
}

TEST_CASE("a folder for temporary files that is not there is an error of the user") {
  const test::ScratchDirectory folder;
  const auto prepare = [&] { ::setenv("TMPDIR", (folder / "none").c_str(), 1); };
  const std::string space = std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/tiny_tiled.yaml";
  refused(run_program({"explore", space, model("lenet5")}, prepare), "none: takes no temporary folder");
  refused(run_program({"reproduce", "kassel"}, prepare), "none: takes no temporary folder");
}

}  // namespace fansim::outputs_test
