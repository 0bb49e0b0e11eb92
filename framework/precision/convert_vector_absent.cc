// Processors other than x86-64: there are no vector conversions, and nobody calls them.
#include "framework/precision/convert_vector.h"

#if !defined(__x86_64__)

#include "registry/base/error.h"

namespace weft::vectors {
namespace {

[[noreturn]] std::size_t absent() {
  throw Error(ErrorKind::internal, "a vector conversion on a processor without it");
}

}  // namespace

bool has_vector8() {
  return false;
}
bool has_vector16() {
  return false;
}
bool has_vector16_bf16() {
  return false;
}
std::size_t narrow_f16(const float*, std::uint16_t*, std::size_t) {
  absent();
}
std::size_t widen_f16(const std::uint16_t*, float*, std::size_t) {
  absent();
}
std::size_t round_f16(float*, std::size_t) {
  absent();
}
std::size_t narrow_bf16(const float*, std::uint16_t*, std::size_t) {
  absent();
}
std::size_t widen_bf16(const std::uint16_t*, float*, std::size_t) {
  absent();
}
std::size_t round_bf16(float*, std::size_t) {
  absent();
}
std::size_t narrow_f16_wide(const float*, std::uint16_t*, std::size_t) {
  absent();
}
std::size_t widen_f16_wide(const std::uint16_t*, float*, std::size_t) {
  absent();
}
std::size_t round_f16_wide(float*, std::size_t) {
  absent();
}
std::size_t narrow_bf16_wide(const float*, std::uint16_t*, std::size_t) {
  absent();
}
std::size_t widen_bf16_wide(const std::uint16_t*, float*, std::size_t) {
  absent();
}
std::size_t round_bf16_wide(float*, std::size_t) {
  absent();
}
std::size_t narrow_bf16_unit(const float*, std::uint16_t*, std::size_t) {
  absent();
}

}  // namespace weft::vectors

#endif
