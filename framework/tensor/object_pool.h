// Objects that are costly to make anew, like scratch memory: a caller takes one for a while, and
// the next caller gets it as it was left; the one that its own thread left, if it is there, since
// the caches of that core hold it. There are never more than were in use at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace weft {

template <class T>
class ObjectPool {
 public:
  // An object that is the holder's alone until the lease ends. Any thread may end it.
  class Lease {
   public:
    Lease() = default;  // holds none
    explicit Lease(ObjectPool& pool) : pool_(&pool), object_(pool.take()) {}
    ~Lease() {
      if (object_) pool_->give_back(std::move(object_));
    }
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&& other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(object_, other.object_);
      return *this;
    }
    explicit operator bool() const { return object_ != nullptr; }
    T& operator*() const { return *object_; }
    T* operator->() const { return object_.get(); }

   private:
    ObjectPool* pool_ = nullptr;
    std::unique_ptr<T> object_;
  };

  // Objects are made as T() by default.
  using Make = std::function<T()>;
  explicit ObjectPool(Make make = [] { return T(); }) : make_(std::move(make)) {}

  // Calls `use` with every object that nobody holds.
  template <class Use>
  void for_each_idle(Use use) const {
    const std::scoped_lock lock(mutex_);
    for (const Idle& idle : idle_) use(*idle.object);
  }
  // Destroys the objects that nobody holds.
  void clear() {
    const std::scoped_lock lock(mutex_);
    made_ -= idle_.size();
    idle_.clear();
  }

 private:
  struct Idle {
    std::unique_ptr<T> object;
    std::thread::id left_by;
  };

  std::unique_ptr<T> take() {
    const std::thread::id here = std::this_thread::get_id();
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) {
      auto made = std::make_unique<T>(make_());
      idle_.reserve(made_ + 1);  // so that giving back never fails
      ++made_;
      return made;
    }
    // The last ones first: what was used lately is in the caches.
    const auto own = std::find_if(idle_.rbegin(), idle_.rend(),
                                  [here](const Idle& idle) { return idle.left_by == here; });
    if (own != idle_.rend()) std::swap(*own, idle_.back());
    std::unique_ptr<T> object = std::move(idle_.back().object);
    idle_.pop_back();
    return object;
  }
  void give_back(std::unique_ptr<T> object) noexcept {
    const std::thread::id here = std::this_thread::get_id();
    const std::scoped_lock lock(mutex_);
    idle_.push_back({std::move(object), here});
  }

  Make make_;
  mutable std::mutex mutex_;
  std::vector<Idle> idle_;
  std::size_t made_ = 0;
};

}  // namespace weft
