// SPDX-License-Identifier: Zlib
/// @file
/// The data folder of Bullet's btReducedDeformableBody as a reduced model.
#pragma once

#include <optional>
#include <string>

#include "pliant/exchange/ImportedModel.h"
#include "pliant/math/Api.h"
#include "pliant/math/Progress.h"

namespace pliant {

/// What importBullet() reads.
struct BulletImport {
    /// The folder with eigenvalues.bin, K_r_diag_mat.bin, modes.bin, M_diag_mat.bin and a mesh; required.
    std::string folder;
    std::string mesh;           ///< A .vtk of tetrahedra; empty: the one in the folder that is not called "visual".
    std::string surface;        ///< The drawn surface; empty: the boundary of the mesh.
    std::string fixedVertices;  ///< A .bou file of held vertices; empty: the vertices that no mode moves.
    int modes = 0;              ///< The first so many modes; 0 = all.

    double stiffnessScale = 1.0;  ///< Multiplies the stiffness, as Bullet's setStiffnessScale.
    double massScale = 1.0;       ///< Multiplies the masses, as Bullet's setMassScale.
    /// Of the mesh's material, for information; Young's modulus and density are fitted.
    std::optional<double> poissonRatio;
};

/// Reads a linear body: its energy is q'K_r q / 2, in the masses of the file.
/// @throws Error for missing, damaged or foreign files and, naming both numbers, for files that disagree on the number
/// of modes or vertices
PLIANT_API ImportedModel importBullet(const BulletImport& files, const ProgressCallback& progress = {});

/// Whether a folder has the files that btReducedDeformableBody reads.
PLIANT_API bool isBulletFolder(const std::string& path);

}  // namespace pliant
