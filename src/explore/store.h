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

// Keeps results by key in one SQLite file, for several threads and for several processes of one host. A new result is
// in the file half a second later, so a killed process loses no more than that.
class Store {
 public:
  static constexpr int kFormat = 3;
  enum class Table { points, memo };

  // Opens the file, or creates it; it gets its identity with its first result. Throws UserError if it is no store, has
  // another format or identity, or is in exclusive use by another process.
  Store(const std::string& path, const Identity& identity, Database::Users users = Database::Users::several);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::optional<std::string> find(Table table, const std::string& key) const;
  void put(Table table, const std::string& key, const std::string& value);
  // Writes everything put so far to the file, and reads what other processes have put there.
  void flush();
  std::size_t size(Table table) const;

 private:
  struct Rows {
    std::unordered_map<std::string, std::string> known;
    std::vector<std::pair<std::string, std::string>> fresh;  // not yet in the file
    std::int64_t seen = 0;                                   // the last row of the file that has been read
  };
  Rows& rows(Table table) { return rows_[static_cast<std::size_t>(table)]; }
  const Rows& rows(Table table) const { return rows_[static_cast<std::size_t>(table)]; }
  bool is_store() const;
  void check() const;
  void make();
  void exchange();
  void write(std::size_t table, const std::vector<std::pair<std::string, std::string>>& fresh);
  void keep_flushing();

  const Identity identity_;
  std::unique_ptr<Database> database_;
  bool made_ = false;         // the file has its tables and its identity; guarded by exchanging_
  mutable std::mutex mutex_;  // guards rows_ and everything below
  std::mutex exchanging_;     // guards database_
  Rows rows_[2];
  std::exception_ptr failure_;
  bool ending_ = false;
  std::condition_variable end_;
  std::thread flusher_;
};

}  // namespace fansim::explore
