#include "framework/tagging/label_list.h"

#include <fmt/format.h>

#include "framework/text/symbols.h"
#include "registry/base/error.h"

namespace weft {

bool LabelList::add(std::string_view label, StringStore& strings) {
  // Refused before its text is kept: there may be millions of them.
  if (size() == kMostClasses && !find(string_id(label))) {
    throw Error(ErrorKind::data, fmt::format("more than {} labels", kMostClasses));
  }
  const StringId id = strings.add(label);
  if (!numbers_.try_emplace(id, static_cast<std::int32_t>(names_.size())).second) return false;
  names_.emplace_back(label);
  ids_.push_back(id);
  return true;
}

void LabelList::clear() {
  names_.clear();
  ids_.clear();
  numbers_.clear();
}

std::optional<std::int32_t> LabelList::find(StringId id) const {
  const auto found = numbers_.find(id);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

List LabelList::to_list() const {
  List list;
  for (const std::string& name : names_) list.emplace_back(name);
  return list;
}

void LabelList::add_list(const Node& list, const std::string& source, StringStore& strings,
                         std::int64_t most) {
  if (!list.is_list()) throw Error(ErrorKind::data, source + ": labels are a list of names");
  for (const Node& label : list.as_list()) {
    if (!label.is_string()) throw Error(ErrorKind::data, source + ": a label is not a text");
    if (size() == most && !find(string_id(label.as_string()))) {
      throw Error(ErrorKind::data, fmt::format("{}: more than {} labels", source, most));
    }
    add(label.as_string(), strings);
  }
}

}  // namespace weft
