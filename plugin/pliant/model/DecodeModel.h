// SPDX-License-Identifier: Zlib
// Sections of the model file -> ReducedModel, sizes checked before anything is allocated. Private to model/.
#pragma once

#include "pliant/model/ModelContainer.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Sizes that every section must agree with.
struct ModelSizes {
    Eigen::Index dimension = 0;           ///< Number r of reduced coordinates.
    Eigen::Index simulationVertices = 0;  ///< Number n of simulation vertices.
    Eigen::Index surfaceVertices = 0;     ///< Number d of drawn vertices.
};

void decodeModel(const ModelContainer& container, ReducedModel& model);
/// Sections "surface", "surface_basis", "skeleton" and the two trees.
void decodeSurface(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& model);

/// Sections "shell", "contact_lattice" and "touch_shell", where there are any.
void decodeContactSurface(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& model);

/// Sections "material_group_*" and "damping", where there are any; after the mesh.
void decodeGroups(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& model);

}  // namespace pliant
