// SPDX-License-Identifier: Zlib
// The data folder of Bullet's btReducedDeformableBody as a model of ours.
#pragma once

#include <optional>
#include <string>

#include "pliant/exchange/ImportedModel.h"
#include "pliant/math/Progress.h"

namespace pliant {

struct BulletImport {
    std::string folder;         ///< eigenvalues.bin, K_r_diag_mat.bin, modes.bin, M_diag_mat.bin and a mesh, required
    std::string mesh;           ///< .vtk of tetrahedra; empty: the one in the folder that is not called "visual"
    std::string surface;        ///< drawn surface; empty: the boundary of the mesh
    std::string fixedVertices;  ///< .bou; empty: the vertices that no mode moves
    int modes = 0;              ///< the first so many; 0 = all

    double stiffnessScale = 1.0;         ///< multiplies the stiffness, as Bullet's setStiffnessScale
    double massScale = 1.0;              ///< multiplies the masses, as Bullet's setMassScale
    std::optional<double> poissonRatio;  ///< of the mesh's material, for information; E and density are fitted
};

/// A linear body: its energy is q'K_r q / 2, in the masses of the file. @throws Error for missing, damaged or foreign
/// files and, naming both numbers, for files that disagree on the number of modes or vertices
ImportedModel importBullet(const BulletImport& files, const ProgressCallback& progress = {});

/// A folder with the files that btReducedDeformableBody reads.
bool isBulletFolder(const std::string& path);

}  // namespace pliant
