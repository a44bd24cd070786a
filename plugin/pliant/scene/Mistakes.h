// SPDX-License-Identifier: Zlib
// Gathers the mistakes of one file.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pliant/scene/SeveralErrors.h"

namespace pliant::scene {

/// Gathers the errors of parts that can be read each by itself.
class Mistakes {
public:
    /// Does `part`; an Error of it is kept. @return whether it was done
    template <class Part>
    bool tryPart(const Part& part) {
        try {
            part();
        } catch (const Error& problem) {
            note(problem.what());
            return false;
        }
        return true;
    }
    /// A message that comes with a place, which is told once: copies of a repeated entry have the same mistakes there.
    /// @throws SeveralErrors with all of them, where they are too many to go on
    void note(const std::string& message);
    bool any() const { return !m_messages.empty(); }
    /// @throws Error with the one, or SeveralErrors with all of what was gathered; nothing where that is nothing
    void tell() const;

private:
    std::vector<std::string> m_messages;
    std::set<std::string> m_places;
};

}  // namespace pliant::scene
