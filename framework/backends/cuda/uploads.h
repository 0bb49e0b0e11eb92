// Copies of small arrays of the host to the device that were asked for and are not queued yet.
// Those that follow one another become one kernel, which reads the host's page-locked memory
// itself: a batch brings a dozen of them, and each would go the way to the device alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace weft::cuda {

class DeviceStream;

// Any thread.
class Uploads {
 public:
  // Larger arrays are for the copy engines of the device.
  static constexpr std::size_t kMostBytes = std::size_t{128} << 10;
  static constexpr int kMost = 32;

  struct Copy {
    char* to;
    const char* from;
    std::int64_t bytes;
  };

  // Page-locked memory that kernels can read, while it lives.
  void know(const void* memory, std::size_t bytes);
  void forget(const void* memory);
  bool knows(const void* memory, std::size_t bytes);

  // Whether it will be queued with the next `flush`, `from` unchanged until it has run. False, and
  // nothing is done, for other memory and for large arrays.
  bool add(DeviceStream& stream, void* to, const void* from, std::size_t bytes);
  // The same for memory that is read no more once `flush` has been called: `keep` holds it.
  void add_kept(DeviceStream& stream, void* to, std::shared_ptr<const char[]> keep,
                std::size_t bytes);
  // Queues those that wait.
  void flush(DeviceStream& stream);
  // The device's memory is given back: nothing may be written there any more.
  void drop(const void* memory, std::size_t bytes);

 private:
  bool is_known(const char* from, std::size_t bytes) const;
  void make_room(DeviceStream& stream, const char* to, std::size_t bytes);

  // Held while the copies are queued, so that no other thread queues work in between that needs
  // them; the kernel that copies asks for the stream once more.
  std::recursive_mutex mutex_;
  std::vector<Copy> waiting_;
  std::vector<std::shared_ptr<const char[]>> kept_;
  struct Range {
    const char* begin;
    std::size_t bytes;
  };
  std::vector<Range> known_;
};

}  // namespace weft::cuda
