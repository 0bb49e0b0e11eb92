// Every file or folder of the project that README.md or a page in docs/ names exists. A path may
// leave out its ending (all of a stem), and hold `{a,b}` and `*`.
#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/architecture/project_text.h"

namespace {

// Files, their folders, and files without their ending.
const std::set<std::string>& known_paths() {
  static const std::set<std::string> known = [] {
    std::set<std::string> paths = project_files();
    for (const std::string& file : project_files()) {
      for (std::size_t at = file.find('/'); at != file.npos; at = file.find('/', at + 1)) {
        paths.insert(file.substr(0, at));
      }
      paths.insert(file.substr(0, file.find('.', file.rfind('/') + 1)));
    }
    return paths;
  }();
  return known;
}

std::string as_pattern(const std::string& path) {
  static const std::regex dot(R"(\.)"), star(R"(\*)");
  return std::regex_replace(std::regex_replace(path, dot, "\\."), star, "[^/]*");
}

bool is_known(const std::string& path) {
  if (path.find('*') == std::string::npos) return known_paths().contains(path);
  const std::regex pattern(as_pattern(path));
  return std::any_of(known_paths().begin(), known_paths().end(),
                     [&](const std::string& known) { return std::regex_match(known, pattern); });
}

// Whether some file of the project has this name, in whatever folder.
bool is_name_of_a_file(const std::string& name) {
  return std::any_of(project_files().begin(), project_files().end(), [&](const std::string& file) {
    return file == name || file.ends_with('/' + name);
  });
}

// In blocks of code, what a comment at the start of a line names is to be written by the reader.
std::string without_code_comments(const std::string& text) {
  static const std::regex comment("\n//[^\n]*");
  return std::regex_replace(text, comment, "\n");
}

TEST(NamedFiles, OfDocumentsExist) {
  static const std::regex path(
      R"((^|[^\w./~$>-])((cmake|components|configs|docs|examples|framework|registry|tests|tools)/)"
      R"(([\w.*/-]|\{[^}\s]*\})*))");
  std::size_t named = 0;
  for (const std::string& page : project_documents()) {
    const std::string text = without_code_comments(project_text(page));
    for (std::sregex_iterator at(text.begin(), text.end(), path), end; at != end; ++at) {
      std::string written = (*at)[2];
      while (written.ends_with('.') || written.ends_with('/')) written.pop_back();
      for (const std::string& one : without_braces(written)) {
        EXPECT_TRUE(is_known(one)) << page << " names " << one;
        ++named;
      }
    }
  }
  EXPECT_GT(named, 150U) << "the search found too little";
}

// `vector_unit.h`: a name without its folder.
TEST(NamedFiles, WithoutAFolderExist) {
  static const std::regex name(R"(`((\w|\{[^}`\s]*\})+\.(h|cc|cu|cuh|py|sh|cmake))`)");
  std::size_t named = 0;
  for (const std::string& page : project_documents()) {
    const std::string text = project_text(page);
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
      for (const std::string& one : without_braces((*at)[1])) {
        EXPECT_TRUE(is_name_of_a_file(one)) << page << " names " << one;
        ++named;
      }
    }
  }
  EXPECT_GT(named, 5U);
}

}  // namespace
