// SPDX-License-Identifier: Zlib
// From the parts of an imported model to a ReducedModel.
#pragma once

#include <string>
#include <vector>

#include "pliant/exchange/ImportedModel.h"
#include "pliant/fem/FullModel.h"
#include "pliant/math/Progress.h"

namespace pliant {

/// Everything in the frame of the mesh.
struct ModelParts {
    std::string name;
    std::vector<std::string> files;  ///< Files that the model was made of, the main one first.
    std::string options;             ///< Options as "key=value;..." for the provenance.
    VolumeMesh mesh;
    std::vector<int> fixedVertices;  ///< Fixed vertices, ascending.
    SurfaceMesh surface;             ///< Drawn surface.
    MatrixX basis;                   ///< Basis U, 3n x r.
    SparseMatrix mass;               ///< Mass matrix, 3n x 3n, kg.
    StrainEnergyPolynomial energy;
    VectorX eigenvalues;  ///< Eigenvalues of linear modes, (rad/s)^2; empty: those of the energy at rest.
};

/// The run time takes U'MU = 1 for granted. Held bodies need no mean-axis conditions: D and H0 carry what these would
/// say. A free body's basis loses its rigid motion.
/// @param notes gets a sentence where U'MU differs from 1 by more than 1e-3, and where rigid motion was taken out
std::shared_ptr<const ReducedModel> assembleModel(ModelParts parts, const ProgressCallback& progress,
                                                  std::vector<std::string>& notes);

/// Rows of a file's basis for the vertices of the repaired mesh. @param fileBasis 3 rows a vertex of the file
/// @throws Error where vertices that were merged move apart
MatrixX rowsOfMesh(const MatrixX& fileBasis, const std::vector<int>& vertexOf, int vertexCount,
                   const std::string& where);

}  // namespace pliant
