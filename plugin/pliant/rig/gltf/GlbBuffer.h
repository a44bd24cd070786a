// SPDX-License-Identifier: Zlib
// The binary part of a .glb while it is written.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "pliant/math/Types.h"
#include "pliant/mesh/BinaryFile.h"

namespace pliant::gltf {

/// The buffer of the file and the lists that say what is in it.
class GlbBuffer {
public:
    using Json = nlohmann::ordered_json;

    template <typename Number, typename Values>
    int add(const Values& values, int kind, const char* type, bool withBounds = false) {
        const std::size_t from = m_bytes.bytes().size();
        for (Eigen::Index i = 0; i < values.size(); ++i) m_bytes.put(static_cast<Number>(values.data()[i]));
        views.push_back({{"buffer", 0}, {"byteOffset", from}, {"byteLength", m_bytes.bytes().size() - from}});
        while (m_bytes.bytes().size() % 4 != 0) m_bytes.put('\0');
        Json accessor = {
            {"bufferView", views.size() - 1}, {"componentType", kind}, {"count", values.cols()}, {"type", type}};
        if (withBounds) {
            accessor["min"] = Json::array();
            accessor["max"] = Json::array();
            for (Eigen::Index r = 0; r < values.rows(); ++r) {
                accessor["min"].push_back(static_cast<Number>(values.row(r).minCoeff()));
                accessor["max"].push_back(static_cast<Number>(values.row(r).maxCoeff()));
            }
        }
        accessors.push_back(accessor);
        return static_cast<int>(accessors.size()) - 1;
    }
    int addFloats(const MatrixX& values, const char* type, bool withBounds = false) {
        return add<float>(values, 5126, type, withBounds);
    }
    const std::string& bytes() const { return m_bytes.bytes(); }

    Json views = Json::array(), accessors = Json::array();

private:
    ByteWriter m_bytes;
};

}  // namespace pliant::gltf
