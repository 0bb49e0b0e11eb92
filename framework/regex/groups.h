// The groups that a pattern has opened so far: which number and name each has, and whether a
// reference may name it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "framework/regex/cursor.h"
#include "framework/regex/width.h"

namespace weft {

class RegexGroups {
 public:
  // Its number; the first is 1.
  std::uint32_t open();
  // Gives the name that the cursor stands in, `word>`, to a group that it opens.
  std::uint32_t open_named(RegexCursor& in);
  // `body` is all that stands inside of it.
  void close(std::uint32_t number, const RegexNode& body);

  // Begins a look-behind; returns that around it, which `end_look_behind` is given.
  int begin_look_behind();
  // Throws Error(data) where matches of the body differ in width.
  void end_look_behind(const RegexCursor& in, const RegexNode& body, int around);

  // Throw Error(data): there is no such group, as Python counts only those opened before; or a
  // reference may not stand here.
  void check_reference(const RegexCursor& in, std::uint32_t number) const;
  std::uint32_t number_of(const RegexCursor& in, const std::string& name) const;

 private:
  struct Group {
    bool is_open = true;
    int look_behind = 0;  // the one that it stands in; 0: none
  };

  std::vector<Group> groups_;  // that of number 1 first
  std::vector<RegexWidth> widths_;
  int look_behind_ = 0, look_behinds_ = 0;  // that which is being read, and how many there are
  std::map<std::string, std::uint32_t> names_;
};

}  // namespace weft
