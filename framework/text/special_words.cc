#include "framework/text/special_words.h"

#include <utility>

#include <utf8proc.h>

#include "framework/text/replaced.h"
#include "framework/text/rule_scanner.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

// The first `count` characters in upper case.
std::string with_upper(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t pos = 0; pos<text.size(); count -= count> 0) {
    const char32_t c = next_code_point(text, pos);
    append_utf8(out, count > 0 ? static_cast<char32_t>(utf8proc_toupper(static_cast<int>(c))) : c);
  }
  return out;
}

// TEXT or TEXT=NORM; either may be in double quotes.
SpecialToken token(RuleScanner& in) {
  SpecialToken made;
  const bool quoted = in.at('"');
  made.orth = in.word();
  if (quoted) {
    if (in.touches('=') && in.take("=")) made.norm = in.word();
    return made;
  }
  const std::size_t sign = made.orth.find('=');
  if (sign == std::string::npos || sign == 0) return made;
  made.norm = made.orth.substr(sign + 1);
  made.orth.resize(sign);
  return made;
}

}  // namespace

void SpecialWords::put(std::vector<SpecialToken> tokens) {
  std::size_t size = 0;
  for (const SpecialToken& part : tokens) {
    size += sizeof part + 2 * part.orth.size() + (part.norm ? part.norm->size() : 0);
  }
  budget_.charge(size);
  std::string text;
  for (const SpecialToken& part : tokens) text += part.orth;
  cases_[text] = std::move(tokens);
}

void SpecialWords::add_cases(const std::vector<SpecialToken>& tokens, bool each_case) {
  put(tokens);
  if (!each_case) return;
  std::vector<SpecialToken> title = tokens, upper = tokens;
  title[0].orth = with_upper(title[0].orth, 1);
  for (SpecialToken& part : upper) part.orth = with_upper(part.orth, part.orth.size());
  put(std::move(title));
  put(std::move(upper));
}

// Variants multiply: each spelling with the apostrophe replaced has its cases too.
void SpecialWords::add(std::vector<SpecialToken> tokens, const WordVariants& variants) {
  add_cases(tokens, variants.each_case);
  if (variants.from.empty()) return;
  for (SpecialToken& part : tokens) {
    budget_.charge(part.orth.size() / variants.from.size() * variants.to.size());  // at most
    part.orth = replaced(part.orth, variants.from, variants.to);
  }
  add_cases(tokens, variants.each_case);
}

void SpecialWords::add_words(std::string_view line, const WordVariants& variants) {
  for (RuleScanner in(line); !in.done();) add({{in.word(), {}}}, variants);
}

void SpecialWords::add_norms(std::string_view line, const WordVariants& variants) {
  const std::size_t colon = line.find(": ");
  if (colon == line.npos) RuleScanner(line).fail("a norm ends with a colon and a space");
  RuleScanner head(line.substr(0, colon));
  std::string norm = head.at('"') ? head.word() : std::string(line.substr(0, colon));
  for (RuleScanner in(line.substr(colon + 1)); !in.done();) add({{in.word(), norm}}, variants);
}

void SpecialWords::add_contractions(std::string_view line, const WordVariants& variants) {
  const std::size_t bar = line.find(" | ");
  if (bar == line.npos)
    RuleScanner(line).fail("a contraction needs a ` | ` before its other parts");
  std::vector<SpecialToken> parts(1);
  for (RuleScanner in(line.substr(bar + 3)); !in.done();) parts.push_back(token(in));
  for (RuleScanner in(line.substr(0, bar)); !in.done();) {
    budget_.charge(parts.size() * sizeof(SpecialToken));
    parts[0] = token(in);
    add(parts, variants);
  }
}

std::vector<SpecialCase> SpecialWords::cases() const {
  std::vector<SpecialCase> all;
  for (const auto& [text, tokens] : cases_) all.push_back({text, tokens});
  return all;
}

}  // namespace weft
