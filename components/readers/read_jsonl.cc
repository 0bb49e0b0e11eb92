#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

#include "framework/io/read_budget.h"
#include "framework/io/text_lines.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/functions/registration.h"
#include "registry/value/json.h"

namespace weft {
namespace {

struct Settings {
  std::filesystem::path path;
  bool skip = false;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path, "a file with a JSON value on each line");
  v("skip", c.skip, "leave lines out that are not valid JSON");
}

// No line has more values than these marks say.
std::uint64_t most_values(const std::string& line) {
  return 1 + static_cast<std::uint64_t>(std::count_if(
                 line.begin(), line.end(), [](char mark) { return mark == ',' || mark == ':'; }));
}

Node read_jsonl(const Settings& c) {
  require_there(c.path);
  TextLines lines({c.path.string()});
  List values;
  std::int64_t number = 0;
  ReadBudget budget(c.path.string());
  while (const auto line = lines.next()) {
    ++number;
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    constexpr std::uint64_t value_bytes = sizeof(Object::Entry);
    budget.charge(value_bytes * most_values(*line) + line->size(), "the values");
    auto value = parse_json(*line);
    if (value) {
      values.push_back(std::move(*value));
    } else if (!c.skip) {
      throw Error(ErrorKind::data, "the line is not valid JSON",
                  Origin::file(std::make_shared<const std::string>(c.path.string()),
                               static_cast<int>(number), 0));
    }
  }
  return values;
}

const Registration registered{"readers", "srsly.read_jsonl.v1", read_jsonl,
                              "the values in a file of JSON lines"};

}  // namespace
}  // namespace weft
