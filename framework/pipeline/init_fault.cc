#include "framework/pipeline/init_fault.h"

#include <fmt/format.h>

#include "framework/pipeline/adopt_error.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/setting_error.h"

namespace weft {
namespace {

bool has_no_place(const Error& error) {
  return error.kind() == ErrorKind::data && error.place().str().empty();
}

// ", lab.json" for a block at `path` whose function reads that file; else "".
std::string file_in(const Config& values, const std::string& path) {
  const Node* file = values.find(path + ".path");
  return file != nullptr && file->is_string() ? ", " + file->as_string() : "";
}

// "[initialize] vectors", "[initialize.components.ner] labels, lab.json".
std::string source_of(const Config& values, const std::string& path,
                      const std::vector<std::string>& keys) {
  const std::size_t dot = path.rfind('.');
  if (keys.empty()) return fmt::format("[{}] {}", path.substr(0, dot), path.substr(dot + 1));
  std::string all;
  for (const std::string& key : keys) {
    all += fmt::format("{}[{}] {}{}", all.empty() ? "" : " or ", path, key,
                       file_in(values, fmt::format("{}.{}", path, key)));
  }
  return all;
}

}  // namespace

void run_blaming(const Language& nlp, const std::string& path, const std::vector<std::string>& keys,
                 const std::function<void()>& part, const std::function<bool()>& is_to_blame) {
  try {
    part();
  } catch (const Error& error) {
    if (!has_no_place(error) || !is_to_blame()) throw;
    const std::string setting = keys.size() == 1 ? fmt::format("{}.{}", path, keys.front()) : path;
    throw InitFault(error, source_of(expanded(nlp.config()), path, keys),
                    place_of_setting(nlp.config(), setting));
  }
}

void run_blaming(const Language& nlp, const std::string& path, const std::function<void()>& part) {
  run_blaming(nlp, path, {}, part, [] { return true; });
}

void call_placed(const std::optional<Callback>& callback, Language& nlp, const std::string& path) {
  if (!callback) return;
  Problems problems;
  run_adopting(path, place_of_setting(nlp.config(), path), problems, [&] {
    run_blaming(nlp, path, [&] {
      CallbackCall arguments{nlp};
      callback->call(arguments);
      if (arguments.save_instead) {
        throw setting_error(path,
                            "the callback returned another pipeline than it was given, which "
                            "[training] before_to_disk alone may do");
      }
    });
  });
  throw_errors(std::move(problems));
}

}  // namespace weft
