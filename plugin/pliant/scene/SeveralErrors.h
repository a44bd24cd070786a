// SPDX-License-Identifier: Zlib
/// @file
/// Several mistakes of one file, so that they can be put right at once.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Error.h"

namespace pliant::scene {

/// Several messages, one a line.
class PLIANT_API SeveralErrors : public Error {
public:
    /// @param messages in their order
    explicit SeveralErrors(std::vector<std::string> messages);
    /// The messages, one a mistake.
    const std::vector<std::string>& messages() const { return m_messages; }

private:
    std::vector<std::string> m_messages;
};

}  // namespace pliant::scene
