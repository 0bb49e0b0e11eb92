#include "framework/training/manifest.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "framework/ops/gemm_description.h"
#include "registry/base/compiler.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/base/sha256.h"
#include "registry/plugins/plugin.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// The value of the first line "KEY : VALUE" of a file of the system.
std::string line_of(const char* file, std::string_view key) {
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line)) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

std::string time_now() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

Object time_facts() {
  Object time;
  time.set("started", time_now());
  return time;
}

Object build_facts() {
  Object build;
  build.set("abi", std::string(abi_tag()));
  build.set("compiler", std::string(compiler_name()));
  build.set("blas", gemm_description());
  return build;
}

// Some fourteen are told of each part. A value takes far more memory than text, so they are counted
// in the text: each begins behind one of these, or is the only one in its list or object.
bool has_many_values(std::string_view text) {
  constexpr std::ptrdiff_t most = std::ptrdiff_t{1} << 18;
  return std::count_if(text.begin(), text.end(), [](char character) {
           return character == ',' || character == '[' || character == '{';
         }) > most;
}

bool has_parts(const Object& manifest) {
  const Node* parts = manifest.find("parts");
  return parts != nullptr && parts->is_list() && !parts->as_list().empty() &&
         std::all_of(parts->as_list().begin(), parts->as_list().end(),
                     [](const Node& part) { return part.is_object(); });
}

// A run may be started again and again for years; the first part tells how it began.
void drop_oldest(List& parts) {
  if (parts.size() <= kMostParts) return;
  const auto from = parts.begin() + 1;
  parts.erase(from, from + static_cast<std::ptrdiff_t>(parts.size() - kMostParts));
}

}  // namespace

Object read_manifest(const std::filesystem::path& file, std::uint64_t most) {
  if (!is_there(file)) return {};
  const std::string text = read_file(file, most);
  if (has_many_values(text)) return {};
  auto manifest = parse_json(text);
  return manifest && manifest->is_object() ? std::move(manifest->as_object()) : Object();
}

Object read_whole_manifest(const std::filesystem::path& file) {
  Object manifest = read_manifest(file);
  if (manifest.empty() || !has_parts(manifest)) {
    throw Error(ErrorKind::data,
                fmt::format("{}: no JSON object with the parts of a run; the file is damaged",
                            file.string()));
  }
  return manifest;
}

void check_manifest(const std::filesystem::path& file) {
  if (!is_there(file)) return;
  try {
    static_cast<void>(read_whole_manifest(file));
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}; move it away, and the run goes on without the "
                                          "history that it tells",
                                          error.message()));
  }
}

Object machine_facts() {
  Object machine;
  machine.set("processor", line_of("/proc/cpuinfo", "model name"));
  machine.set("cores", static_cast<std::int64_t>(std::thread::hardware_concurrency()));
  machine.set("memory_bytes", static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) *
                                  static_cast<std::int64_t>(::sysconf(_SC_PAGE_SIZE)));
  struct utsname system {};
  if (::uname(&system) == 0) {
    machine.set("system", fmt::format("{} {} {}", system.sysname, system.release, system.machine));
  }
  return machine;
}

Object make_manifest(const std::string& config, const Object& data, const Node& log,
                     const RunPart& part) {
  Object facts;
  facts.set("from_step", part.from_step);
  facts.set("threads", part.threads);
  facts.set("machine", machine_facts());
  facts.set("time", time_facts());
  Object manifest;
  manifest.set("config_sha256", sha256(config));
  manifest.set("data", data);
  manifest.set("build", build_facts());
  manifest.set("log", log);
  manifest.set("parts", List{std::move(facts)});
  return manifest;
}

Object continued_manifest(const std::filesystem::path& file, const Object& fresh) {
  if (!is_there(file)) return fresh;
  Object before = read_whole_manifest(file);
  Object manifest = fresh;
  List all = std::move(before.find("parts")->as_list());
  for (const Node& part : fresh.find("parts")->as_list()) all.push_back(part);
  drop_oldest(all);
  manifest.set("parts", std::move(all));
  if (const Node* log = before.find("log")) manifest.set("log", *log);
  return manifest;
}

Object ended_manifest(const std::filesystem::path& file, const PartEnd& end) {
  // This run wrote it and knows that it is sound; one part may take it beyond the limit.
  Object manifest = read_manifest(file, kMostSettings);
  Node* parts = manifest.find("parts");
  const bool has_part = parts != nullptr && parts->is_list() && !parts->as_list().empty() &&
                        parts->as_list().back().is_object();
  if (!has_part) return {};
  Object& part = parts->as_list().back().as_object();
  part.set("ended", end.why);
  if (!end.message.empty()) part.set("message", end.message);
  if (end.to_step >= 0) part.set("to_step", end.to_step);
  const Node* before = part.find("time");
  Object time = before != nullptr && before->is_object() ? before->as_object() : Object();
  time.set("ended", time_now());
  time.set("seconds", end.seconds);
  part.set("time", std::move(time));
  return manifest;
}

Node manifest_log(const std::filesystem::path& file) {
  const Object manifest = read_manifest(file);
  const Node* log = manifest.find("log");
  return log == nullptr ? Node() : *log;
}

}  // namespace weft
