// SPDX-License-Identifier: Zlib
// A name that nobody has, or that belongs to what could not be read.
#pragma once

#include <string>
#include <utility>

#include "pliant/math/Error.h"

namespace pliant::scene {

/// Thrown where a name is looked up in vain, so that Mistakes can tell whether that is a mistake of its own.
class UnknownName : public Error {
public:
    /// @param kind of what the name would be: body, joint, sensor, ...  @param name as it was looked up, INSTANCE.BODY
    /// or SENSOR.QUANTITY  @param where,problem,cure as of an Error
    UnknownName(std::string kind, std::string name, const std::string& where, const std::string& problem,
                const std::string& cure)
        : Error(where, problem, cure), m_kind(std::move(kind)), m_name(std::move(name)) {}
    /// The same with another text.
    UnknownName(const UnknownName& other, const std::string& where, const std::string& text)
        : Error(where, text), m_kind(other.m_kind), m_name(other.m_name) {}

    const std::string& kind() const { return m_kind; }
    const std::string& name() const { return m_name; }

private:
    std::string m_kind, m_name;
};

}  // namespace pliant::scene
