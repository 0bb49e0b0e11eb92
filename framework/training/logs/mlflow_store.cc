#include "framework/training/logs/mlflow_store.h"

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 240;  // a file's name may have 255 bytes, and get a number

// file:///home/ada/mlruns/0
std::string uri_of(const fs::path& path) {
  std::string uri = "file://";
  for (const char c : fs::absolute(path).lexically_normal().string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/._-~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

// A double-quoted YAML scalar: JSON's form, with the characters themselves.
std::string quoted(const std::string& text) {
  return to_json_string(printable(text), JsonText::utf8);
}

}  // namespace

std::string mlflow_name(std::string_view told) {
  const std::string name = printable(told);  // valid UTF-8
  std::string made;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(name, at);
    const bool is_plain =
        c < 0x80 && std::string_view("_-.: ").find(static_cast<char>(c)) != std::string_view::npos;
    const std::string character = name.substr(begin, at - begin);
    const bool fits = is_plain || is_alpha(c) || is_digit(c);
    if (made.size() + character.size() > kLongestName) break;
    made += fits ? character : "_";
  }
  if (made.empty()) return "_";
  if (made == "." || made.starts_with("..")) made.front() = '_';
  return made;
}

const std::string& MlflowNames::of(const std::string& name) {
  const auto found = files_.find(name);
  if (found != files_.end()) return found->second;
  const std::string plain = mlflow_name(name);
  std::string file = plain;
  for (int number = 2; taken_.contains(file); ++number) file = fmt::format("{}_{}", plain, number);
  if (file != name && changed_.empty()) changed_ = name;
  taken_.insert(file);
  return files_.emplace(name, std::move(file)).first->second;
}

void MlflowNames::restore(const std::string& name, const std::string& file) {
  if (mlflow_name(file) != file || !taken_.insert(file).second) fail_position("a metric of MLflow");
  files_[name] = file;
}

std::string mlflow_run_meta(const MlflowRun& run, const fs::path& folder, MlflowStatus status,
                            std::int64_t ended) {
  return fmt::format(
      "artifact_uri: {}\nend_time: {}\nentry_point_name: ''\nexperiment_id: '{}'\n"
      "lifecycle_stage: active\nrun_id: {}\nrun_name: {}\nsource_name: ''\nsource_type: 4\n"
      "source_version: ''\nstart_time: {}\nstatus: {}\ntags: []\nuser_id: ''\ndeleted_time: null\n",
      quoted(uri_of(folder / run.experiment / run.id / "artifacts")),
      ended < 0 ? "null" : std::to_string(ended), run.experiment, quoted(run.id), quoted(run.name),
      run.started, static_cast<int>(status));
}

std::string mlflow_experiment_meta(const std::string& experiment, const fs::path& folder,
                                   std::int64_t now) {
  return fmt::format(
      "artifact_location: {}\ncreation_time: {}\nexperiment_id: '{}'\nlast_update_time: {}\n"
      "lifecycle_stage: active\nname: {}\n",
      quoted(uri_of(folder / experiment)), now, experiment, now,
      quoted(experiment == "0" ? "Default" : experiment));
}

}  // namespace weft
