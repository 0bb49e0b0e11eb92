// A pipeline as Python's Language holds it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "gil.h"
#include "held.h"

#include "framework/pipeline/component_choice.h"
#include "framework/pipeline/language.h"
#include "registry/base/error.h"

namespace weft::python {

namespace nb = nanobind;

// The folder that holds what the pipeline is, from which a copy can be loaded.
struct Source {
  std::filesystem::path folder;  // absolute
  ComponentChoice choice;
  int gpu = -1;
};

class Pipeline {
 public:
  explicit Pipeline(std::shared_ptr<Language> nlp, std::optional<Source> source = std::nullopt)
      : nlp_(std::move(nlp)), source_(std::move(source)) {}

  const std::optional<Source>& source() const { return source_; }
  std::shared_ptr<const Language> shared() const { return nlp_; }

  // Calls `work(const Language&)` without the GIL, beside others that do so and while nobody
  // trains. `work` gives no reference to something that training may change. A registered function
  // may come back to the pipeline that it is called for.
  template <class Work>
  auto use(const Work& work) const {
    const ReleasedGil release;
    std::shared_lock<std::shared_mutex> lock(mutex_, std::defer_lock);
    if (!is_held()) lock.lock();
    const Holding holding(*this);
    return work(static_cast<const Language&>(language()));
  }

  // Calls `work(Language&)` without the GIL, alone. Afterwards the pipeline is another one than the
  // folder holds.
  template <class Work>
  auto change(const Work& work) {
    if (fixed_) {
      throw Error(ErrorKind::usage, "the pipeline is being trained: it can be used, not changed");
    }
    if (is_held()) {
      throw Error(ErrorKind::usage,
                  "the pipeline is at work for the function that would change it: it can be used, "
                  "not changed");
    }
    const NoSource after(*this);
    const ReleasedGil release;
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    ++changes_;
    const Holding holding(*this);
    return work(language());
  }

  // For a folder that goes away: the pipeline does not become the one that it holds.
  void save_copy(const std::filesystem::path& folder) const {
    use([&](const Language& nlp) { nlp.to_disk(folder); });
  }

  void to_disk(const std::filesystem::path& folder) {
    const std::int64_t saved = use([&](const Language& nlp) {
      nlp.to_disk(folder);
      return changes_.load();
    });
    // Another thread may have changed the pipeline before the GIL came back.
    const bool is_saved = saved == changes_;
    if (is_saved && !lent_) source_ = Source{std::filesystem::absolute(folder), {}, -1};
  }

  // ---- a pipeline that is C++'s, for a registered function
  static std::shared_ptr<Pipeline> lent(Language& nlp, bool may_change) {
    auto pipeline =
        std::make_shared<Pipeline>(std::shared_ptr<Language>(std::shared_ptr<void>(), &nlp));
    pipeline->lent_ = true;
    pipeline->fixed_ = !may_change;
    return pipeline;
  }
  // From now on using it is an error. Not under the GIL: another thread may use it just now.
  void take_back() {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    nlp_.reset();
  }

 private:
  Language& language() const {
    if (nlp_ != nullptr) return *nlp_;
    throw Error(ErrorKind::usage,
                "this pipeline was lent to a registered function; what it was lent for is over");
  }
  // While it lives, this thread is at work with the pipeline. A thread that waited for a lock that
  // it holds itself would wait for ever.
  class Holding {
   public:
    explicit Holding(const Pipeline& pipeline) { held_.push_back(&pipeline); }
    ~Holding() { held_.pop_back(); }
    Holding(const Holding&) = delete;
    Holding& operator=(const Holding&) = delete;
  };
  // During a change and after it, however it ends, no folder holds the pipeline. Made and destroyed
  // under the GIL, which guards `source_`.
  class NoSource {
   public:
    explicit NoSource(Pipeline& pipeline) : pipeline_(pipeline) { pipeline_.source_.reset(); }
    ~NoSource() { pipeline_.source_.reset(); }
    NoSource(const NoSource&) = delete;
    NoSource& operator=(const NoSource&) = delete;

   private:
    Pipeline& pipeline_;
  };
  bool is_held() const { return std::find(held_.begin(), held_.end(), this) != held_.end(); }

  static inline thread_local std::vector<const Pipeline*> held_;
  std::shared_ptr<Language> nlp_;
  std::optional<Source> source_;
  std::atomic<std::int64_t> changes_ = 0;  // that have begun
  bool lent_ = false, fixed_ = false;
  mutable std::shared_mutex mutex_;
};

// A pipeline that a registered function may keep for as long as this lives.
class Loan {
 public:
  Loan(Language& nlp, bool may_change) : pipeline_(Pipeline::lent(nlp, may_change)) {}
  // Readers and loggers get a pipeline that they cannot change.
  explicit Loan(const Language& nlp) : Loan(const_cast<Language&>(nlp), false) {}
  ~Loan() {
    const WithoutGil free;
    pipeline_->take_back();
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  const std::shared_ptr<Pipeline>& pipeline() const { return pipeline_; }

 private:
  std::shared_ptr<Pipeline> pipeline_;
};

// Language.pipe.
void bind_pipe(nb::module_& module, nb::class_<Pipeline>& language);

}  // namespace weft::python
