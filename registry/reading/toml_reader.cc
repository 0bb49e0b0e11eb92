#include "registry/reading/toml_reader.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "registry/reading/cfg_lines.h"
#include "registry/reading/config_limits.h"
#include "registry/reading/toml_comments.h"
#include "registry/reading/toml_scan.h"
#include "registry/value/section_path.h"
#include "registry/variables/interpolate.h"

namespace weft {
namespace {

constexpr std::string_view kNull = "${null}";

struct Item {
  const toml::key* key;
  const toml::node* node;
  bool is_section() const { return node->is_table() && !node->as_table()->is_inline(); }
  std::pair<toml::source_index, toml::source_index> place() const {
    return {key->source().begin.line, key->source().begin.column};
  }
};

// In the order of the text, sections before the other keys, as in the other dialect.
std::vector<Item> in_order(const toml::table& table) {
  std::vector<Item> items;
  for (auto&& [key, node] : table) items.push_back({&key, &node});
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    if (a.is_section() != b.is_section()) return a.is_section();
    return a.place() < b.place();
  });
  return items;
}

// Turns the library's tables into the same tree as the other dialect gives, each node with its
// place.
class TomlReader {
 public:
  TomlReader(std::shared_ptr<const std::string> name, Problems& problems)
      : name_(std::move(name)), problems_(problems) {}

  Config run(const toml::table& table) {
    Config config;
    for (const Item& item : in_order(table)) top_level(config.root(), item);
    return config;
  }

  const LastLines& last_lines() const { return last_lines_; }

  void add(ProblemKind kind, const toml::source_position& where, std::string path,
           std::string message, Severity severity = Severity::error) {
    Problem problem;
    problem.severity = severity;
    problem.kind = kind;
    problem.place = place(where);
    problem.path = std::move(path);
    problem.message = std::move(message);
    problems_.push_back(std::move(problem));
  }

 private:
  void top_level(Object& root, const Item& item) {
    const std::string key(item.key->str());
    if (!item.is_section()) {
      add(ProblemKind::parse, item.key->source().begin, {},
          fmt::format("there is no [section] above the key {}", key));
    } else if (key == "DEFAULT") {
      add(ProblemKind::default_section, item.key->source().begin, key,
          "[DEFAULT] is reserved; choose another name");
    } else if (key.size() > kLongestPath) {
      refuse_name(*item.key);
    } else {
      root.set(key, section(*item.node->as_table(), *item.key, key));
    }
  }

  void refuse_name(const toml::key& key) {
    add(ProblemKind::limit, key.source().begin, {},
        fmt::format("a section's name is longer than {} bytes", kLongestPath));
  }

  Node section(const toml::table& table, const toml::key& key, const std::string& path) {
    if (key.str().find('.') != std::string_view::npos) {
      add(ProblemKind::parse, key.source().begin, path, "a section's name cannot hold a dot");
    }
    Object object;
    for (const Item& item : in_order(table)) {
      const std::string name(item.key->str());
      const std::string child = fmt::format("{}.{}", path, name);
      if (item.is_section() && child.size() > kLongestPath) {
        refuse_name(*item.key);
      } else if (item.is_section()) {
        object.set(name, section(*item.node->as_table(), *item.key, child));
      } else {
        object.set(name, keyed_value(item, child));
      }
    }
    Node node(std::move(object));
    node.origin = node.key_origin = place(table.source().begin);
    // `[a.*.x]` makes the `*` above x without a header of its own.
    node.declared = key.str() != "*" || !is_implicit(table, key);
    if (!node.declared) node.origin = node.key_origin = Origin();
    return node;
  }

  // A table without a header of its own has the place of the one that made it.
  static bool is_implicit(const toml::table& table, const toml::key& key) {
    if (table.source().begin.line != key.source().begin.line) return false;
    return std::any_of(table.begin(), table.end(), [&](auto&& entry) {
      return entry.first.source().begin.line == key.source().begin.line;
    });
  }

  Node keyed_value(const Item& item, const std::string& path) {
    Node node = value(*item.node, path);
    mark_variables(node);
    node.key_origin = place(item.key->source().begin);
    const auto& source = item.node->source();
    int& last = last_lines_[static_cast<int>(item.key->source().begin.line)];
    last = std::max(last, static_cast<int>(source.end.line));
    return node;
  }

  Node value(const toml::node& node, const std::string& path) {
    Node result = bare_value(node, path);
    result.origin = place(node.source().begin);
    return result;
  }

  Node bare_value(const toml::node& node, const std::string& path) {
    switch (node.type()) {
      case toml::node_type::string:
        return string(node.as_string()->get());
      case toml::node_type::integer:
        return Node(node.as_integer()->get());
      case toml::node_type::floating_point:
        return Node(node.as_floating_point()->get());
      case toml::node_type::boolean:
        return Node(node.as_boolean()->get());
      case toml::node_type::array:
        return list(*node.as_array(), path);
      case toml::node_type::table:
        return inline_table(*node.as_table(), path);
      default:
        return moment(node, path);
    }
  }

  static Node string(const std::string& text) { return text == kNull ? Node(nullptr) : Node(text); }

  Node list(const toml::array& array, const std::string& path) {
    List items;
    for (const toml::node& item : array) items.push_back(value(item, path));
    return Node(std::move(items));
  }

  Node inline_table(const toml::table& table, const std::string& path) {
    Object object;
    for (const Item& item : in_order(table)) {
      Node& node = object.set(item.key->str(), value(*item.node, path));
      node.key_origin = place(item.key->source().begin);
    }
    return Node(std::move(object));
  }

  // Dates and times have no type in a config.
  Node moment(const toml::node& node, const std::string& path) {
    std::ostringstream text;
    node.visit([&](const auto& value) {
      if constexpr (toml::is_date<decltype(value)> || toml::is_time<decltype(value)> ||
                    toml::is_date_time<decltype(value)>) {
        text << value;
      }
    });
    add(ProblemKind::became_string, node.source().begin, path,
        fmt::format("the date or time {} is taken as text", text.str()), Severity::warning);
    return Node(text.str());
  }

  Origin place(const toml::source_position& where) const {
    return Origin::file(name_, static_cast<int>(where.line), static_cast<int>(where.column));
  }

  std::shared_ptr<const std::string> name_;
  Problems& problems_;
  LastLines last_lines_;
};

toml::source_position position(int line, int column) {
  return {static_cast<toml::source_index>(line), static_cast<toml::source_index>(column)};
}

// True if the text may go to the library; otherwise reports why not.
bool is_readable(const TomlScan& scan, TomlReader& reader) {
  if (scan.stray_line != 0) {
    reader.add(ProblemKind::parse, position(scan.stray_line, scan.stray_column), {},
               std::string(scan.stray_reason));
  } else if (scan.too_deep_line != 0) {
    reader.add(ProblemKind::limit, position(scan.too_deep_line, 1), {},
               fmt::format("names nest deeper than {} levels", kDeepestConfig));
  } else if (scan.has_too_many) {
    reader.add(ProblemKind::limit, position(1, 1), {},
               fmt::format("the file holds more than {} tables, settings and values in arrays",
                           kMostConfigValues));
  } else {
    return true;
  }
  return false;
}

ProblemKind kind_of(const toml::parse_error& error) {
  const bool twice = error.description().find("redefine") != std::string_view::npos;
  return twice ? ProblemKind::duplicate : ProblemKind::parse;
}

Config read_tree(std::string_view text, TomlReader& reader, TomlScan scan) {
  try {
    Config config = reader.run(toml::parse(text));
    attach_comments(config, reader.last_lines(), std::move(scan.comments));
    return config;
  } catch (const toml::parse_error& error) {
    reader.add(kind_of(error), error.source().begin, {}, std::string(error.description()));
    return Config();
  }
}

}  // namespace

Config read_toml(std::string_view text, std::string_view name, Problems& problems,
                 const ReadOptions& options) {
  const auto shared_name = std::make_shared<const std::string>(name);
  if (report_invalid_utf8(text, shared_name, problems)) return Config();
  Problems found;
  TomlReader reader(shared_name, found);
  TomlScan scan = scan_toml(text);
  Config config;
  if (is_readable(scan, reader)) config = read_tree(text, reader, std::move(scan));
  if (!has_errors(found)) finish_reading(config, options, found);
  std::move(found.begin(), found.end(), std::back_inserter(problems));
  return config;
}

}  // namespace weft
