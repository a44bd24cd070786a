// SPDX-License-Identifier: Zlib
// What a simulation mesh must be before anything is computed with it.
#pragma once

#include <optional>
#include <string>

#include "pliant/math/Api.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// The first thing wrong with a mesh. At most one of element, vertex, material is >= 0 (0-based); all -1: the whole.
struct MeshDefect {
    int element = -1;
    int vertex = -1;
    int material = -1;
    std::string problem;
    std::string cure;
};

/// First defect: empty mesh, wrong array sizes, NaN or infinite vertex, vertex number out of range or repeated in an
/// element, inverted or degenerate element, brick that is no cuboid (within
/// brickTolerance()) or is turned against the axes and of a material that is not isotropic, share or
/// weight of an element outside (0, 1], isolated vertex, impossible material (see checkMaterial).
std::optional<MeshDefect> findDefect(const VolumeMesh& mesh);

/// The first inverted or degenerate element, or brick that is no cuboid. @param mesh its vertex numbers are in range
PLIANT_INTERNAL_API std::optional<MeshDefect> findElementDefect(const VolumeMesh& mesh);

/// @param where  what the error names first, e.g. the file; may be empty
/// @throws Error for the first defect, naming element, vertex or material by its 0-based number
PLIANT_INTERNAL_API void checkVolumeMesh(const VolumeMesh& mesh, const std::string& where);

/// Density > 0, all numbers finite, and a stiffness that is symmetric and positive definite: isotropic E > 0 and nu in
/// (-1, 0.5); orthotropic E_i, G_ij > 0, axes a rotation. The error names the smallest eigenvalue where that is the
/// problem. @throws Error(where, ...)
PLIANT_INTERNAL_API void checkMaterial(const ElasticMaterial& material, const std::string& where);
bool possibleMaterial(const ElasticMaterial& material);

}  // namespace pliant
