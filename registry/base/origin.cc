#include "registry/base/origin.h"

#include <utility>

#include <fmt/format.h>

namespace weft {
namespace {

Origin make(Origin::Source source, std::string name) {
  Origin origin;
  origin.source = source;
  origin.name = std::make_shared<const std::string>(std::move(name));
  return origin;
}

std::string file_place(const std::string& name, int line, int column) {
  if (line == 0) return name;
  if (column == 0) return fmt::format("{}:{}", name, line);
  return fmt::format("{}:{}:{}", name, line, column);
}

}  // namespace

std::string Origin::str() const {
  const std::string text = name ? *name : std::string();
  switch (source) {
    case Source::none:
      return {};
    case Source::file:
      return file_place(text, line, column);
    case Source::command_line:
      return "command line " + text;
    case Source::environment:
      return text;
    case Source::default_value:
      return "default of " + text;
  }
  return {};
}

Origin Origin::file(std::shared_ptr<const std::string> name, int line, int column) {
  Origin origin;
  origin.source = Source::file;
  origin.name = std::move(name);
  origin.line = line;
  origin.column = column;
  return origin;
}

Origin Origin::command_line(std::string word) {
  return make(Source::command_line, std::move(word));
}

Origin Origin::environment(std::string variable) {
  return make(Source::environment, std::move(variable));
}

Origin Origin::default_of(std::string function) {
  return make(Source::default_value, std::move(function));
}

}  // namespace weft
