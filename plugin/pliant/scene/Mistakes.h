// SPDX-License-Identifier: Zlib
// Gathers the mistakes of one file.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pliant/scene/SeveralErrors.h"
#include "pliant/scene/UnknownName.h"

namespace pliant::scene {

/// Gathers the errors of parts that can be read each by itself.
class Mistakes {
public:
    /// Does `part`; an Error of it is kept. @return whether it was done
    template <class Part>
    bool tryPart(const Part& part) {
        try {
            part();
        } catch (const UnknownName& problem) {
            if (!isLost(problem)) note(problem.what());
            return false;
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
    /// What is called so could not be read: whoever names it makes no mistake by that.
    /// @param kind as of UnknownName  @param name empty: it has none that can be read, so any of this kind may be meant
    void lose(const std::string& kind, const std::string& name);
    /// The same of anything of any kind.
    void loseAll() { m_allIsLost = true; }
    /// Whether something of this kind could not be read.
    bool hasLost(const std::string& kind) const { return m_allIsLost || m_lostKinds.count(kind) > 0; }
    /// Whether something of this name could not be read.
    bool hasLostName(const std::string& name) const { return m_lostNames.count(name) > 0; }
    /// @throws Error with the one, or SeveralErrors with all of what was gathered, in the order of their lines; nothing
    /// where that is nothing
    void tell() const;

private:
    bool isLost(const UnknownName& unknown) const;

    std::vector<std::string> m_messages;
    std::set<std::string> m_places;
    std::set<std::string> m_lostNames;      ///< Without the numbers of copies.
    std::set<std::string> m_namelessKinds;  ///< Of which something without a name was lost.
    std::set<std::string> m_lostKinds;
    bool m_allIsLost = false;
};

}  // namespace pliant::scene
