// A logger: a line for each evaluation in a file.
#include <filesystem>
#include <fstream>
#include <memory>

#include "framework/training/logger.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace acme {
namespace {

struct DiarySettings {
  std::filesystem::path path;
};

template <class V>
void fields(V& v, DiarySettings& c) {
  v.required("path", c.path, "the file, below the output of the run", weft::written);
}

class Diary final : public weft::LogSession {
 public:
  explicit Diary(const std::filesystem::path& path) : file_(path) {
    if (!file_) throw weft::Error(weft::ErrorKind::system, "cannot write " + path.string());
  }
  void evaluated(const weft::TrainingInfo& info) override {
    file_ << "step " << info.step << ": " << info.losses.size() << " losses\n";
  }
  void finish() override { file_ << "finished\n"; }

 private:
  std::ofstream file_;
};

weft::Logger diary(const DiarySettings& c) {
  return {[path = c.path](const weft::LogSetup&) { return std::make_unique<Diary>(path); }};
}

const weft::Registration registered{"acme.Diary.v1", diary, "a line for each evaluation"};

}  // namespace
}  // namespace acme
