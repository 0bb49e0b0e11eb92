// Loggers, scorers and callbacks from Python: functions that a run calls.
#include <memory>
#include <ostream>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "functions.h"
#include "nodes.h"
#include "pipeline.h"
#include "python_failure.h"
#include "text.h"

#include "framework/pipeline/callback.h"
#include "framework/pipeline/scores.h"
#include "framework/text/example.h"
#include "framework/training/logger.h"

namespace weft::python {
namespace {

nb::module_ signatures() {
  return nb::module_::import_("weft.signatures");
}

nb::object stream_named(const char* name) {
  return nb::module_::import_("sys").attr(name);
}

// spaCy's keys, and the further numbers of weft.
nb::dict dict_of(const TrainingInfo& info) {
  nb::dict losses;
  for (const auto& [name, loss] : info.losses) losses[str_of(name)] = loss;
  nb::list checkpoints;
  for (const auto& [score, step] : info.checkpoints) {
    checkpoints.append(nb::make_tuple(score, step));
  }
  nb::dict dict;
  dict["epoch"] = info.epoch;
  dict["step"] = info.step;
  dict["score"] = info.score;
  dict["other_scores"] = to_dict(info.other_scores);
  dict["losses"] = losses;
  dict["checkpoints"] = checkpoints;
  dict["seconds"] = info.seconds;
  dict["words"] = info.words;
  dict["words_per_second"] = info.words_per_second;
  dict["learn_rate"] = info.learn_rate;
  return dict;
}

class PythonLog : public LogSession {
 public:
  PythonLog(const Held& setup_logger, const LogSetup& setup, std::string where)
      : where_(std::move(where)), loan_(*setup.nlp), out_(setup.out) {
    call([&] {
      const nb::object made =
          signatures().attr("call_with")(setup_logger.get(), nb::cast(loan_.pipeline()),
                                         stream_named("stdout"), stream_named("stderr"));
      take(made);
    });
  }

  // As spaCy's loop does; a function whose annotation does not admit None is spared that. One call
  // for each step: whether an evaluation belongs to a step shows behind it.
  void stepped(std::int64_t) override {
    tell_of_step();
    step_is_untold_ = takes_none_;
  }
  void evaluated(const TrainingInfo& info) override {
    step_is_untold_ = false;
    call([&] { log_step_.get()(dict_of(info)); });
  }
  void finish() override {
    tell_of_step();
    if (!finalize_) return;
    call([&] { finalize_.get()(); });
  }

 private:
  void tell_of_step() {
    if (std::exchange(step_is_untold_, false)) call([&] { log_step_.get()(nb::none()); });
  }

  void take(nb::handle made) {
    if (!nb::isinstance<nb::tuple>(made) && !nb::isinstance<nb::list>(made)) {
      raise_type_error(where_ + " gave no pair (log_step, finalize) of functions");
    }
    const nb::tuple pair(nb::borrow<nb::object>(made));
    if (pair.size() != 2) raise_type_error(where_ + " gave no pair (log_step, finalize)");
    log_step_ = Held(pair[0]);
    if (!pair[1].is_none()) finalize_ = Held(pair[1]);
    takes_none_ = nb::cast<bool>(signatures().attr("takes_none")(pair[0]));
  }

  // The lines of the run and those of the function come out in their order.
  template <class Work>
  void call(const Work& work) {
    out_.flush();
    in_python(where_, [&] {
      work();
      if (const nb::object out = stream_named("stdout"); !out.is_none()) out.attr("flush")();
    });
  }

  std::string where_;
  Loan loan_;
  std::ostream& out_;
  Held log_step_, finalize_;
  bool takes_none_ = true, step_is_untold_ = false;
};

// `settings`: those of the component that is scored.
Scores score(const Held& scorer, const std::string& where, std::span<const Example> examples,
             const Object& settings) {
  return in_python(where, [&] {
    nb::list list;
    for (const Example& example : examples) list.append(nb::cast(Example(example)));
    const nb::object given =
        signatures().attr("call_scorer")(scorer.get(), list, to_dict(settings));
    if (!nb::isinstance<nb::dict>(given)) raise_type_error(where + " gave no dict of scores");
    const std::optional<Node> scores = data_of(given);
    if (!scores) raise_type_error(where + " gave scores that are no numbers, texts or dicts");
    return scores->as_object();
  });
}

void call_back(const Held& callback, const std::string& where, CallbackCall& call) {
  const Loan loan(call.nlp, true);
  in_python(where, [&] {
    const nb::object nlp = nb::cast(loan.pipeline());
    nb::dict step;
    step["step"] = call.step;
    step["epoch"] = call.epoch;
    const nb::object given = call.step < 0
                                 ? callback.get()(nlp)
                                 : signatures().attr("call_with")(callback.get(), nlp, step);
    if (given.is_none()) return;
    std::shared_ptr<Pipeline> other;
    if (!nb::try_cast(given, other) || other == nullptr) {
      const nb::str shown = nb::repr(given);
      raise_type_error(where + " returned " + std::string(utf8_of(shown)) +
                       "; a callback returns nlp, or nothing");
    }
    if (other != loan.pipeline()) call.save_instead = other->shared();
  });
}

// The functions inside products, by which `source_of` finds what they were made of.
struct StartsLog {
  Held made;
  std::string where;
  std::unique_ptr<LogSession> operator()(const LogSetup& setup) const {
    return std::make_unique<PythonLog>(made, setup, where);
  }
};

struct ScoresExamples {
  Held made;
  std::string where;
  Scores operator()(std::span<const Example> examples) const {
    return score(made, where, examples, {});
  }
};

struct CallsBack {
  Held made;
  std::string where;
  void operator()(CallbackCall& call) const { call_back(made, where, call); }
};

template <class Source>
Held made_by(const auto& function) {
  const auto* source = function.template target<Source>();
  return source == nullptr ? Held() : source->made;
}

}  // namespace

Argument make_logger(const Held& made, const std::string& where) {
  require_callable(made, where, "a function that takes nlp and gives (log_step, finalize)");
  return Product::of(Logger{StartsLog{made, where}});
}

Argument make_scorer(const Held& made, const std::string& where) {
  require_callable(made, where, "a function that takes examples and gives scores");
  Scorer scorer{ScoresExamples{made, where}};
  scorer.score_with = [made, where](std::span<const Example> examples, const Object& settings) {
    return score(made, where, examples, settings);
  };
  return Product::of(std::move(scorer));
}

Argument make_callback(const Held& made, const std::string& where) {
  require_callable(made, where, "a function that takes nlp");
  return Product::of(Callback{CallsBack{made, where}});
}

Held source_of(const Logger& logger) {
  return made_by<StartsLog>(logger.start);
}

Held source_of(const Scorer& scorer) {
  return made_by<ScoresExamples>(scorer.score);
}

Held source_of(const Callback& callback) {
  return made_by<CallsBack>(callback.call);
}

}  // namespace weft::python
