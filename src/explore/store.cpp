// SPDX-License-Identifier: Apache-2.0
#include "explore/store.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"

namespace fansim::explore {
namespace {

constexpr const char* kTables[] = {"points", "memo"};
constexpr auto kInterval = std::chrono::milliseconds(500);

// Ends the transaction in any case: it rolls back unless commit() was called.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) { database_.run("BEGIN IMMEDIATE"); }
  ~Transaction() {
    if (done_) return;
    try {
      database_.run("ROLLBACK");
    } catch (const base::UserError&) {
      return;  // the failure itself has already ended the transaction
    }
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    database_.run("COMMIT");
    done_ = true;
  }

 private:
  Database& database_;
  bool done_ = false;
};

}  // namespace

Store::Store(const std::string& path, const Identity& identity, Database::Users users)
    : identity_(identity), database_(std::make_unique<Database>(path, users)) {
  exchange();
  flusher_ = std::thread([this] { keep_flushing(); });
}

Store::~Store() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  end_.notify_all();
  flusher_.join();
  try {
    exchange();
  } catch (const base::UserError&) {
    return;  // a destructor cannot report it; flush() would have
  }
}

// Returns false if the file has no tables yet.
bool Store::is_store() const {
  int tables = 0, ours = 0;
  database_->query("SELECT name FROM sqlite_master WHERE type = 'table'", {}, [&](const Database::Columns& columns) {
    ++tables;
    if (columns[0] == "fansim_explore") ++ours;
  });
  if (tables > 0 && ours == 0)
    throw base::UserError({database_->path(), 0, 0}, "is a database, but no store of fansim explore");
  return tables > 0;
}

void Store::check() const {
  const base::Location where{database_->path(), 0, 0};
  std::unordered_map<std::string, std::string> found;
  database_->query("SELECT key, value FROM fansim_explore", {},
                   [&](const Database::Columns& columns) { found[columns[0]] = columns[1]; });
  // Another format means another build, so nothing in the file can be reused.
  if (found["format"] != std::to_string(kFormat))
    throw base::UserError(where,
                          fmt::format("is a store of format '{}', so of another build; this one's is {}: name another "
                                      "file, or go on with the build that made it",
                                      found["format"], kFormat));
  const std::string other = difference({found.begin(), found.end()}, identity_);
  if (!other.empty()) throw base::UserError(where, "is the store of " + other);
}

// Gives the file its tables and its identity, unless it has them.
void Store::make() {
  if (is_store()) return check();
  database_->run("CREATE TABLE fansim_explore (key TEXT PRIMARY KEY, value TEXT NOT NULL)");
  for (const char* table : kTables)
    database_->run(fmt::format("CREATE TABLE {} (key TEXT UNIQUE NOT NULL, value TEXT NOT NULL)", table));
  const std::string insert = "INSERT INTO fansim_explore VALUES (?, ?)";
  database_->query(insert, {"format", std::to_string(kFormat)});
  for (const auto& [name, value] : identity_) database_->query(insert, {name, value});
}

std::optional<std::string> Store::find(Table table, const std::string& key) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto& known = rows(table).known;
  const auto found = known.find(key);
  if (found == known.end()) return std::nullopt;
  return found->second;
}

void Store::put(Table table, const std::string& key, const std::string& value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  if (rows(table).known.emplace(key, value).second) rows(table).fresh.emplace_back(key, value);
}

void Store::flush() { exchange(); }

std::size_t Store::size(Table table) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return rows(table).known.size();
}

void Store::write(std::size_t table, const std::vector<std::pair<std::string, std::string>>& fresh) {
  if (fresh.empty()) return;
  Transaction transaction(*database_);
  if (!made_) make();
  const std::string insert = fmt::format("INSERT OR IGNORE INTO {} VALUES (?, ?)", kTables[table]);
  for (const auto& [key, value] : fresh) database_->query(insert, {key, value});
  transaction.commit();
  made_ = true;
}

// Writes new results to the file and reads what other processes have written.
void Store::exchange() {
  const std::lock_guard<std::mutex> exchanging(exchanging_);
  for (std::size_t t = 0; t < std::size(kTables); ++t) {
    std::vector<std::pair<std::string, std::string>> fresh;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (failure_) std::rethrow_exception(failure_);
      fresh.swap(rows_[t].fresh);
    }
    write(t, fresh);
    if (!made_ && is_store()) {
      check();
      made_ = true;
    }
    if (!made_) continue;
    std::vector<Database::Columns> others;
    database_->query(fmt::format("SELECT key, value, rowid FROM {} WHERE rowid > ? + 0 ORDER BY rowid", kTables[t]),
                     {std::to_string(rows_[t].seen)},
                     [&](const Database::Columns& columns) { others.push_back(columns); });
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Database::Columns& columns : others) rows_[t].known.emplace(columns[0], columns[1]);
    if (!others.empty()) rows_[t].seen = std::stoll(others.back()[2]);
  }
}

void Store::keep_flushing() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!end_.wait_for(lock, kInterval, [this] { return ending_; })) {
    lock.unlock();
    std::exception_ptr failure;
    try {
      exchange();
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) failure_ = failure;
  }
}

}  // namespace fansim::explore
