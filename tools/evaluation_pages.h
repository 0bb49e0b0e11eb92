// Pages with the predictions of an evaluation (evaluate --displacy-path).
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "framework/text/example.h"
#include "tools/command_line.h"

namespace weft::tools {

// Keeps the first documents and draws them in the end: entities.html, parses.html, spans.html, each
// where a document has something of that kind; a note says where none has. Does nothing without
// --displacy-path.
class EvaluationPages {
 public:
  // Throws Error(usage) for a limit below 1, and where the folder is a file.
  EvaluationPages(const CommandLine& line, std::string lang);

  // The files that may be written; none without --displacy-path.
  static std::vector<std::filesystem::path> files(const CommandLine& line);

  void add(std::span<const Example> examples);
  // Throws Error(system).
  void write() const;

 private:
  void tell_of_nothing() const;

  std::filesystem::path folder_;
  std::size_t limit_ = 0;
  std::string spans_key_ = "sc";
  std::string lang_;
  std::vector<Doc> docs_;
};

}  // namespace weft::tools
