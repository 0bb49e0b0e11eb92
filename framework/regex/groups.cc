#include "framework/regex/groups.h"

#include <algorithm>
#include <cctype>

namespace weft {
namespace {

constexpr std::string_view kNoGroup = "a reference to a group that does not exist";

bool is_identifier(const std::string& name) {
  const char first = name.front();
  return !(first >= '0' && first <= '9') &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return c >= 0x80 || c == '_' || std::isalnum(c) != 0; });
}

}  // namespace

std::uint32_t RegexGroups::open() {
  groups_.push_back({.look_behind = look_behind_});
  widths_.emplace_back();
  return static_cast<std::uint32_t>(groups_.size());
}

std::uint32_t RegexGroups::open_named(RegexCursor& in) {
  const std::string name = in.word_until(U'>');
  if (!is_identifier(name)) in.fail("a group name is a letter or _, then letters, digits or _");
  const std::uint32_t number = open();
  if (!names_.emplace(name, number).second) in.fail("a group name is used twice");
  return number;
}

void RegexGroups::close(std::uint32_t number, const RegexNode& body) {
  groups_[number - 1].is_open = false;
  widths_[number - 1] = width_of(body, widths_);
}

int RegexGroups::begin_look_behind() {
  const int around = look_behind_;
  look_behind_ = ++look_behinds_;
  return around;
}

void RegexGroups::end_look_behind(const RegexCursor& in, const RegexNode& body, int around) {
  look_behind_ = around;
  if (!width_of(body, widths_).is_fixed()) in.fail("a look-behind of several widths");
}

void RegexGroups::check_reference(const RegexCursor& in, std::uint32_t number) const {
  if (number == 0 || number > groups_.size()) in.fail(kNoGroup);
  const Group& group = groups_[number - 1];
  if (group.is_open) in.fail("a reference to a group inside of which it stands");
  if (group.look_behind != 0 && group.look_behind == look_behind_) {
    in.fail("a reference to a group of the same look-behind");
  }
}

std::uint32_t RegexGroups::number_of(const RegexCursor& in, const std::string& name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) in.fail(kNoGroup);
  return found->second;
}

}  // namespace weft
