#include "registry/checking/section_check.h"

#include <fmt/format.h>

#include "registry/base/article.h"
#include "registry/base/suggest.h"
#include "registry/functions/fit.h"

namespace weft {
namespace {

const Origin& place_of(const Node& node) {
  return node.key_origin.source == Origin::Source::none ? node.origin : node.key_origin;
}

// Adds what one section gives and lacks.
class SectionChecker {
 public:
  SectionChecker(const CheckedSection& section, const Catalogue& catalogue, Problems& problems)
      : section_(section), catalogue_(catalogue), problems_(problems) {}

  void run() {
    const Object& object = section_.node.as_object();
    const Assignment assignment = assign(section_.signature, object, section_.path, section_.skip);
    for (const Assigned& assigned : assignment.parameters) check(assigned);
    for (const PositionalValue& value : assignment.too_many) {
      add(Reason::unexpected, value.path, place_of(*value.value), "one positional value too many");
    }
    for (const Object::Entry* entry : assignment.unexpected) unexpected(*entry, assignment);
  }

 private:
  void check(const Assigned& assigned) {
    const FunctionParameter& parameter = *assigned.parameter;
    if (assigned.named != nullptr && !assigned.positional.empty()) {
      const PositionalValue& value = assigned.positional.front();
      add(Reason::unexpected, value.path, place_of(*value.value),
          fmt::format("{} is given twice, by name and by place", parameter.name));
    }
    if (section_.signature.check_positional) {
      for (const PositionalValue& value : assigned.positional) {
        check_value(parameter, *value.value, value.path, !value.in_list);
      }
    }
    if (assigned.named != nullptr) {
      const Node& node = assigned.named->node;
      check_value(parameter, node, join_path(section_.path, parameter.name));
      note_ignored(parameter, node);
    } else if (assigned.positional.empty() && parameter.required()) {
      missing(parameter);
    }
  }

  void missing(const FunctionParameter& parameter) {
    const bool variadic = parameter.kind == FunctionParameter::Kind::variadic;
    if (variadic && section_.node.as_object().contains(kPositional)) return;
    std::string message = fmt::format("missing; expected {}", parameter.type.str());
    if (!parameter.doc.empty()) message += fmt::format(" ({})", parameter.doc);
    if (variadic) message = "missing; give its values under `*`, or `* = []` for none";
    add(Reason::missing, join_path(section_.path, parameter.name), place_of(section_.node),
        std::move(message));
  }

  // The value is copied, since fitting converts it; the tree keeps what the user wrote.
  void check_value(const FunctionParameter& parameter, const Node& given, const std::string& path,
                   bool block_allowed = true) {
    if (block_allowed && is_block(given)) return check_result(parameter, given, path);
    if (parameter.type.kind() == Type::Kind::any) return;
    Node value = given;
    FitReport report;
    Reason reason = Reason::type;
    if (fit(parameter.type, value, report, block_allowed) &&
        !check_limits(parameter, value, report)) {
      reason = Reason::range;
    }
    report_fit(section_, report, path, given.origin, reason, problems_);
  }

  // The value is a function block: its declared result must suit the parameter.
  void check_result(const FunctionParameter& parameter, const Node& block,
                    const std::string& path) {
    const auto promises = promises_of(block.as_object());
    const Function* function = find_function(catalogue_, *promises.front());
    if (function == nullptr) return;
    if (!result_may_fit(parameter.type, function->result())) {
      add(Reason::type, path, place_of(block),
          fmt::format("expected {}, but {} gives {}", parameter.type.str(), function->name(),
                      with_article(function->result().str())));
    } else if (parameter.function_fault != nullptr) {
      std::string fault = parameter.function_fault(*function);
      if (!fault.empty()) add(Reason::type, path, place_of(block), std::move(fault));
    }
  }

  void note_ignored(const FunctionParameter& parameter, const Node& node) {
    // A default that has no effect is nothing to tell the user of.
    const bool given = node.origin.source != Origin::Source::default_value;
    const bool empty = node.is_null() || (node.is_object() && node.as_object().empty());
    if (parameter.ignored.empty() || !given || empty) return;
    Problem& note =
        add(Reason::none, join_path(section_.path, parameter.name), node.origin, parameter.ignored);
    note.severity = Severity::note;
    note.kind = ProblemKind::ignored;
  }

  void unexpected(const Object::Entry& entry, const Assignment& assignment) {
    if (section_.unknown == UnknownKeys::allow) return;
    std::vector<std::string> known;
    std::string message = "unknown setting";
    for (const Assigned& assigned : assignment.parameters) {
      const FunctionParameter& parameter = *assigned.parameter;
      if (parameter.kind == FunctionParameter::Kind::variadic && parameter.name == entry.key) {
        message = fmt::format("positional: give its values under `*`, as [{}.*]", section_.path);
      } else if (parameter.kind != FunctionParameter::Kind::var_keyword) {
        known.push_back(parameter.name);
      }
    }
    if (known.empty() && section_.signature.parameters.empty()) message += "; there are none here";
    Problem& problem = add(Reason::unexpected, join_path(section_.path, entry.key),
                           place_of(entry.node), std::move(message));
    problem.suggestion = join_or(nearest(entry.key, known));
    if (section_.unknown == UnknownKeys::warn) problem.severity = Severity::warning;
  }

  Problem& add(Reason reason, std::string path, const Origin& place, std::string message) {
    return problems_.emplace_back(
        section_problem(section_, reason, std::move(path), place, std::move(message)));
  }

  const CheckedSection& section_;
  const Catalogue& catalogue_;
  Problems& problems_;
};

}  // namespace

Problem section_problem(const CheckedSection& section, Reason reason, std::string path,
                        const Origin& place, std::string message) {
  Problem problem;
  problem.kind = section.kind;
  problem.reason = reason;
  problem.place = place;
  problem.path = std::move(path);
  problem.message = std::move(message);
  problem.function = section.function;
  return problem;
}

void report_fit(const CheckedSection& section, const FitReport& report, const std::string& path,
                const Origin& place, Reason reason, Problems& problems) {
  // Arguments are named as a whole, as the reference does; keys of a schema down to the element.
  const bool whole = section.kind == ProblemKind::validation;
  const auto add = [&](const FitNote& note) -> Problem& {
    std::string message = note.message;
    if (whole && !note.where.empty())
      message = fmt::format("at {}: {}", note.where.substr(1), message);
    const Origin& at = note.place.source == Origin::Source::none ? place : note.place;
    return problems.emplace_back(
        section_problem(section, reason, whole ? path : path + note.where, at, std::move(message)));
  };
  for (const FitNote& note : report.errors) add(note);
  for (const FitNote& note : report.conversions) {
    Problem& problem = add(note);
    problem.severity = Severity::warning;
    problem.reason = Reason::type;
  }
}

const Function* find_function(const Catalogue& catalogue, const Object::Entry& promise) {
  if (!promise.node.is_string()) return nullptr;
  return catalogue.find(std::string_view(promise.key).substr(1), promise.node.as_string());
}

void check_section(const CheckedSection& section, const Catalogue& catalogue, Problems& problems) {
  SectionChecker(section, catalogue, problems).run();
}

}  // namespace weft
