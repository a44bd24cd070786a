// SPDX-License-Identifier: Zlib
// Makes the contact skeleton of a body offline: maximal inscribed spheres at surface samples, merged and joined, and
// segments cut that are long for their radius.
#pragma once

#include "pliant/math/Progress.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/model/ContactSkeleton.h"

namespace pliant {

struct SkeletonOptions {
    /// Largest sphere, metres; 0 = chosen: half an element for open surfaces, the shortest side of the bounding box for
    /// closed ones (spheres always stay centred in the simulation mesh).
    double maximumRadius = 0.0;
    /// Samples of the surface stand no farther apart than this, metres; 0 = chosen from the mesh and the surface.
    double sampleSpacing = 0.0;
    /// How far the union may stay inside the surface or stand out of it, as a share of the local sphere radius.
    double tolerance = 0.1;
    /// Most spheres: the tolerance is raised until no more are left, and long segments are cut into fewer parts.
    int maximumSpheres = 3000;
    /// Applied to centres and basis of the result (basis rows are rotated), mesh frame -> body frame.
    RigidTransform bodyFromMesh;
};

/// @param surface drawn surface, in the frame of `mesh`; polygon soup with unreliable normals is allowed
/// @param mesh    simulation mesh in its own frame; spheres are centred inside of it
/// @param basis   3n x r over the vertices of `mesh`, components in the frame of `mesh`
/// The result is in the frame of the inputs unless options.bodyFromMesh says otherwise. Deterministic.
/// @throws Error when there is nothing to cover (no triangles, no elements) or an input is not finite.
ContactSkeleton buildSkeleton(const SurfaceMesh& surface, const VolumeMesh& mesh, const MatrixX& basis,
                              const SkeletonOptions& options = {}, const ProgressCallback& progress = {});

}  // namespace pliant
