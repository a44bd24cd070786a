// SPDX-License-Identifier: Zlib
// Bullet's own btReducedDeformableBody reads the folder that we write.
#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBody.h>
#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBodyHelpers.h>
#include <gtest/gtest.h>

#include <memory>

#include "../mesh/TemporaryFolder.h"
#include "SampleModels.h"
#include "pliant/exchange/ExportModel.h"

namespace {

using namespace pliant;
using pliant::test::sampleModel;
using pliant::test::TemporaryFolder;

TEST(BulletReads, TheExportedFolder) {
    const TemporaryFolder folder;
    const ReducedModel& model = *sampleModel(false);
    exportBullet(model, folder.path("bullet"));
    btSoftBodyWorldInfo world;
    const int r = model.dimension(), n = model.simulationVertexCount();
    const std::unique_ptr<btReducedDeformableBody> body(btReducedDeformableBodyHelpers::createReducedDeformableObject(
        world, folder.path("bullet") + "/", "lopsided.vtk", r, false));
    ASSERT_NE(body, nullptr);
    ASSERT_EQ(body->m_nodes.size(), n);
    EXPECT_EQ(body->m_tetras.size(), 6 * model.mesh.elementCount());
    EXPECT_NEAR(body->getTotalMass(), model.totalMass(), 1e-12 * model.totalMass());
    ASSERT_EQ(body->m_modes.size(), r);
    const MatrixX modes = meshBasis(model) * model.restEigenvectors;
    for (int j = 0; j < r; ++j) {
        EXPECT_NEAR(body->m_Kr[j], model.restEigenvalues[j], 1e-12 * model.restEigenvalues[j]);
        for (int i = 0; i < 3 * n; ++i)
            ASSERT_NEAR(body->m_modes[j][i], modes(i, j), 1e-12 * modes.cwiseAbs().maxCoeff());
    }
}

}  // namespace
