// SPDX-License-Identifier: Zlib
// Imported models move: their integrals D carry gravity to bases without mean-axis conditions.
#include <gtest/gtest.h>

#include "../mesh/TemporaryFolder.h"
#include "SampleModels.h"
#include "pliant/exchange/ExportModel.h"
#include "pliant/exchange/ImportBullet.h"
#include "pliant/exchange/ImportVega.h"
#include "pliant/runtime/BodyBatch.h"

namespace {

using namespace pliant;
using pliant::test::sampleModel;
using pliant::test::TemporaryFolder;

/// q after a quarter of a second of gravity along the mesh's -y on a body that is held.
VectorX sagging(const std::shared_ptr<const ReducedModel>& model) {
    BatchSettings settings;
    settings.damping.stiffness = 0.01;
    settings.doublePrecision = true;
    BodyBatch batch(model, settings);
    const int body = batch.add();
    FrameMotion frame = batch.frame(body);
    frame.acceleration = model->meshFromBody.rotation.transpose() * Vector3(0.0, 9.81, 0.0);  // what the frame resists
    batch.setFrame(body, frame);
    const Workers workers(1);
    for (int step = 0; step < 60; ++step) {
        batch.setFrame(body, frame);
        batch.step(1.0 / 240.0, {body}, workers);
        EXPECT_EQ(batch.status(body), BodyStatus::Ok);
    }
    return batch.q(body);
}

TEST(ImportedMotion, AHeldVegaModelSagsAsTheOriginal) {
    const TemporaryFolder folder;
    const auto original = sampleModel(true);
    ASSERT_GT(original->inertia.translation.norm(), 0.1) << "a basis without mean-axis conditions is wanted";
    exportVega(*original, folder.path("vega"));
    VegaImport files;
    files.cub = folder.path("vega/lopsided.cub");
    findVegaFiles(files);
    saveModel(*importVega(files).model, folder.path("a.pliant"));
    const VectorX expected = sagging(original), q = sagging(loadModel(folder.path("a.pliant")));
    EXPECT_GT(expected.norm(), 1e-6);
    EXPECT_LT((q - expected).norm(), 1e-10 * expected.norm());
}

TEST(ImportedMotion, AHeldBulletModelSagsAsTheLinearOriginal) {
    const TemporaryFolder folder;
    const auto original = sampleModel(true);
    exportBullet(*original, folder.path("bullet"));
    BulletImport files;
    files.folder = folder.path("bullet");
    const auto imported = importBullet(files).model;
    auto linear = std::make_shared<ReducedModel>(*original);
    linear->energy.cubic.setZero();
    linear->energy.quartic.setZero();
    const VectorX expected = linear->restEigenvectors.transpose() * sagging(linear), q = sagging(imported);
    EXPECT_LT((q - expected).norm(), 1e-9 * expected.norm());
}

}  // namespace
