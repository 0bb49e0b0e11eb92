// Comments and pages cite pages and their sections, by name, by number or by a link: all of them
// exist.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/project_text.h"

namespace {

// One line, without the signs that begin lines of comments, so that a citation may be wrapped.
std::string joined_lines(const std::string& text) {
  static const std::regex wrap(R"(\s*\n\s*(//+|#+|\*)?\s*)");
  return std::regex_replace(text, wrap, " ");
}

bool has_section(const std::string& document, const std::string& name) {
  const std::vector<Heading> headings = headings_of(document);
  return std::any_of(headings.begin(), headings.end(), [&](const Heading& heading) {
    return heading.text == name || heading.number == name || '#' + heading.anchor == name;
  });
}

// The sections that stand behind the name of a page: `, "Lines" to "Values"`, ` 3.1 and 3.2`,
// `, section 5`, `#anchor`.
std::vector<std::string> sections_behind(const std::string& tail) {
  static const std::regex list(
      R"re(^(#[\w-]+|,? (sections? )?\d+(\.\d+)*((,| and|, and| to) \d+(\.\d+)*)*\b)re"
      R"re(|, "[^"]*"((,| and|, and| to) "[^"]*")*))re");
  static const std::regex one(R"re(#[\w-]+|\d+(\.\d+)*|"[^"]*")re");
  std::smatch match;
  std::vector<std::string> sections;
  if (!std::regex_search(tail, match, list)) return sections;
  const std::string found = match[0];
  const bool is_named = found.find('"') != std::string::npos;
  for (std::sregex_iterator at(found.begin(), found.end(), one), end; at != end; ++at) {
    const std::string name = at->str();
    if (is_named == (name[0] == '"')) {
      sections.push_back(is_named ? name.substr(1, name.size() - 2) : name);
    }
  }
  return sections;
}

// Checks what a file cites; gives how many sections that were.
std::size_t check_citations(const std::string& file) {
  static const std::regex page(R"(\bdocs/[\w-]+(/[\w-]+)*\.md)");
  const std::string raw = project_text(file);
  if (raw.find("docs/") == std::string::npos) return 0;
  const std::string text = joined_lines(raw);
  std::size_t count = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), page), end; at != end; ++at) {
    const std::string cited = at->str();
    EXPECT_TRUE(project_files().contains(cited)) << file << " cites " << cited;
    const auto behind = static_cast<std::size_t>(at->position() + at->length());
    for (const std::string& section : sections_behind(text.substr(behind, 300))) {
      EXPECT_TRUE(has_section(cited, section)) << file << ": " << cited << ", " << section;
      ++count;
    }
  }
  return count;
}

TEST(Citations, NameSectionsThatExist) {
  static const std::regex kinds(R"(.*\.(h|cc|cu|cuh|py|sh|cmake|txt|cfg|rules|md))");
  std::size_t sections = 0;
  for (const std::string& file : project_files()) {
    if (std::regex_match(file, kinds)) sections += check_citations(file);
  }
  EXPECT_GT(sections, 80U) << "the search found too little";
}

// [text](page.md#anchor), relative to the page that it stands in.
TEST(Citations, LinksLeadSomewhere) {
  static const std::regex link(R"(\]\(([\w./-]*)(#[^)\s]*)?\))");
  std::size_t links = 0;
  for (const std::string& page : project_documents()) {
    const std::string text = project_text(page);
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string path = (*at)[1], anchor = (*at)[2];
      const std::filesystem::path beside = std::filesystem::path(page).parent_path() / path;
      const std::string target = path.empty() ? page : beside.lexically_normal().string();
      const bool is_folder = project_files().lower_bound(target + '/') != project_files().end() &&
                             project_files().lower_bound(target + '/')->starts_with(target + '/');
      EXPECT_TRUE(is_folder || project_files().contains(target)) << page << ": " << at->str();
      EXPECT_TRUE(anchor.empty() || has_section(target, anchor)) << page << ": " << at->str();
      ++links;
    }
  }
  EXPECT_GT(links, 20U);
}

}  // namespace
