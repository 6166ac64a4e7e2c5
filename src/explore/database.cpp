// SPDX-License-Identifier: Apache-2.0
#include "explore/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <thread>

#include "base/error.h"

namespace fansim::explore {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPatience{20'000};  // how long to wait for another process's lock
constexpr std::chrono::milliseconds kShort{5'000};      // how long to wait for a process that held the file alone

struct Finalise {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

}  // namespace

Database::Database(std::string path, Users users) : path_(std::move(path)) {
  if (sqlite3_open_v2(path_.c_str(), &connection_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK) {
    const std::string problem = connection_ ? sqlite3_errmsg(connection_) : "out of memory";
    sqlite3_close(connection_);
    throw base::UserError({path_, 0, 0}, problem);
  }
  const auto patience = users == Users::one ? kShort : kPatience;
  sqlite3_busy_timeout(connection_, static_cast<int>(patience.count()));
  std::string modes = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE; COMMIT";
  if (users == Users::one) modes = "PRAGMA locking_mode=EXCLUSIVE; " + modes;
  // SQLite fails at once, without waiting for its timeout, if two processes change the journal mode at the same time.
  const Clock::time_point end = Clock::now() + patience;
  int result = SQLITE_BUSY;
  while ((result = sqlite3_exec(connection_, modes.c_str(), nullptr, nullptr, nullptr)) == SQLITE_BUSY &&
         Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (result == SQLITE_OK) return;
  const std::string problem = result == SQLITE_BUSY ? "is in use by another process, which lets nobody else write"
                                                    : sqlite3_errmsg(connection_);
  sqlite3_close(connection_);
  throw base::UserError({path_, 0, 0}, problem);
}

Database::~Database() { sqlite3_close(connection_); }

void Database::fail(const std::string& what) {
  throw base::UserError({path_, 0, 0}, fmt::format("{} ({})", sqlite3_errmsg(connection_), what));
}

void Database::run(const std::string& sql) {
  if (sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(sql);
}

void Database::query(const std::string& sql, const std::vector<std::string>& parameters,
                     const std::function<void(const Columns&)>& row) {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(connection_, sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK) fail(sql);
  const std::unique_ptr<sqlite3_stmt, Finalise> statement(prepared);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    sqlite3_bind_text(prepared, static_cast<int>(i) + 1, parameters[i].data(), static_cast<int>(parameters[i].size()),
                      nullptr);
  int result = SQLITE_ROW;
  while ((result = sqlite3_step(prepared)) == SQLITE_ROW) {
    if (!row) continue;
    Columns columns;
    for (int i = 0; i < sqlite3_column_count(prepared); ++i) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(prepared, i));
      columns.emplace_back(text ? text : "", static_cast<std::size_t>(sqlite3_column_bytes(prepared, i)));
    }
    row(columns);
  }
  if (result != SQLITE_DONE) fail(sql);
}

}  // namespace fansim::explore
