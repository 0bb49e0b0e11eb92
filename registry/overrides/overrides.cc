#include "registry/overrides/overrides.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "registry/base/unicode.h"
#include "registry/overrides/override_value.h"
#include "registry/value/json.h"

namespace weft {
namespace {

std::string without_double_dashes(std::string_view word) {
  std::string out;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t dashes = std::min(word.find("--", at), word.size());
    out += word.substr(at, dashes - at);
    at = dashes + 2;
  }
  return out;
}

class OverrideParser {
 public:
  OverrideParser(const std::vector<std::string>& words, Origin::Source source,
                 std::string_view variable, Problems& problems)
      : words_(words), source_(source), variable_(variable), problems_(problems) {}

  Overrides run() {
    const bool command_line = source_ == Origin::Source::command_line;
    // The first `--` of a command line only ends its options.
    const auto end = std::find(words_.begin(), words_.end(), "--");
    if (command_line && end != words_.end()) words_.erase(end);
    while (at_ < words_.size()) step(words_[at_++]);
    return std::move(overrides_);
  }

 private:
  // A name may be followed by `=value`, by a word that does not begin with two dashes, or by
  // nothing, which means true.
  void step(const std::string& word) {
    const std::string option = without_double_dashes(word);
    if (!word.starts_with("--")) {
      report(ProblemKind::invalid_override, word,
             fmt::format("`{}` is no override; write --section.key value", word));
      if (source_ == Origin::Source::environment) at_ = words_.size();
    } else if (option.find('.') == std::string::npos) {
      no_dot(word);
    } else if (const auto equals = option.find('='); equals != std::string::npos) {
      with_equals(word, option.substr(0, equals), option.substr(equals + 1));
    } else {
      add(option, next_is_value() ? words_[at_++] : "true", word);
    }
  }

  void no_dot(const std::string& word) {
    const bool command_line = source_ == Origin::Source::command_line;
    report(command_line ? ProblemKind::no_such_option : ProblemKind::invalid_override, word,
           fmt::format("there is no option {}; an override needs a dotted name", word));
    if (next_is_value()) ++at_;  // its value is no mistake of its own
  }

  void with_equals(const std::string& word, std::string name, const std::string& value) {
    const auto written = word.substr(word.find('=') + 1);
    if (value != written) {
      report(ProblemKind::became_string, word,
             fmt::format("`--` inside the value is dropped, which leaves {}", value));
      problems_.back().severity = Severity::warning;
    }
    std::replace(name.begin(), name.end(), '-', '_');
    add(name, value, word);
  }

  bool next_is_value() const { return at_ < words_.size() && !words_[at_].starts_with("--"); }

  void add(const std::string& name, const std::string& value, const std::string& word) {
    // A config is text: the run's own copy could not keep the bytes, and no run would go on from
    // it.
    for (const std::string& text : {name, value}) {
      if (!find_invalid_utf8(text)) continue;
      return report(ProblemKind::invalid_override, word,
                    fmt::format("`{}` is not valid UTF-8, as all of a config has to be", text));
    }
    Node node = override_value(value);
    node.origin = node.key_origin = place(word);
    const auto [known, is_new] = places_.try_emplace(name, overrides_.size());
    if (is_new) {
      overrides_.emplace_back(name, std::move(node));
    } else {
      overrides_[known->second].second = std::move(node);
    }
  }

  Origin place(const std::string& word) const {
    if (source_ == Origin::Source::command_line) return Origin::command_line(word);
    return Origin::environment(variable_);
  }

  void report(ProblemKind kind, const std::string& word, std::string message) {
    Problem problem;
    problem.kind = kind;
    problem.place = place(word);
    problem.message = std::move(message);
    problems_.push_back(std::move(problem));
  }

  std::vector<std::string> words_;
  Origin::Source source_;
  std::string variable_;
  Problems& problems_;
  std::size_t at_ = 0;
  Overrides overrides_;
  std::unordered_map<std::string, std::size_t> places_;
};

// Those of a variable. Text that breaks off is taken as it is, as by the reference, with a warning.
Overrides overrides_of(const EnvironmentOverrides& given, Problems& problems) {
  const SplitWords split = split_words(given.value);
  if (!split.is_whole) {
    Problem& problem = problems.emplace_back();
    problem.severity = Severity::warning;
    problem.kind = ProblemKind::invalid_override;
    problem.place = Origin::environment(given.variable);
    problem.message = "a quote is not closed, or a backslash ends the text";
  }
  return parse_overrides(split.words, Origin::Source::environment, given.variable, problems);
}

Problem disagreement(const std::string& name, const Node& weaker, const Node& stronger) {
  Problem problem;
  problem.severity = Severity::warning;
  problem.kind = ProblemKind::disagreement;
  problem.place = stronger.origin;
  problem.path = name;
  problem.message = fmt::format("{} from {} wins over {} from {}", to_json(stronger),
                                stronger.origin.str(), to_json(weaker), weaker.origin.str());
  return problem;
}

}  // namespace

Overrides parse_overrides(const std::vector<std::string>& words, Origin::Source source,
                          std::string_view variable, Problems& problems) {
  return OverrideParser(words, source, variable, problems).run();
}

Overrides collect_overrides(const std::vector<std::string>& argv,
                            const std::vector<EnvironmentOverrides>& environment,
                            Problems& problems) {
  // From weak to strong: the command line, then each environment variable in turn. The order of
  // application is that in which names first came, since the tree keeps keys in order.
  std::vector<Overrides> stronger;
  stronger.reserve(environment.size());
  for (const EnvironmentOverrides& given : environment) {
    stronger.push_back(overrides_of(given, problems));
  }
  Overrides all = parse_overrides(argv, Origin::Source::command_line, {}, problems);
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < all.size(); ++i) places.emplace(all[i].first, i);
  for (Overrides& overrides : stronger) {
    for (auto& [name, node] : overrides) {
      const auto [known, is_new] = places.try_emplace(name, all.size());
      if (is_new) {
        all.emplace_back(name, std::move(node));
        continue;
      }
      Node& weaker = all[known->second].second;
      if (!weaker.same_value(node)) problems.push_back(disagreement(name, weaker, node));
      node.replaced = std::make_shared<const Node>(std::move(weaker));
      weaker = std::move(node);
    }
  }
  return all;
}

}  // namespace weft
