#include "framework/pipeline/data_problem.h"

#include <algorithm>
#include <utility>

#include "framework/text/printable.h"

namespace weft {
namespace {

constexpr std::size_t kExcerpt = 60;  // bytes of a text

std::string excerpt(std::string_view text) {
  std::size_t end = std::min(text.size(), kExcerpt);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  return std::string(text.substr(0, end));
}

}  // namespace

Object to_object(const DataProblem& problem) {
  Object object;
  object.set("kind", std::string(problem.fault.name));
  object.set("severity", problem.fault.is_error ? "error" : "warning");
  object.set("corpus", problem.corpus);
  object.set("file", problem.file.empty() ? Node() : Node(problem.file));
  object.set("line", problem.line == 0 ? Node() : Node(problem.line));
  object.set("document", problem.document == 0 ? Node() : Node(problem.document));
  object.set("start", problem.start < 0 ? Node() : Node(problem.start));
  object.set("end", problem.end < 0 ? Node() : Node(problem.end));
  object.set("label", problem.label.empty() ? Node() : Node(problem.label));
  object.set("text", problem.text);
  object.set("message", problem.message);
  object.set("repair", problem.repair);
  return object;
}

std::string first_ten(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 10;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) {
    text += (i == 0 ? "" : ", ") + printable_brief(names[i]);
  }
  return names.size() > kShown ? text + " ..." : text;
}

DataProblem problem_in(DataFault fault, const PlacedDoc& placed) {
  return {.fault = fault,
          .corpus = {},
          .file = placed.file,
          .line = placed.line,
          .document = placed.document,
          .text = excerpt(placed.doc.text())};
}

DataProblem problem_in(DataFault fault, const PlacedDoc& placed, const Span& span) {
  DataProblem problem = problem_in(fault, placed);
  const TokenTable& tokens = *placed.doc.tokens();
  problem.start = static_cast<std::int64_t>(tokens.char_start(span.start));
  problem.end = static_cast<std::int64_t>(tokens.char_end(span.end - 1));
  problem.label = std::string(placed.doc.string(span.label));
  problem.text = std::string(placed.doc.span_text(span.start, span.end));
  return problem;
}

void tell_with(const DataSink& tell, DataProblem problem, std::string message, std::string repair) {
  problem.message = std::move(message);
  problem.repair = std::move(repair);
  tell(std::move(problem));
}

}  // namespace weft
