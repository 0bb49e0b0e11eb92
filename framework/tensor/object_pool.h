// Objects that are costly to make anew, like scratch memory: a caller takes one for a while, and
// the next caller gets it as it was left. There are never more than were in use at once.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace weft {

template <class T>
class ObjectPool {
 public:
  // An object that is the holder's alone until the lease ends. Any thread may end it.
  class Lease {
   public:
    explicit Lease(ObjectPool& pool) : pool_(pool), object_(pool.take()) {}
    ~Lease() { pool_.give_back(std::move(object_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T& operator*() const { return *object_; }
    T* operator->() const { return object_.get(); }

   private:
    ObjectPool& pool_;
    std::unique_ptr<T> object_;
  };

  // Objects are made as T() by default.
  using Make = std::function<T()>;
  explicit ObjectPool(Make make = [] { return T(); }) : make_(std::move(make)) {}

  // Calls `use` with every object that nobody holds.
  template <class Use>
  void for_each_idle(Use use) const {
    const std::scoped_lock lock(mutex_);
    for (const auto& object : idle_) use(*object);
  }
  // Destroys the objects that nobody holds.
  void clear() {
    const std::scoped_lock lock(mutex_);
    idle_.clear();
  }

 private:
  std::unique_ptr<T> take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return std::make_unique<T>(make_());
    std::unique_ptr<T> object = std::move(idle_.back());
    idle_.pop_back();
    return object;
  }
  void give_back(std::unique_ptr<T> object) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(object));
  }

  Make make_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace weft
