// Which words stand for numbers in a language.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace weft {

// True if `word` is a number in digits or one of the number words of a language. Everywhere a sign
// in front is left out, then all commas and points, and "1/2" is a number. The set of a language
// has words in lower case, and rules:
//   #st      digits, then "st"; in "#?st" there is one character more between them
//   #^#      digits, "^", digits
//   <+>      a sign is not left out
//   <Aa>     letter case counts
//   <1>      of words with a blank inside, the first one counts
//   <drop>X  all characters X are left out, as commas are
//   <last>X  a character X at the very end is left out
//   <count>X, <unit>X  one X of each kind after the other, as often as wanted, and a count at the
//            end if wanted, is a number
bool is_number(std::string_view word, const std::unordered_set<std::string>& language);

}  // namespace weft
