#include "tests/architecture/project_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "tests/folders.h"

namespace {

namespace fs = std::filesystem;

const fs::path root = weft::source_path();
constexpr const char* kFolders[] = {"cmake",     "components", "configs", "docs", "examples",
                                    "framework", "registry",   "tests",   "tools"};

// As GitHub makes it: lower case, hyphens for spaces, no punctuation.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      anchor += '-';
    } else if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    }
  }
  return anchor;
}

Heading heading_of(const std::string& line) {
  static const std::regex parts(R"(#+ +(?:(\d+(?:\.\d+)*)\.? +)?(.*))");
  std::smatch match;
  std::regex_match(line, match, parts);
  Heading heading{match[1], match[2], anchor_of(line.substr(line.find(' ') + 1))};
  std::erase(heading.text, '`');
  return heading;
}

}  // namespace

const std::set<std::string>& project_files() {
  static const std::set<std::string> files = [] {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(root)) {
      if (entry.is_regular_file()) found.insert(entry.path().filename().string());
    }
    for (const char* folder : kFolders) {
      if (!fs::exists(root / folder)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        if (entry.is_regular_file()) found.insert(fs::relative(entry.path(), root).string());
      }
    }
    return found;
  }();
  return files;
}

std::string project_text(const std::string& file) {
  std::ifstream in(root / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> project_documents() {
  std::vector<std::string> documents;
  for (const std::string& file : project_files()) {
    const bool is_page = file.starts_with("docs/") || file.find('/') == std::string::npos;
    if (is_page && file.ends_with(".md")) documents.push_back(file);
  }
  return documents;
}

std::vector<Heading> headings_of(const std::string& document) {
  std::vector<Heading> headings;
  std::istringstream lines(project_text(document));
  bool in_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code && line.starts_with("#")) headings.push_back(heading_of(line));
  }
  return headings;
}

std::vector<std::string> without_braces(const std::string& path) {
  const std::size_t open = path.find('{'), close = path.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {path};
  std::vector<std::string> paths;
  std::istringstream choices(path.substr(open + 1, close - open - 1));
  for (std::string choice; std::getline(choices, choice, ',');) {
    const std::string first = path.substr(0, open) + choice;
    for (const std::string& rest : without_braces(path.substr(close + 1))) {
      paths.push_back(first + rest);
    }
  }
  return paths;
}
