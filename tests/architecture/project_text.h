// Files and documents of the project as text, for tests that compare one with the other.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

// Relative paths of the files below the project's folders, `build` and hidden ones left out.
const std::set<std::string>& project_files();

std::string project_text(const std::string& file);

// README.md and the pages in docs/.
std::vector<std::string> project_documents();

// A heading of a document: "7.2", "Alignment", "72-alignment".
struct Heading {
  std::string number;  // "" where it has none
  std::string text;    // without number and backticks
  std::string anchor;  // as links name it
};
std::vector<Heading> headings_of(const std::string& document);

// "a/{b,c}.h" to "a/b.h" and "a/c.h".
std::vector<std::string> without_braces(const std::string& path);
