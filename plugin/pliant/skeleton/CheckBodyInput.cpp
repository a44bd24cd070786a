// SPDX-License-Identifier: Zlib
#include "pliant/skeleton/CheckBodyInput.h"

#include "pliant/math/Error.h"

namespace pliant {

void checkBodyInput(const SurfaceMesh& surface, const VolumeMesh& mesh, const MatrixX& basis,
                    const std::string& where) {
    if (surface.triangleCount() == 0) throw Error(where, "the surface has no triangles");
    if (surface.triangles.minCoeff() < 0 || surface.triangles.maxCoeff() >= surface.vertexCount())
        throw Error(where, "a triangle refers to a vertex that does not exist");
    if (!surface.positions.allFinite()) throw Error(where, "a surface vertex is not finite");
    if (mesh.elementCount() == 0) throw Error(where, "the simulation mesh has no elements");
    if (basis.rows() != 3 * mesh.vertexCount())
        throw Error(where, "basis has " + std::to_string(basis.rows()) + " rows for " +
                               std::to_string(mesh.vertexCount()) + " vertices");
    if (!basis.allFinite()) throw Error(where, "the basis is not finite");
}

}  // namespace pliant
