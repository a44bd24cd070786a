// SPDX-License-Identifier: Zlib
// A run as a table, read again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "../bridge/BarModel.h"
#include "PaintedScene.h"
#include "loop/TrajectoryTable.h"
#include "models/ReduceReader.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::test {
namespace {

namespace fs = std::filesystem;

/// The fields of a line without their quotes; none here holds a quote.
std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> all(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            all.emplace_back();
        else
            all.back() += c;
    }
    return all;
}

class TrajectoryTable : public ::testing::Test {
protected:
    TrajectoryTable() { fs::create_directories(m_folder); }
    ~TrajectoryTable() override { fs::remove_all(m_folder); }

    std::vector<std::vector<std::string>> read() const {
        std::ifstream file(m_folder / "run.csv");
        std::vector<std::vector<std::string>> rows;
        for (std::string line; std::getline(file, line);) rows.push_back(fields(line));
        return rows;
    }

    const fs::path m_folder = fs::path(::testing::TempDir()) / "pliant_table";
    const std::shared_ptr<const ReducedModel> m_model = makeBar();
    const scene::SceneDescription m_scene = scene::parseScene(
        std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR +
            "/solids/jelly.obj}}\nbodies: [{name: \"bars, two\", model: bar, grid: {count: [2, 1, 1], spacing: 1}}]\n"
            "rigid: [{shape: cone, radius: 0.1, height: 0.2}]\n",
        "bars.yaml", program::sceneOptions());
};

TEST_F(TrajectoryTable, HasEveryBodyInEveryFrameToTheLastBit) {
    program::TrajectoryTable table((m_folder / "run.csv").string(), m_scene, {m_model});
    scene::ScenePoses poses = restPoses(*m_model, 2);
    RigidTransform place;
    place.translation = Vector3(1.0 / 3.0, -2e-17, 3e100);
    place.rotation = Eigen::AngleAxisd(0.7, Vector3(1, 2, 2) / 3).toRotationMatrix();
    poses.models[0].worldFromBody[1] = place;
    const int r = m_model->dimension();
    for (int j = 0; j < r; ++j) poses.models[0].qOf(1)[j] = 0.01 / (j + 3);
    poses.rigid.push_back(place);
    poses.isRigidShown = {1};
    for (int frame = 0; frame < 2; ++frame) {
        poses.time = 0.1 * (frame + 1);
        poses.isShown[0][0] = frame == 0;
        table.add(poses);
    }
    EXPECT_FALSE(fs::exists(m_folder / "run.csv")) << "a file is whole or not there";
    table.close();

    const auto rows = read();
    ASSERT_EQ(rows.size(), 1u + 3u + 2u) << "what takes no part has no row";
    for (const auto& row : rows) ASSERT_EQ(row.size(), 9u + static_cast<std::size_t>(r));
    EXPECT_EQ(rows[0][9], "q0 [m sqrt(kg)]");
    EXPECT_EQ(rows[1][1], "bars, two[0]");
    EXPECT_EQ(rows[3][1], "cone");
    EXPECT_EQ(rows[3][9], "");
    const auto& bent = rows[4];
    EXPECT_EQ(bent[1], "bars, two[1]");
    EXPECT_EQ(std::strtod(bent[0].c_str(), nullptr), 0.2);
    for (int k = 0; k < 3; ++k)
        EXPECT_EQ(std::strtod(bent[static_cast<std::size_t>(2 + k)].c_str(), nullptr), place.translation[k]);
    Eigen::Quaterniond turn;
    turn.w() = std::strtod(bent[5].c_str(), nullptr);
    for (int k = 0; k < 3; ++k) turn.vec()[k] = std::strtod(bent[static_cast<std::size_t>(6 + k)].c_str(), nullptr);
    EXPECT_LT((turn.toRotationMatrix() - place.rotation).norm(), 1e-15);
    for (int j = 0; j < r; ++j)
        EXPECT_EQ(std::strtod(bent[static_cast<std::size_t>(9 + j)].c_str(), nullptr), 0.01 / (j + 3));
}

TEST_F(TrajectoryTable, GivenUpLeavesNothing) {
    { program::TrajectoryTable table((m_folder / "run.csv").string(), m_scene, {m_model}); }
    EXPECT_TRUE(fs::is_empty(m_folder));
}

}  // namespace
}  // namespace pliant::test
