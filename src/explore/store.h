// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/database.h"
#include "explore/identity.h"

namespace fansim::explore {

// Results by their key in one SQLite file, for threads and for several processes of one host at a time. What is put
// here is in the file half a second later: a process killed then has lost no more.
class Store {
 public:
  static constexpr int kFormat = 3;
  enum class Table { points, memo };

  // Opens or makes the file. UserError if it is no store, of another format, of another identity, or somebody else's
  // alone.
  Store(const std::string& path, const Identity& identity, Database::Users users = Database::Users::several);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::optional<std::string> find(Table table, const std::string& key) const;
  void put(Table table, const std::string& key, const std::string& value);
  // Everything put so far is in the file; what others put there is here.
  void flush();
  std::size_t size(Table table) const;

 private:
  struct Rows {
    std::unordered_map<std::string, std::string> known;
    std::vector<std::pair<std::string, std::string>> fresh;  // not yet in the file
    std::int64_t seen = 0;                                   // the last row of the file that is known
  };
  Rows& rows(Table table) { return rows_[static_cast<std::size_t>(table)]; }
  const Rows& rows(Table table) const { return rows_[static_cast<std::size_t>(table)]; }
  void check(const Identity& identity);
  void exchange();
  void keep_flushing();

  std::unique_ptr<Database> database_;
  mutable std::mutex mutex_;  // of rows_ and the rest
  std::mutex exchanging_;     // of the database
  Rows rows_[2];
  std::exception_ptr failure_;
  bool ending_ = false;
  std::condition_variable end_;
  std::thread flusher_;
};

}  // namespace fansim::explore
