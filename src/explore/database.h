// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace fansim::explore {

// Wraps an SQLite file in write-ahead mode, so that readers and a writer do not wait for each other. Errors are
// UserErrors that name the file.
class Database {
 public:
  // Several users share memory, so all of them must run on one host. A single user needs no shared memory: a second one
  // is refused, on any host, as far as the storage supports file locks.
  enum class Users { several, one };
  explicit Database(std::string path, Users users = Users::several);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  // Runs statements one after another; `sql` may hold several.
  void run(const std::string& sql);
  // Runs one statement with its parameters. Calls `row` with the columns of each row that the statement returns.
  using Columns = std::vector<std::string>;
  void query(const std::string& sql, const std::vector<std::string>& parameters,
             const std::function<void(const Columns&)>& row = nullptr);

 private:
  [[noreturn]] void fail(const std::string& what);

  const std::string path_;
  sqlite3* connection_ = nullptr;
};

}  // namespace fansim::explore
