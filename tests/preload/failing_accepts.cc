// For LD_PRELOAD: the system has no file left for the connections that a program accepts.
#include <cerrno>

#include <sys/socket.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

int refuse() {
  errno = ENFILE;
  return -1;
}

}  // namespace

EXPORT int accept(int, sockaddr*, socklen_t*) {
  return refuse();
}
EXPORT int accept4(int, sockaddr*, socklen_t*, int) {
  return refuse();
}
