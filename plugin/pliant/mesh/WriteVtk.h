// SPDX-License-Identifier: Zlib
// Simulation meshes for ParaView and for Bullet. Part of Pliant::reduce.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// A displacement of every vertex, shown by ParaView's filter "Warp By Vector".
struct VertexField {
    std::string name;
    VectorX values;  ///< Displacements, 3n x 1, in the frame of the mesh.
};

/// XML .vtu with inline base64 (exact doubles): tetrahedra (VTK type 10) or bricks (type 12, hexahedra), the material
/// of each cell, and the fields. Written beside and renamed. @throws Error
void writeVtu(const VolumeMesh& mesh, const std::vector<VertexField>& fields, const std::string& path);

/// Legacy ASCII .vtk, version 2.0, one point and one cell a line, as Bullet's readers want it; tetrahedra only.
/// Coordinates parse back to the same bits. @throws Error
void writeVtk(const VolumeMesh& mesh, const std::string& path);

/// Each brick cut into six tetrahedra that meet along its diagonal from (000) to (111): neighbours fit. A mesh of
/// tetrahedra is returned as it is. Vertices keep their numbers.
VolumeMesh tetrahedraOf(const VolumeMesh& mesh);

}  // namespace pliant
