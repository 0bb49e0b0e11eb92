#include "registry/functions/argument.h"

#include <algorithm>

namespace weft {
namespace {

bool holds_data(const Argument& value) {
  return value.is_data();
}

}  // namespace

Argument::Argument(List items) {
  if (!std::all_of(items.begin(), items.end(), holds_data)) {
    value_ = std::move(items);
    return;
  }
  weft::List data;
  data.reserve(items.size());
  for (Argument& item : items) data.push_back(std::move(item.data()));
  value_ = Node(std::move(data));
}

Argument::Argument(Section members) {
  const auto data_member = [](const Member& member) { return member.value.is_data(); };
  if (!std::all_of(members.begin(), members.end(), data_member)) {
    value_ = std::move(members);
    return;
  }
  Object data;
  for (Member& member : members) data.set(member.key, std::move(member.value.data()));
  value_ = Node(std::move(data));
}

Argument::List Argument::take_items() {
  if (is_list()) return std::move(list());
  List items;
  if (is_data() && data().is_list()) {
    for (Node& item : data().as_list()) items.emplace_back(std::move(item));
  }
  return items;
}

Argument::Section Argument::take_members() {
  if (is_section()) return std::move(section());
  Section members;
  if (is_data() && data().is_object()) {
    for (auto& [key, node] : data().as_object()) members.push_back({key, std::move(node)});
  }
  return members;
}

std::string Argument::type_name() const {
  if (is_data()) return std::string(data().type_name());
  if (is_list()) return "a list";
  if (is_section()) return "a section";
  return "a result of type " + product().type().name;
}

void Arguments::set(std::string name, Argument value) {
  values_.push_back({std::move(name), std::move(value)});
}

Argument* Arguments::find(std::string_view name) {
  for (Argument::Member& member : values_) {
    if (member.key == name) return &member.value;
  }
  return nullptr;
}

}  // namespace weft
