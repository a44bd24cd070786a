// SPDX-License-Identifier: Zlib
// The mesh that the tests of every simulation mesh format write down and read back.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "pliant/mesh/ReadVolume.h"

namespace pliant::test {

/// Two tetrahedra on one face; vertex 1 at (1.1234567890123457, 0, 0). The texts of all formats say the same.
inline VolumeMesh twoTetrahedra() {
    VolumeMesh mesh;
    mesh.positions.resize(3, 5);
    mesh.positions << 0, 1.1234567890123457, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1;
    mesh.elements.resize(4, 2);
    mesh.elements << 0, 1, 1, 2, 2, 3, 3, 4;
    mesh.elementMaterial = {0, 1};
    mesh.materials.resize(2);
    return mesh;
}

inline void expectTwoTetrahedra(const VolumeFile& file, const std::string& first, const std::string& second) {
    const VolumeMesh expected = twoTetrahedra();
    EXPECT_EQ(file.mesh.positions, expected.positions);
    EXPECT_EQ(file.mesh.elements, expected.elements);
    EXPECT_EQ(file.mesh.elementMaterial, expected.elementMaterial);
    ASSERT_EQ(file.mesh.materials.size(), 2U);
    EXPECT_EQ(file.mesh.materials[0].name, first);
    EXPECT_EQ(file.mesh.materials[1].name, second);
    EXPECT_THAT(file.vertexOf, testing::ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace pliant::test
