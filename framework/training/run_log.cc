#include "framework/training/run_log.h"

#include <utility>

#include "framework/io/input_lines.h"
#include "framework/pipeline/score_weights.h"
#include "registry/value/json.h"
#include "registry/value/members.h"

namespace weft {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;

double number_at(const Object& object, std::string_view key) {
  const Node* node = object.find(key);
  return node == nullptr ? 0.0 : number_or_zero(*node);
}

}  // namespace

std::optional<LoggedEvaluation> parse_logged(std::string_view line) {
  const auto parsed = parse_json(line);
  if (!parsed || !parsed->is_object()) return std::nullopt;
  const Object& object = parsed->as_object();
  if (!object.contains("step") || !object.contains("score")) return std::nullopt;
  const auto own = [&](const char* key) {
    const Object* found = object_at(object, key);
    return found == nullptr ? Object() : *found;
  };
  const Object time = own("time");
  LoggedEvaluation found{.epoch = count_at(object, "epoch"),
                         .step = count_at(object, "step"),
                         .score = number_at(object, "score"),
                         .scores = own("scores"),
                         .losses = own("losses"),
                         .words = count_at(object, "words"),
                         .seconds = number_at(time, "seconds"),
                         .words_per_second = number_at(time, "words_per_second")};
  found.date = text_at(time, "date");
  return found;
}

RunLog read_run_log(const std::filesystem::path& file) {
  RunLog log;
  if (!is_there(file)) return log;
  InputLines lines(file.string(), kLongestLine);
  for (std::string line; lines.next(line);) {
    std::optional<LoggedEvaluation> found = parse_logged(line);
    if (!found) continue;
    ++log.evaluations;
    if (!log.best || found->score > log.best->score) log.best = found;
    log.last = std::move(found);
  }
  return log;
}

}  // namespace weft
