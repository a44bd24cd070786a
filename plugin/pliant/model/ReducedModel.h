// SPDX-License-Identifier: Zlib
// The waist of the project: everything that the run time knows about a body, made offline, immutable, shared by
// hundreds of bodies through std::shared_ptr<const ReducedModel>.
//
// Two frames. The *mesh frame* is that of the user's file; users give and get transforms and points in it. The *body
// frame* has its origin at the rest centre of mass and its axes along the rest principal axes (canonical choice where
// moments repeat); x_mesh = meshFromBody.point(x_body). `mesh` is in the mesh frame (its bricks stay axis-aligned, and
// that is where users name material points); *everything else* here is in the body frame: basis rows, surface, skeleton
// and trees. A MaterialPoint found in `mesh` serves both frames: its weights do not change.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/math/StrainEnergyPolynomial.h"
#include "pliant/math/StrainRateDamping.h"
#include "pliant/math/Types.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/model/BDTree.h"
#include "pliant/model/ContactSkeleton.h"
#include "pliant/model/InertiaIntegrals.h"
#include "pliant/model/MaterialGroups.h"

namespace pliant {

/// Where a model came from, so that it can be made again and caches can tell whether it is stale.
struct Provenance {
    std::string generator;  ///< "pliant 0.1.0"
    std::string inputName;  ///< file name without folders
    std::string inputHash;  ///< XXH3-128 of the input files, 32 hex digits
    std::string options;    ///< canonical "key=value" list of every option that changes the result
};

struct ReducedModel {
    std::string name;
    Provenance provenance;

    RigidTransform meshFromBody;
    bool anchored = false;  ///< some vertices are held: the frame is the user's (static or kinematic), q starts from it

    /// Simulation mesh in the *mesh frame*; n vertices.
    VolumeMesh mesh;
    std::vector<int> fixedVertices;  ///< 0-based, ascending, empty for a free body

    /// U, 3n x r, rows 3v..3v+2 of vertex v in body-frame components, U' M U = 1, columns in mass-PCA order: the first
    /// r' columns are a basis too.
    MatrixX basis;
    /// Generalised eigenvalues of the k elastic linear modes that the basis was made of, (rad/s)^2, ascending.
    VectorX elasticEigenvalues;
    /// V, r x r: columns are the eigenvectors of K0 in reduced coordinates, eigenvalues beside it ((rad/s)^2,
    /// ascending).
    MatrixX restEigenvectors;
    VectorX restEigenvalues;

    StrainEnergyPolynomial energy;
    InertiaIntegrals inertia;
    /// One per material of the mesh; energy and inertia are their weighted sums. Empty where a model does not keep
    /// them: its materials cannot be edited (EditMaterial.h).
    std::vector<MaterialGroup> materialGroups;
    StrainRateDamping damping;  ///< optional, for integrators that want it; runtime/ damps by its settings

    /// Drawn surface at rest in the body frame; d vertices.
    SurfaceMesh surface;
    MatrixXf surfaceBasis;        ///< 3d x r, displacement of the drawn vertices per unit q
    MatrixXf surfaceNormalBasis;  ///< 3d x r, dN: normal(q) = normalise(N + dN q), to first order that of the deformed
                                  ///< surface
    std::vector<MaterialPoint> surfaceEmbedding;  ///< d

    ContactSkeleton skeleton;  ///< what collides
    BDTree skeletonTree;       ///< over skeleton segments
    BDTree triangleTree;       ///< over surface triangles (rays, Bullet's triangle queries)

    int dimension() const { return static_cast<int>(basis.cols()); }                  ///< r
    int simulationVertexCount() const { return static_cast<int>(basis.rows() / 3); }  ///< n
    int surfaceVertexCount() const { return surface.vertexCount(); }                  ///< d
    double totalMass() const { return inertia.mass; }                                 ///< kg
};

/// Model file, docs/model-file.md. Loading maps the file, verifies structure, version and every section's checksum, and
/// throws Error naming the file, the section and the reason.
std::shared_ptr<const ReducedModel> loadModel(const std::string& path);
/// Writes beside the target and renames: an interrupted or failed write leaves no file. Throws Error.
void saveModel(const ReducedModel& model, const std::string& path);

/// A section of a model file, for `pliant info`.
struct ModelSection {
    std::string name;
    std::size_t bytes = 0;
};
std::vector<ModelSection> listSections(const std::string& path);

}  // namespace pliant
