// SPDX-License-Identifier: Zlib
/// @file
/// Components that a finite-element program has reduced [CB68], as linear bodies.
#pragma once

#include <string>

#include "pliant/exchange/ImportedModel.h"
#include "pliant/math/Api.h"
#include "pliant/math/Progress.h"

namespace pliant {

/// What importCraigBampton() reads: matrices in Matrix Market files, in SI units.
struct CraigBamptonImport {
    std::string mass;  ///< M, s x s, kg, of the s coordinates: those of interface nodes and of modes, in any order.
    std::string stiffness;  ///< K, s x s, N/m, of the same coordinates.
    /// T, 3n x s: the displacement of every vertex of `mesh`, in the file's order, x y z each, for each coordinate.
    std::string recovery;
    std::string mesh;           ///< The simulation mesh, n vertices, in metres; of any format of readVolume().
    std::string surface;        ///< The drawn surface; empty: the boundary of the mesh.
    std::string fixedVertices;  ///< A .bou file of held vertices; empty: the component is free.
    int modes = 0;              ///< The first so many elastic modes; 0 = all of them, at most 60.

    double stiffnessScale = 1.0;  ///< Multiplies the stiffness.
};

/// Reads a linear body whose reduced coordinates are the modes of K c = lambda M c: of a free component the elastic
/// ones, of a held one those of T_H c = 0, where T_H are the rows of T for the held vertices. The mesh gets the mass
/// that M gives to its translation; its own densities count as ratios.
/// @throws Error for missing, damaged or foreign files; sizes that disagree, with both numbers; matrices that are not
/// symmetric, M that is not positive definite, K that is not semi-definite; a free component whose T cannot move as a
/// rigid body or whose K resists that; held vertices that leave the component free to move
PLIANT_API ImportedModel importCraigBampton(const CraigBamptonImport& files, const ProgressCallback& progress = {});

/// Fills empty entries with the files of a folder: mass.mtx, stiffness.mtx, recovery.mtx, the one simulation mesh,
/// surface.obj and held.bou, where they are there.
/// @throws Error where several simulation meshes are there
PLIANT_API void findCraigBamptonFiles(const std::string& folder, CraigBamptonImport& files);

/// Whether a folder has the files mass.mtx and stiffness.mtx.
PLIANT_API bool isCraigBamptonFolder(const std::string& path);

}  // namespace pliant
