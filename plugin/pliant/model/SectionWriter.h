// SPDX-License-Identifier: Zlib
// Writes one section of a model file. Private to model/.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "ModelFile_generated.h"
#include "pliant/math/Types.h"
#include "pliant/model/ModelContainer.h"

namespace pliant {

/// Bytes that one section may have; FlatBuffers' offsets are signed 32-bit.
constexpr std::size_t sectionLimit = std::size_t(2000) * 1024 * 1024;

template <typename Table, typename Values>
flatbuffers::Offset<Table> put(flatbuffers::FlatBufferBuilder& builder,
                               flatbuffers::Offset<Table> (*make)(flatbuffers::FlatBufferBuilder&, std::uint32_t,
                                                                  std::uint32_t,
                                                                  flatbuffers::Offset<flatbuffers::Vector<Values>>),
                               const Values* values, Eigen::Index rows, Eigen::Index columns) {
    const auto vector = builder.CreateVector(values, static_cast<std::size_t>(rows * columns));
    return make(builder, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns), vector);
}

template <typename Derived>
auto put(flatbuffers::FlatBufferBuilder& builder, const Eigen::PlainObjectBase<Derived>& matrix) {
    using Scalar = typename Derived::Scalar;
    if constexpr (std::is_same_v<Scalar, double>)
        return put(builder, &schema::CreateDoubles, matrix.data(), matrix.rows(), matrix.cols());
    else if constexpr (std::is_same_v<Scalar, float>)
        return put(builder, &schema::CreateFloats, matrix.data(), matrix.rows(), matrix.cols());
    else
        return put(builder, &schema::CreateIntegers, matrix.data(), matrix.rows(), matrix.cols());
}

inline flatbuffers::Offset<schema::Integers> put(flatbuffers::FlatBufferBuilder& builder,
                                                 const std::vector<int>& values) {
    return put(builder, &schema::CreateIntegers, values.data(), static_cast<Eigen::Index>(values.size()), 1);
}

template <typename Small>  // Matrix3 or Vector3, each a column
flatbuffers::Offset<schema::Doubles> putColumns(flatbuffers::FlatBufferBuilder& builder,
                                                const std::vector<Small>& columns) {
    MatrixX all(Small::SizeAtCompileTime, static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i)
        all.col(static_cast<Eigen::Index>(i)) = Eigen::Map<const VectorX>(columns[i].data(), columns[i].size());
    return put(builder, all);
}

template <typename Table>
SectionBytes finish(flatbuffers::FlatBufferBuilder& builder, const char* name, flatbuffers::Offset<Table> root) {
    builder.Finish(root, "PLNT");
    return {name, {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()}};
}

}  // namespace pliant
