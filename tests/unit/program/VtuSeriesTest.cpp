// SPDX-License-Identifier: Zlib
// A run as VTK files, read again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../bridge/BarModel.h"
#include "PaintedScene.h"
#include "loop/VtuSeries.h"
#include "models/ReduceReader.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::test {
namespace {

TEST(VtuSeries, HasEveryBodysMeshWhereItIs) {
    const scene::SceneDescription scene = scene::parseScene(
        std::string("models: {\"a bar\": {file: ") + PLIANT_MEDIA_DIR +
            "/solids/jelly.obj}}\nbodies: [{name: bar, model: a bar, grid: {count: [2, 1, 1], spacing: 1}}]\n",
        "bars.yaml", program::sceneOptions());
    const auto model = makeBar();
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pliant_vtu";
    std::filesystem::create_directories(folder);
    program::VtuSeries series((folder / "run.pvd").string(), scene, {model});
    scene::ScenePoses poses = restPoses(*model, 2);
    RigidTransform place;
    place.translation = Vector3(1, 2, 3);
    place.rotation = Eigen::AngleAxisd(0.7, Vector3(1, 2, 2) / 3).toRotationMatrix();
    poses.models[0].worldFromBody[1] = place;
    for (int j = 0; j < model->dimension(); ++j) poses.models[0].qOf(1)[j] = 0.01 * (j + 1);
    for (int frame = 0; frame < 2; ++frame) {
        poses.time = 0.25 * frame;
        poses.isShown[0][0] = frame == 0;
        series.add(poses);
    }
    series.close();

    std::stringstream list;
    list << std::ifstream(folder / "run.pvd").rdbuf();
    EXPECT_THAT(list.str(),
                ::testing::HasSubstr("timestep=\"0.25\" group=\"\" part=\"0\" file=\"run/0_a_bar_00001.vtu\""));
    const VolumeMesh both = readVolume((folder / "run/0_a_bar_00000.vtu").string()).mesh;
    const VolumeMesh second = readVolume((folder / "run/0_a_bar_00001.vtu").string()).mesh;
    const int n = model->mesh.vertexCount(), m = model->mesh.elementCount();
    ASSERT_EQ(both.vertexCount(), 2 * n);
    ASSERT_EQ(second.vertexCount(), n) << "what takes no part is left out";
    ASSERT_EQ(both.elementCount(), 6 * 2 * m) << "bricks are read as six tetrahedra each";
    const Eigen::Index half = 6 * Eigen::Index(m);
    EXPECT_LT(both.elements.leftCols(half).maxCoeff(), n) << "elements have the vertices of their own body";
    EXPECT_GE(both.elements.rightCols(half).minCoeff(), n);
    for (int v = 0; v < n; ++v) {
        const Vector3 rest = model->meshFromBody.inversePoint(model->mesh.positions.col(v));
        Vector3 u = Vector3::Zero();
        for (int j = 0; j < model->dimension(); ++j) u += 0.01 * (j + 1) * model->basis.block<3, 1>(3 * v, j);
        EXPECT_LT((both.positions.col(v) - rest).norm(), 1e-12) << "a body at rest at the origin";
        EXPECT_LT((second.positions.col(v) - place.point(rest + u)).norm(), 1e-12);
        EXPECT_EQ(both.positions.col(n + v), second.positions.col(v));
    }
    std::filesystem::remove_all(folder);
}

// A model that a body names by its file gives the members the name of that file, without its folder.
TEST(VtuSeries, MembersOfAModelOfAFileAreCalledLikeIt) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pliant_vtu_of_file";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "cow.pliant") << "never read: the model is handed over";
    const scene::SceneDescription scene =
        scene::parseScene("bodies: [{model: cow.pliant}]\n", (folder / "scene.yaml").string(), program::sceneOptions());
    const auto model = makeBar();
    program::VtuSeries series((folder / "run.pvd").string(), scene, {model});
    series.add(restPoses(*model, 1));
    EXPECT_TRUE(std::filesystem::exists(folder / "run/0_cow_00000.vtu"));
    std::filesystem::remove_all(folder);
}

TEST(VtuSeries, DisplacementsLeadBackToTheBodyAtRest) {
    const auto model = makeBar();
    scene::ScenePoses poses = restPoses(*model, 1);
    poses.models[0].worldFromBody[0].rotation = Eigen::AngleAxisd(1.1, Vector3::UnitX()).toRotationMatrix();
    poses.models[0].qOf(0)[0] = 0.05;
    VectorX displacement;
    const VolumeMesh bent = program::placedMeshes(model, poses.models[0], {1}, displacement);
    poses.models[0].qOf(0)[0] = 0.0;
    VectorX none;
    const VolumeMesh rest = program::placedMeshes(model, poses.models[0], {1}, none);
    EXPECT_GT(displacement.norm(), 1e-3);
    EXPECT_EQ(none.norm(), 0.0);
    const Eigen::Map<const Points> u(displacement.data(), 3, bent.positions.cols());
    EXPECT_LT((bent.positions - u - rest.positions).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace pliant::test
