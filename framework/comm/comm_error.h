// A run on several ranks that cannot go on.
#pragma once

#include <string>

#include "registry/base/error.h"

namespace weft {

// A rank is gone, does not answer, or has given up. The program ends with kExitOfLostPeer.
class WEFT_API PeerLost : public Error {
 public:
  explicit PeerLost(const std::string& message) : Error(ErrorKind::system, message) {}
};

// No answer within the deadline.
class WEFT_API TimedOut : public PeerLost {
 public:
  using PeerLost::PeerLost;
};

// An error that all ranks know of and that rank 0 tells: the others end without a word.
class WEFT_API AgreedFailure : public Error {
 public:
  explicit AgreedFailure(const Error& error) : Error(error.kind(), error.what()) {}
};

// As of sysexits.h: a failure that may pass, after which the same command may be tried again.
inline constexpr int kExitOfLostPeer = 75;

}  // namespace weft
