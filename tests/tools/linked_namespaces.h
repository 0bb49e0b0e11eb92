// Two network namespaces with a cable between them, as two machines: for tests that cut or shape
// it. Needs root and `ip` of iproute2.
#pragma once

#include <string>
#include <vector>

namespace weft::testing_tools {

class LinkedNamespaces {
 public:
  // Why there can be none here; "" where there can.
  static std::string why_not();

  LinkedNamespaces();  // throws std::runtime_error
  ~LinkedNamespaces();
  LinkedNamespaces(const LinkedNamespaces&) = delete;
  LinkedNamespaces& operator=(const LinkedNamespaces&) = delete;

  // The words before a program that is to run in the first (0) or second (1) of them.
  std::vector<std::string> launcher(int side) const;
  // Where the first is known to both.
  static std::string address() { return "10.213.77.1"; }
  // A cut one loses all packets without a word to either side.
  void cut() const;
  void mend() const;

 private:
  std::string name(int side) const;
};

}  // namespace weft::testing_tools
