// SPDX-License-Identifier: Zlib
// Shell points as spheres of radius 0 that follow the drawn surface.
#include <Eigen/Geometry>

#include "ShellShapes.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/voxels/Voxelise.h"
#include "pliant/model/SurfaceFollowsMesh.h"
#include "pliant/shell/MakeSurfaceContact.h"

namespace pliant {
namespace {

/// A body whose frame is turned and moved, with two columns: a shift, and a field that is not linear.
ReducedModel bodyOf(const SurfaceMesh& surface, MatrixX& meshBasis) {
    ReducedModel model;
    VoxeliseOptions options;
    options.resolution = 8;
    options.solid = true;
    model.mesh = voxelise(surface, options);
    model.meshFromBody.rotation = Eigen::AngleAxisd(0.8, Vector3(2.0, 1.0, -1.0).normalized()).toRotationMatrix();
    model.meshFromBody.translation = Vector3(0.3, -0.2, 0.1);
    meshBasis.resize(3 * model.mesh.vertexCount(), 2);
    for (int v = 0; v < model.mesh.vertexCount(); ++v) {
        const Vector3 x = model.mesh.positions.col(v);
        meshBasis.block<3, 1>(3 * v, 0) = Vector3(1.0, -2.0, 0.5);
        meshBasis.block<3, 1>(3 * v, 1) = Vector3(x.y() * x.y(), x.x() * x.z(), x.x() * x.x());
    }
    model.basis = meshBasis;
    for (Eigen::Index row = 0; row < meshBasis.rows(); row += 3)
        model.basis.middleRows<3>(row) = model.meshFromBody.rotation.transpose() * meshBasis.middleRows<3>(row);
    followMesh(surface, meshBasis, model);
    return model;
}

TEST(SurfaceSkeleton, MovesAsTheDrawnSurface) {
    for (SurfaceMesh surface : {test::spheroid(0.5, 0.5, 12), test::box(Vector3::Zero(), Vector3(0.4, 0.3, 0.2))}) {
        computeNormals(surface);
        MatrixX meshBasis;
        ReducedModel model = bodyOf(surface, meshBasis);
        const ShellPoints shell = makeShell(surface);
        makeSurfaceContact(surface, model.surfaceEmbedding, meshBasis, {}, {}, model);
        const ContactSkeleton& skeleton = model.skeleton;
        ASSERT_EQ(skeleton.sphereCount(), shell.count());
        ASSERT_EQ(skeleton.segmentCount(), shell.count());
        ASSERT_EQ(model.contactSurface.shell.count(), shell.count());
        EXPECT_EQ(skeleton.radii.cwiseAbs().maxCoeff(), 0.0f);
        EXPECT_EQ(model.contactSurface.thickness, shell.thickness);
        for (int i = 0; i < shell.count(); ++i) {
            EXPECT_EQ(skeleton.segments(0, i), i);
            EXPECT_EQ(skeleton.segments(1, i), i);
            const Vector3 centre = skeleton.restCentres.col(i).cast<double>();
            EXPECT_LT((model.meshFromBody.point(centre) - shell.positions.col(i)).norm(), 1e-6);
            const Vector3 normal = model.contactSurface.shell.normals.col(i).cast<double>();
            EXPECT_LT((model.meshFromBody.direction(normal) - shell.normals.col(i)).norm(), 1e-6);
            for (int j = 0; j < 2; ++j) {
                Vector3 drawn = Vector3::Zero();
                for (int k = 0; k < 3; ++k)
                    drawn +=
                        shell.weights(k, i) * model.surfaceBasis.block<3, 1>(3 * shell.corners(k, i), j).cast<double>();
                EXPECT_LT((skeleton.basis.block<3, 1>(3 * i, j).cast<double>() - drawn).norm(), 1e-6);
            }
        }
        EXPECT_GT(model.contactSurface.lattice.cellCount(), 0);
    }
}

TEST(SurfaceSkeleton, NeedsADrawnSurfaceThatFollows) {
    ReducedModel model;
    EXPECT_THROW(makeSurfaceSkeleton(test::spheroid(0.5, 0.5, 8), model.surfaceEmbedding, {}, model), Error);
}

}  // namespace
}  // namespace pliant
