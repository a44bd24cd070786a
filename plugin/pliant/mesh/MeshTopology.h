// SPDX-License-Identifier: Zlib
// How elements hang together: shared faces, components, the outer surface.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Elements joined through shared faces. Elements that share only an edge or a corner are hinges: they can turn against
/// each other without strain, so they do not count as joined.
struct ElementComponents {
    std::vector<int> component;  ///< Component of each of the m elements, numbered by lowest element.
    std::vector<int> sizes;      ///< Number of elements in each component.
    int count() const { return static_cast<int>(sizes.size()); }
};
PLIANT_INTERNAL_API ElementComponents connectedComponents(const VolumeMesh& mesh);

/// @throws Error naming the sizes when the elements form more than one component: such a body has more than six zero
/// modes
PLIANT_INTERNAL_API void checkOneComponent(const VolumeMesh& mesh, const std::string& where);

/// The outer faces, triangulated, seen from outside, with normals: draws a simulation mesh that came without surface.
/// One surface vertex for each simulation vertex on a face, ascending; `simulationVertex`, when given, receives which.
PLIANT_INTERNAL_API SurfaceMesh boundarySurface(const VolumeMesh& mesh, std::vector<int>* simulationVertex = nullptr);

}  // namespace pliant
