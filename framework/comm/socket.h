// TCP connections of the store of the ranks.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "framework/io/descriptor.h"
#include "registry/base/export.h"

namespace weft {

// A socket that listens at the address and port (0: any that is free). Where the address is not one
// of this machine's own, as behind a service of a cluster, at all of them. Throws Error(usage).
WEFT_API Descriptor listen_at(const std::string& address, std::uint16_t port);
WEFT_API std::uint16_t port_of(const Descriptor& socket);

// Tries until the deadline. Throws PeerLost.
WEFT_API Descriptor connect_to(const std::string& address, std::uint16_t port,
                               std::chrono::steady_clock::time_point deadline);
// The address by which this machine is known at the other end.
WEFT_API std::string own_address(const Descriptor& socket);

// False where the connection is gone.
WEFT_API bool send_all(const Descriptor& socket, std::string_view bytes);

}  // namespace weft
