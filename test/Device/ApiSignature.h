//===- ApiSignature.h - Functions as they are called ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares declarations of a C function as the calling convention sees them: our opaque pointers and integers are not
// the types that NVIDIA's headers name.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICE_APISIGNATURE_H
#define GNNC_TEST_DEVICE_APISIGNATURE_H

#include <type_traits>

template <class T, class = void> struct Passed { using type = std::conditional_t<std::is_pointer_v<T>, void *, T>; };
template <class T> struct Passed<T, std::enable_if_t<std::is_enum_v<T> || std::is_integral_v<T>>> {
  using type = std::conditional_t<sizeof(T) == 8, long long, int>;
};

template <class Function> struct Signature;
template <class R, class... Arguments> struct Signature<R(Arguments...)> {
  using type = typename Passed<R>::type(typename Passed<Arguments>::type...);
};

template <class Ours, class Theirs>
constexpr bool isSame = std::is_same_v<typename Signature<Ours>::type, typename Signature<Theirs>::type>;

#endif // GNNC_TEST_DEVICE_APISIGNATURE_H
