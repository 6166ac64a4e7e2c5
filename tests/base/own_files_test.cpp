// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/build_id.h"
#include "base/data.h"
#include "base/file.h"
#include "base/output_files.h"
#include "base/output_folder.h"
#include "base/own_name.h"
#include "support/user_error.h"

namespace fansim::own_files_test {

namespace {

std::string read_all(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 256> part{};
  while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe)) text.append(part.data(), read);
  ::pclose(pipe);
  return text;
}

// Not by base::read_file, which makes it an input that is not to be written.
std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

mode_t mode_of(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
}

// Starts a process that makes what `make` does and then waits to be killed.
template <class Make>
pid_t start_maker(const Make& make) {
  std::array<int, 2> made{};
  REQUIRE(::pipe(made.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    make();
    (void)!::write(made[1], "x", 1);
    for (;;) ::pause();
  }
  char byte = 0;
  REQUIRE(::read(made[0], &byte, 1) == 1);
  ::close(made[0]);
  ::close(made[1]);
  return child;
}

}  // namespace

TEST_CASE("what a process is making stays while it runs and what it left goes when it has been killed") {
  for (const bool folders : {false, true}) {
    CAPTURE(folders);
    const test::ScratchDirectory scratch;
    const auto make = [&](const std::string& path) {
      return folders ? base::make_own_folder(path) : base::make_own_file(path);
    };
    const pid_t maker = start_maker([&] { make(scratch / "a"); });
    const auto is_empty = [&] { return std::filesystem::is_empty(scratch.path()); };
    base::remove_stale(scratch / "a");
    CHECK_FALSE(is_empty());
    ::kill(maker, SIGKILL);
    ::waitpid(maker, nullptr, 0);
    // Asked once, this process looks no more; under another stem nothing is its.
    base::remove_stale(scratch / "a");
    base::remove_stale(scratch / "b");
    CHECK_FALSE(is_empty());
    const pid_t next = start_maker([&] { base::remove_stale(scratch.path() + "/./a"); });
    CHECK(is_empty());
    ::kill(next, SIGKILL);
    ::waitpid(next, nullptr, 0);
  }
}

TEST_CASE("names of one's own are new ones and an errno says why there is none") {
  const test::ScratchDirectory scratch;
  const base::Own one = base::make_own_file(scratch / "a"), two = base::make_own_file(scratch / "a");
  CHECK(one.name != two.name);
  CHECK(base::make_own_file(scratch / "none/a").descriptor < 0);
  CHECK(errno == ENOENT);
  ::close(one.descriptor);
  ::close(two.descriptor);
}

TEST_CASE("files that belong together take their places together with their modes and the one that names them last") {
  const test::ScratchDirectory scratch;
  const std::string folder = scratch / "deep/net";
  const auto write = [&](base::OutputFolder& files, const std::string& content) {
    base::write_file(files.at("a"), content);
    base::write_file(files.at("main"), content + " a");
  };
  {
    base::OutputFolder files(folder, {"a", "main"});
    write(files, "1");
    CHECK_FALSE(base::exists(folder + "/a"));
    files.keep();
  }
  CHECK(content_of(folder + "/main") == "1 a");
  ::chmod((folder + "/a").c_str(), 0640);
  ::chmod((folder + "/main").c_str(), 0600);
  {
    base::OutputFolder lost(folder, {"a", "main"});
    write(lost, "2");
  }
  CHECK(content_of(folder + "/a") == "1");
  base::OutputFolder files(folder, {"a", "main"});
  write(files, "3");
  files.keep();
  CHECK(content_of(folder + "/a") == "3");
  CHECK((mode_of(folder + "/a") == 0640 && mode_of(folder + "/main") == 0600));
}

TEST_CASE("a set is an error and nothing of it is there if its folder or one of its files cannot be") {
  const test::ScratchDirectory scratch;
  base::write_file(scratch / "file", "");
  CHECK_THAT(test::message_of([&] { base::OutputFolder files(scratch / "file", {"a"}); }),
             Catch::Contains("file: cannot write: "));
  std::filesystem::create_directories(scratch / "net/main");
  CHECK(test::message_of([&] {
          base::OutputFolder files(scratch / "net", {"a", "main"});
        }) == scratch / "net/main: cannot write: Is a directory");
  CHECK_FALSE(base::exists(scratch / "net/a"));
}

TEST_CASE("of several who make a file where there is none the first does") {
  const test::ScratchDirectory scratch;
  base::OutputFile one(scratch / "f"), two(scratch / "f");
  one.write("one");
  two.write("two");
  CHECK(two.keep_if_none());
  CHECK_FALSE(one.keep_if_none());
  CHECK(base::read_file(scratch / "f") == "two");
}

TEST_CASE("the build id is the one that the linker noted") {
  CHECK_THAT(base::build_id(), Catch::Matches("[0-9a-f]{40}"));
  CHECK_THAT(read_all("readelf -n /proc/" + std::to_string(::getpid()) + "/exe"), Catch::Contains(base::build_id()));
}

TEST_CASE("a program of a build finds the sources' data") {
  CHECK(base::data_path("configs/systems") == std::string(FANSIM_SOURCE_DIR) + "/configs/systems");
}

}  // namespace fansim::own_files_test
