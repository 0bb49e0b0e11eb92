#include "framework/regex/syntax.h"

namespace weft {

const CodePointSet& python_space() {
  static const CodePointSet& space = *new CodePointSet({{0x09, 0x0D},
                                                        {0x1C, 0x20},
                                                        {0x85, 0x85},
                                                        {0xA0, 0xA0},
                                                        {0x1680, 0x1680},
                                                        {0x2000, 0x200A},
                                                        {0x2028, 0x2029},
                                                        {0x202F, 0x202F},
                                                        {0x205F, 0x205F},
                                                        {0x3000, 0x3000}});
  return space;
}

const CodePointSet& python_word() {
  static const CodePointSet& word = *new CodePointSet(
      CodePointSet::of_category("L") | CodePointSet::of_category("N") | CodePointSet::of(U'_'));
  return word;
}

const CodePointSet& python_digit() {
  static const CodePointSet& digit = *new CodePointSet(CodePointSet::of_category("Nd"));
  return digit;
}

CodePointSet members(const RegexNode& node) {
  static const CodePointSet& not_word = *new CodePointSet(python_word().complement());
  static const CodePointSet& not_digit = *new CodePointSet(python_digit().complement());
  CodePointSet result = node.set;
  if (node.shorthands & kWord) result = result | python_word();
  if (node.shorthands & kNotWord) result = result | not_word;
  if (node.shorthands & kDigit) result = result | python_digit();
  if (node.shorthands & kNotDigit) result = result | not_digit;
  return node.negated ? result.complement() : result;
}

}  // namespace weft
