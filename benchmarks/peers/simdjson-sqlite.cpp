// C++ with simdjson (on demand) and SQLite's C interface: the tasks of a log and their SQL accumulator updates, into two
// tables by prepared statements. LOG DATABASE
#include <simdjson.h>
#include <sqlite3.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

using namespace simdjson;

static const char *const INFO[] = {"Task ID",     "Index",       "Attempt", "Partition ID", "Launch Time",
                                   "Finish Time", "Getting Result Time"};
static const std::map<std::string_view, int> METRICS = {{"Executor Deserialize Time", 0},
                                                        {"Executor Deserialize CPU Time", 1},
                                                        {"Executor Run Time", 2},
                                                        {"Executor CPU Time", 3},
                                                        {"Peak Execution Memory", 4},
                                                        {"Result Size", 5},
                                                        {"JVM GC Time", 6},
                                                        {"Result Serialization Time", 7},
                                                        {"Memory Bytes Spilled", 8},
                                                        {"Disk Bytes Spilled", 9}};
static const std::map<std::string_view, int> GROUPED = {{"Remote Blocks Fetched", 10},
                                                        {"Local Blocks Fetched", 11},
                                                        {"Fetch Wait Time", 12},
                                                        {"Remote Bytes Read", 13},
                                                        {"Local Bytes Read", 14},
                                                        {"Remote Bytes Read To Disk", 15},
                                                        {"Total Records Read", 16},
                                                        {"Remote Requests Duration", 17},
                                                        {"Shuffle Bytes Written", 18},
                                                        {"Shuffle Write Time", 19},
                                                        {"Shuffle Records Written", 20},
                                                        {"Bytes Read", 21},
                                                        {"Records Read", 22},
                                                        {"Bytes Written", 23},
                                                        {"Records Written", 24}};
static const int INFOS = 7, METRIC_COUNT = 25, COLUMNS = 5 + INFOS + METRIC_COUNT;

static int textId(std::map<std::string, int> &ids, std::string_view text) {
  return ids.emplace(std::string(text), int(ids.size())).first->second;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  std::remove(argv[2]);
  sqlite3 *db;
  sqlite3_open(argv[2], &db);
  std::string create = "CREATE TABLE task (", insert = "INSERT INTO task VALUES (";
  for (int c = 0; c < COLUMNS; c++) {
    create += (c ? ", c" : "c") + std::to_string(c) + " INTEGER";
    insert += c ? ", ?" : "?";
  }
  sqlite3_exec(db,
               ("PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; " + create +
                "); CREATE TABLE accumulator (task INTEGER, id INTEGER, value INTEGER)")
                   .c_str(),
               nullptr, nullptr, nullptr);
  sqlite3_stmt *task, *accumulator;
  sqlite3_prepare_v2(db, (insert + ")").c_str(), -1, &task, nullptr);
  sqlite3_prepare_v2(db, "INSERT INTO accumulator VALUES (?, ?, ?)", -1, &accumulator, nullptr);

  padded_string text;
  if (padded_string::load(argv[1]).get(text)) return 1;
  ondemand::parser parser;
  std::map<std::string, int> ids;
  long tasks = 0;
  const char *at = text.data(), *const end = at + text.size();
  static const char PREFIX[] = "{\"Event\":\"SparkListenerTaskEnd\"";
  while (at < end) {
    const char *line = at;
    const char *next = static_cast<const char *>(memchr(at, '\n', end - at));
    at = next ? next + 1 : end;
    const size_t length = (next ? next : end) - line;
    if (length < sizeof PREFIX || memcmp(line, PREFIX, sizeof PREFIX - 1) != 0) continue;
    int64_t values[COLUMNS] = {0};
    std::vector<std::pair<int64_t, int64_t>> updates;
    ondemand::document doc;
    if (parser.iterate(line, length, length + SIMDJSON_PADDING).get(doc)) continue;
    for (auto field : doc.get_object()) {
      std::string_view key = field.unescaped_key();
      if (key == "Stage ID") values[0] = int64_t(field.value());
      else if (key == "Stage Attempt ID") values[1] = int64_t(field.value());
      else if (key == "Task Info") {
        for (auto info : field.value().get_object()) {
          std::string_view name = info.unescaped_key();
          if (name == "Executor ID") values[2] = textId(ids, info.value().get_string());
          else if (name == "Host") values[3] = textId(ids, info.value().get_string());
          else if (name == "Locality") values[4] = textId(ids, info.value().get_string());
          else if (name == "Accumulables") {
            for (auto item : info.value().get_array()) {
              int64_t id = 0, update = 0;
              bool has = false, sql = false;
              for (auto part : item.get_object()) {
                std::string_view what = part.unescaped_key();
                if (what == "ID") id = int64_t(part.value());
                else if (what == "Update") {
                  auto value = part.value();
                  if (value.type() == ondemand::json_type::string) {
                    std::string_view digits = value.get_string();
                    update = strtoll(std::string(digits).c_str(), nullptr, 10);
                  } else update = int64_t(value.get_int64());
                  has = true;
                } else if (what == "Metadata") sql = std::string_view(part.value().get_string()) == "sql";
              }
              if (has && sql) updates.emplace_back(id, update);
            }
          } else {
            for (int i = 0; i < INFOS; i++)
              if (name == INFO[i]) values[5 + i] = int64_t(info.value());
          }
        }
      } else if (key == "Task Metrics") {
        for (auto metric : field.value().get_object()) {
          std::string_view name = metric.unescaped_key();
          auto known = METRICS.find(name);
          if (known != METRICS.end()) values[5 + INFOS + known->second] = int64_t(metric.value());
          else if (name != "Updated Blocks") {
            for (auto part : metric.value().get_object()) {
              auto grouped = GROUPED.find(std::string_view(part.unescaped_key()));
              if (grouped != GROUPED.end()) values[5 + INFOS + grouped->second] = int64_t(part.value());
            }
          }
        }
      }
    }
    for (int c = 0; c < COLUMNS; c++) sqlite3_bind_int64(task, c + 1, values[c]);
    sqlite3_step(task);
    sqlite3_reset(task);
    for (auto &[id, update] : updates) {
      sqlite3_bind_int64(accumulator, 1, values[5]);
      sqlite3_bind_int64(accumulator, 2, id);
      sqlite3_bind_int64(accumulator, 3, update);
      sqlite3_step(accumulator);
      sqlite3_reset(accumulator);
    }
    tasks++;
  }
  sqlite3_finalize(task);
  sqlite3_finalize(accumulator);
  sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr);
  sqlite3_close(db);
  std::printf("%ld\n", tasks);
}
