#include "framework/training/logs/csv_log.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/csv_field.h"
#include "framework/training/log_file.h"
#include "framework/training/logs/logged_values.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::string_view kQuoted = ",\" ";  // characters of a name that is quoted

class CsvSession : public LogSession {
 public:
  CsvSession(const std::filesystem::path& path, const LogSetup& setup)
      : setup_(setup), file_(open_log(path, LogFile::Start::fresh, setup)) {
    if (file_->length() > 0) read_columns();
  }

  void evaluated(const TrainingInfo& info) override {
    std::map<std::string, std::string> row;
    std::vector<std::string> names = {"step"};
    row["step"] = std::to_string(info.step);
    for (const LoggedValue& value : logged_values(info)) {
      if (row.emplace(value.name(), number_text(value.value)).second) names.push_back(value.name());
    }
    if (row.emplace("seconds", number_text(info.seconds)).second) names.push_back("seconds");
    if (columns_.empty()) write_header(std::move(names));
    write_row(row);
    warn_of_others(row);
  }

  Node position() override {
    Node position = file_->position();
    List columns(columns_.begin(), columns_.end());
    position.as_object().set("columns", std::move(columns));
    return position;
  }

 private:
  void read_columns() {
    const Node* columns = setup_.resumed != nullptr && setup_.resumed->is_object()
                              ? setup_.resumed->as_object().find("columns")
                              : nullptr;
    if (columns == nullptr || !columns->is_list() || columns->as_list().empty() ||
        columns->as_list().size() > kMostLogged + 2) {
      fail_without_columns();
    }
    for (const Node& name : columns->as_list()) {
      if (!name.is_string()) fail_without_columns();
      columns_.push_back(name.as_string());
    }
  }

  [[noreturn]] void fail_without_columns() const {
    throw Error(ErrorKind::data, fmt::format("the checkpoint does not name the columns of {}",
                                             file_->path().string()));
  }

  void write_header(std::vector<std::string> names) {
    columns_ = std::move(names);
    std::string line;
    for (const std::string& name : columns_)
      line += (line.empty() ? "" : ",") + csv_field(name, kQuoted);
    file_->write_line(line);
  }

  void write_row(const std::map<std::string, std::string>& row) {
    std::string line;
    for (const std::string& name : columns_) {
      const auto value = row.find(name);
      if (&name != &columns_.front()) line += ',';
      if (value != row.end()) line += value->second;
    }
    file_->write_line(line);
  }

  void warn_of_others(const std::map<std::string, std::string>& row) {
    if (said_so_) return;
    for (const auto& [name, value] : row) {
      if (std::find(columns_.begin(), columns_.end(), name) != columns_.end()) continue;
      said_so_ = true;
      setup_.err << fmt::format(
          "warning: {} has no column for {}, which the first evaluation did not have; log.jsonl "
          "has all scores\n",
          file_->path().string(), name);
      return;
    }
  }

  LogSetup setup_;
  std::unique_ptr<LogFile> file_;
  std::vector<std::string> columns_;
  bool said_so_ = false;
};

}  // namespace

Logger csv_log(std::filesystem::path file) {
  return {[file = std::move(file)](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    return std::make_unique<CsvSession>(file, setup);
  }};
}

}  // namespace weft
