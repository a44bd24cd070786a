// SPDX-License-Identifier: Zlib
#include "pliant/rig/gltf/JsonPlace.h"

#include <cmath>

namespace pliant::gltf {

void JsonPlace::expectObject() const {
    if (!m_value->is_object()) fail("has to be an object, and is " + std::string(m_value->type_name()));
}

bool JsonPlace::has(const char* key) const {
    expectObject();
    return m_value->contains(key);
}

JsonPlace JsonPlace::at(const char* key) const {
    if (!has(key)) fail(std::string("has no \"") + key + "\"");
    const bool isRoot = !m_where.empty() && m_where.back() == ' ';
    return {(*m_value)[key], m_where + (isRoot ? "" : ".") + key};
}

std::size_t JsonPlace::size() const {
    if (!m_value->is_array()) fail("has to be a list, and is " + std::string(m_value->type_name()));
    return m_value->size();
}

std::size_t JsonPlace::sizeOf(const char* key) const {
    return has(key) ? at(key).size() : 0;
}

JsonPlace JsonPlace::at(std::size_t number) const {
    if (number >= size())
        fail("has " + std::to_string(size()) + " entries and none with the number " + std::to_string(number));
    return {(*m_value)[number], m_where + "[" + std::to_string(number) + "]"};
}

std::vector<std::string> JsonPlace::keys() const {
    expectObject();
    std::vector<std::string> all;
    for (const auto& item : m_value->items()) all.push_back(item.key());
    return all;
}

std::int64_t JsonPlace::integer(std::int64_t least, std::int64_t most) const {
    const double value = number();
    if (value != std::floor(value)) fail(std::to_string(value) + " is no whole number");
    if (value < static_cast<double>(least) || value > static_cast<double>(most))
        fail(m_value->dump() + " is out of range",
             std::to_string(least) + " to " + std::to_string(most) + " are possible");
    return static_cast<std::int64_t>(value);
}

double JsonPlace::number() const {
    if (!m_value->is_number()) fail("has to be a number, and is " + std::string(m_value->type_name()));
    const double value = m_value->get<double>();
    if (!std::isfinite(value)) fail("is no finite number");
    return value;
}

bool JsonPlace::truth() const {
    if (!m_value->is_boolean()) fail("has to be true or false, and is " + std::string(m_value->type_name()));
    return m_value->get<bool>();
}

std::string JsonPlace::text() const {
    if (!m_value->is_string()) fail("has to be a text, and is " + std::string(m_value->type_name()));
    return m_value->get<std::string>();
}

std::vector<double> JsonPlace::numbers(std::size_t count) const {
    if (size() != count) fail("has " + std::to_string(size()) + " numbers instead of " + std::to_string(count));
    std::vector<double> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(at(i).number());
    return all;
}

}  // namespace pliant::gltf
