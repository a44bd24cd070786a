// SPDX-License-Identifier: Zlib
// A callable passed down by reference: std::function without the heap block. Valid during the call only.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace pliant {

template <typename Signature>
class FunctionRef;

template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
public:
    template <typename Callable, typename = std::enable_if_t<!std::is_same_v<std::decay_t<Callable>, FunctionRef>>>
    FunctionRef(Callable&& callable)  // NOLINT: implicit on purpose, lambdas are passed directly
        : m_object(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
          m_call([](void* object, Arguments... arguments) -> Result {
              return (*static_cast<std::remove_reference_t<Callable>*>(object))(std::forward<Arguments>(arguments)...);
          }) {}

    Result operator()(Arguments... arguments) const { return m_call(m_object, std::forward<Arguments>(arguments)...); }

private:
    void* m_object;
    Result (*m_call)(void*, Arguments...);
};

}  // namespace pliant
