// SPDX-License-Identifier: Zlib
// A value of a JSON document that knows where it stands, so that whatever is wrong with it is told with its place.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pliant/math/Error.h"

namespace pliant::gltf {

using Json = nlohmann::json;

class JsonPlace {
public:
    /// @param value must outlive the place  @param where the file, and the way to the value: "fox.glb: nodes[3].name"
    JsonPlace(const Json& value, std::string where) : m_value(&value), m_where(std::move(where)) {}

    const std::string& where() const { return m_where; }
    [[noreturn]] void fail(const std::string& problem, const std::string& cure = {}) const {
        throw Error(m_where, problem, cure);
    }

    bool has(const char* key) const;            ///< @throws Error where this is no object
    JsonPlace at(const char* key) const;        ///< @throws Error where this is no object, or has no such key
    JsonPlace at(std::size_t number) const;     ///< @throws Error where this is no array that long
    std::size_t size() const;                   ///< @throws Error where this is no array
    std::size_t sizeOf(const char* key) const;  ///< Length of the array of that key; 0 where there is none.
    std::vector<std::string> keys() const;      ///< @throws Error where this is no object

    std::int64_t integer(std::int64_t least, std::int64_t most) const;
    double number() const;  ///< The finite number that stands here.
    bool truth() const;
    std::string text() const;
    std::vector<double> numbers(std::size_t count) const;  ///< The array of so many finite numbers that stands here.

private:
    void expectObject() const;

    const Json* m_value;
    std::string m_where;
};

}  // namespace pliant::gltf
