#include "registry/writing/cfg_writer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "registry/base/unicode.h"
#include "registry/value/json.h"
#include "registry/value/section_path.h"
#include "registry/variables/raw_value.h"
#include "registry/variables/variable_syntax.h"
#include "registry/writing/cfg_names.h"
#include "registry/writing/section_walk.h"

namespace weft {
namespace {

// Raw text that reads back line by line: no outer blanks, but for a first line that is empty, and
// no line that looks like a comment.
bool survives_as_lines(std::string_view raw) {
  const std::string_view body = raw.substr(raw.starts_with('\n') ? 1 : 0);
  if (strip(body) != body || body.empty()) return false;
  for (std::size_t start = 0; start < raw.size();) {
    const std::size_t end = std::min(raw.find('\n', start), raw.size());
    const std::string_view line = raw.substr(start, end - start);
    if (strip(line) != line || line.find('\r') != line.npos) return false;
    if (start > 0 && (line.starts_with('#') || line.starts_with(';'))) return false;
    start = end + 1;
  }
  return true;
}

bool is_ascii_lines(std::string_view raw) {
  return std::all_of(raw.begin(), raw.end(),
                     [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
}

std::string indent_lines(std::string_view raw) {
  std::string out;
  for (const char c : raw) {
    out += c;
    if (c == '\n') out += '\t';
  }
  return out;
}

class CfgWriter {
 public:
  CfgWriter(const WriteOptions& options, Problems& problems)
      : options_(options), problems_(problems) {}

  std::string run(const Config& config) {
    for (const WalkedSection& section : walk_sections(config.root(), options_.order))
      write(section);
    if (options_.comments && !config.trailing_comments.empty()) {
      if (!out_.empty()) out_ += '\n';
      comments(config.trailing_comments);
    }
    if (!out_.empty()) out_.pop_back();  // the last line feed
    return std::move(out_);
  }

 private:
  void write(const WalkedSection& section) {
    if (has_header(section)) {
      if (!out_.empty()) out_ += '\n';
      check(section_name_fault(section.path, section.name), *section.node, section.path);
      comments(section.node->comments);
      out_ += fmt::format("[{}]\n", section.path);
    }
    for (const auto& [key, node] : *section.object) {
      if (!node.is_object()) write(section, key, node);
    }
  }

  void write(const WalkedSection& section, const std::string& key, const Node& node) {
    const std::string path = join_path(section.path, key);
    if (section.node == nullptr) {
      return check("a value needs a section around it", node, path);
    }
    const std::string line = fmt::format("{} = {}\n", key, value_text(node, path));
    check(key_fault(key, line), node, path);
    comments(node.comments);
    out_ += line;
  }

  std::string value_text(const Node& node, const std::string& path) {
    std::string text = raw_text(node);
    if (!needs_expansion(node)) return text;
    if (options_.check_variables && split_variables(text).bad_dollar) {
      add(ProblemKind::variable_syntax, node, path,
          "a `$` beside a variable must be doubled or start one");
    }
    if (!node.kept_raw) return text;
    const bool as_it_is = survives_as_lines(text) && (!options_.ascii || is_ascii_lines(text));
    return as_it_is ? indent_lines(text) : to_json_string(text);
  }

  void comments(const std::vector<std::string>& lines) {
    if (!options_.comments) return;
    for (const std::string& line : lines) out_ += comment_line(line, "#;") + '\n';
  }

  void check(const std::string& fault, const Node& node, const std::string& path) {
    if (!fault.empty()) add(ProblemKind::unserialisable, node, path, fault);
  }

  void add(ProblemKind kind, const Node& node, const std::string& path, std::string message) {
    Problem problem;
    problem.kind = kind;
    problem.place = node.key_origin;
    problem.path = path;
    problem.message = std::move(message);
    problems_.push_back(std::move(problem));
  }

  const WriteOptions& options_;
  Problems& problems_;
  std::string out_;
};

}  // namespace

std::string write_cfg(const Config& config, Problems& problems, const WriteOptions& options) {
  return CfgWriter(options, problems).run(config);
}

}  // namespace weft
