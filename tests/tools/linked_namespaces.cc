#include "tests/tools/linked_namespaces.h"

#include <cstdlib>
#include <stdexcept>

#include <unistd.h>

namespace weft::testing_tools {
namespace {

bool succeeds(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

void require(const std::string& command) {
  if (!succeeds(command)) throw std::runtime_error("this failed: " + command);
}

}  // namespace

std::string LinkedNamespaces::why_not() {
  if (::geteuid() != 0) return "network namespaces are made by root";
  if (!succeeds("command -v ip")) return "there is no ip (Debian: apt-get install iproute2)";
  const std::string probe = "weft-probe-" + std::to_string(::getpid());
  if (!succeeds("ip netns add " + probe)) return "no network namespaces can be made here";
  const bool has_cable = succeeds("ip -n " + probe + " link add name one type veth peer name two");
  succeeds("ip netns del " + probe);
  return has_cable ? "" : "no veth devices can be made here";
}

LinkedNamespaces::LinkedNamespaces() {
  for (const int side : {0, 1}) require("ip netns add " + name(side));
  require("ip link add name cable netns " + name(0) + " type veth peer name cable netns " +
          name(1));
  for (const int side : {0, 1}) {
    const std::string in = "ip -n " + name(side);
    require(in + " addr add 10.213.77." + std::to_string(side + 1) + "/24 dev cable");
    require(in + " link set lo up");
    require(in + " link set cable up");
  }
}

LinkedNamespaces::~LinkedNamespaces() {
  for (const int side : {0, 1}) succeeds("ip netns del " + name(side));
}

std::string LinkedNamespaces::name(int side) const {
  return "weft-" + std::to_string(::getpid()) + "-" + std::to_string(side);
}

std::vector<std::string> LinkedNamespaces::launcher(int side) const {
  return {"ip", "netns", "exec", name(side), "env"};
}

// The neighbour's hardware address leads nowhere then: the kernel of neither side learns of it, as
// with a switch that has failed.
void LinkedNamespaces::cut() const {
  for (const int side : {0, 1}) {
    require("ip -n " + name(side) + " neigh replace 10.213.77." + std::to_string(2 - side) +
            " lladdr 02:00:00:00:00:99 dev cable nud permanent");
  }
}

void LinkedNamespaces::mend() const {
  for (const int side : {0, 1}) {
    require("ip -n " + name(side) + " neigh del 10.213.77." + std::to_string(2 - side) +
            " dev cable");
  }
}

}  // namespace weft::testing_tools
