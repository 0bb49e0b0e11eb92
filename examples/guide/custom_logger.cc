// A logger: a table with tabs between its columns in a file.
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "framework/training/log_file.h"
#include "framework/training/logger.h"
#include "registry/functions/registration.h"

namespace guide {
namespace {

struct LoggerSettings {
  std::filesystem::path log_path;
};

template <class V>
void fields(V& v, LoggerSettings& c) {
  v.required("log_path", c.log_path, "the file", weft::written);
}

class TableLog final : public weft::LogSession {
 public:
  TableLog(const std::filesystem::path& path, const weft::LogSetup& setup)
      : components_(setup.loss_names),
        file_(weft::open_log(path, weft::LogFile::Start::fresh, setup)) {
    if (file_->length() == 0) file_->write_line(header());
  }

  void evaluated(const weft::TrainingInfo& info) override {
    std::string row = fmt::format("{}\t{}", info.step, info.score);
    for (const std::string& name : components_) {
      const auto loss = info.losses.find(name);
      row += fmt::format("\t{}", loss == info.losses.end() ? 0.0 : loss->second);
    }
    file_->write_line(row);
  }

  // A run that is resumed goes on behind the rows that its checkpoint knows.
  weft::Node position() override { return file_->position(); }

 private:
  std::string header() const {
    std::string row = "step\tscore";
    for (const std::string& name : components_) row += "\tloss_" + name;
    return row;
  }

  std::vector<std::string> components_;
  std::unique_ptr<weft::LogFile> file_;
};

weft::Logger custom_logger(const LoggerSettings& c) {
  return {[path = c.log_path](const weft::LogSetup& setup) {
    return std::make_unique<TableLog>(path, setup);
  }};
}

const weft::Registration registered{"my_custom_logger.v1", custom_logger,
                                    "step, score and losses with tabs between them"};

}  // namespace
}  // namespace guide
