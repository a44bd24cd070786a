// SPDX-License-Identifier: Zlib
/// @file
/// The waist of the project: everything that the run time knows about a body.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/StrainEnergyPolynomial.h"
#include "pliant/math/StrainRateDamping.h"
#include "pliant/math/Types.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/model/BDTree.h"
#include "pliant/model/ContactSkeleton.h"
#include "pliant/model/ContactSurface.h"
#include "pliant/model/InertiaIntegrals.h"
#include "pliant/model/MaterialGroups.h"

namespace pliant {

/// Where a model came from, so that it can be made again and caches can tell whether it is stale.
struct Provenance {
    std::string generator;  ///< The program that made it, "pliant 0.1.0".
    std::string inputName;  ///< File name of the input, without folders.
    std::string inputHash;  ///< XXH3-128 of the input files, 32 hex digits.
    std::string options;    ///< Canonical "key=value" list of every option that changes the result.
};

/// Everything that the run time knows about a body: made offline, immutable, shared by hundreds of bodies through
/// std::shared_ptr<const ReducedModel>. Sizes: r reduced coordinates, n simulation vertices, d drawn vertices.
///
/// Two frames. The *mesh frame* is that of the user's file; users give and get transforms and points in it. The *body
/// frame* has its origin at the rest centre of mass and its axes along the rest principal axes (canonical choice where
/// moments repeat); x_mesh = meshFromBody.point(x_body). `mesh` is in the mesh frame (its bricks stay as they are cut,
/// and that is where users name material points); *everything else* here is in the body frame: basis rows, surface,
/// skeleton and trees. A MaterialPoint found in `mesh` serves both frames: its weights do not change.
struct ReducedModel {
    std::string name;       ///< Name of the model.
    Provenance provenance;  ///< Where the model came from.

    RigidTransform meshFromBody;  ///< The transform from the body frame to the mesh frame.
    /// Whether some vertices are held: the frame is the user's (static or kinematic), q starts from it.
    bool anchored = false;

    VolumeMesh mesh;                 ///< The simulation mesh in the *mesh frame*, n vertices.
    std::vector<int> fixedVertices;  ///< Held vertices, 0-based, ascending; empty for a free body.

    /// The basis U, 3n x r, rows 3v..3v+2 of vertex v in body-frame components, U' M U = 1, columns in mass-PCA order
    /// [BJ05]: the first r' columns are a basis too.
    MatrixX basis;
    /// Generalised eigenvalues of the k elastic linear modes that the basis was made of, (rad/s)^2, ascending.
    VectorX elasticEigenvalues;
    /// V, r x r: columns are the eigenvectors of the rest stiffness K0 in reduced coordinates.
    MatrixX restEigenvectors;
    VectorX restEigenvalues;  ///< Eigenvalues of K0 in the order of restEigenvectors, (rad/s)^2, ascending.

    StrainEnergyPolynomial energy;  ///< Strain energy as a polynomial of q.
    InertiaIntegrals inertia;       ///< Mass, inertia and their coupling with q.
    /// One group per material of the mesh; energy and inertia are their weighted sums. Empty where a model does not
    /// keep them: its materials cannot be edited (EditMaterial.h).
    std::vector<MaterialGroup> materialGroups;
    StrainRateDamping damping;  ///< Optional, for integrators that want it; a BodyBatch damps by its settings.

    SurfaceMesh surface;    ///< The drawn surface at rest in the body frame, d vertices.
    MatrixXf surfaceBasis;  ///< Displacement of the drawn vertices per unit q, 3d x r.
    /// Changes dN of the normals, 3d x r: the normal is normalise(N + dN q), to first order that of the deformed
    /// surface.
    MatrixXf surfaceNormalBasis;
    std::vector<MaterialPoint> surfaceEmbedding;  ///< The d drawn vertices as points of the simulation mesh.

    ContactSkeleton skeleton;       ///< The geometry that collides.
    ContactSurface contactSurface;  ///< Where the body is a solid: the surface that collides. Empty for strands.
    BDTree skeletonTree;            ///< Bounding spheres over the capsule segments of the skeleton.
    /// Bounding spheres over the triangles of the surface (rays, Bullet's triangle queries).
    BDTree triangleTree;

    /// The number r of reduced coordinates.
    int dimension() const { return static_cast<int>(basis.cols()); }
    /// The number n of simulation vertices.
    int simulationVertexCount() const { return static_cast<int>(basis.rows() / 3); }
    /// The number d of drawn vertices.
    int surfaceVertexCount() const { return surface.vertexCount(); }
    /// Mass, kg.
    double totalMass() const { return inertia.mass; }
};

/// Loads a model file (docs/model-file.md): maps it, and verifies structure, version and every section's checksum.
/// @throws Error naming the file, the section and the reason
PLIANT_API std::shared_ptr<const ReducedModel> loadModel(const std::string& path);
/// Writes a model file beside the target and renames it: an interrupted or failed write leaves no file.
/// @throws Error when the file cannot be written
PLIANT_API void saveModel(const ReducedModel& model, const std::string& path);

/// A section of a model file, as `pliant info` lists it.
struct ModelSection {
    std::string name;       ///< Name of the section.
    std::size_t bytes = 0;  ///< Size of the section.
};
/// The sections of a model file, in the file's order.
/// @throws Error when the file is missing or damaged
PLIANT_API std::vector<ModelSection> listSections(const std::string& path);

}  // namespace pliant
