// SPDX-License-Identifier: Zlib
// A run as Universal Scene Description, its numbers read again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../bridge/BarModel.h"
#include "PaintedScene.h"
#include "loop/UsdFile.h"
#include "models/ReduceReader.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The numbers from behind `mark` up to the end of that line, brackets and commas left out.
std::vector<double> numbersBehind(const std::string& text, const std::string& mark, std::size_t from = 0) {
    const std::size_t at = text.find(mark, from);
    if (at == std::string::npos) return {};
    std::string line = text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
    for (char& c : line)
        if (c == '(' || c == ')' || c == '[' || c == ']' || c == ',') c = ' ';
    std::istringstream words(line);
    std::vector<double> numbers;
    for (double number = 0.0; words >> number;) numbers.push_back(number);
    return numbers;
}

// A model that a body names by its file is called like that file, without its folder.
TEST(UsdFile, AModelOfAFileIsCalledLikeIt) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pliant_usd_of_file";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "cow.pliant") << "never read: the model is handed over";
    const scene::SceneDescription scene =
        scene::parseScene("bodies: [{model: cow.pliant}]\n", (folder / "scene.yaml").string(), program::sceneOptions());
    const auto model = makeBar();
    program::UsdFile file((folder / "run.usda").string(), scene, {model});
    file.add(restPoses(*model, 1));
    file.close();
    std::stringstream all;
    all << std::ifstream(folder / "run.usda").rdbuf();
    EXPECT_THAT(all.str(), HasSubstr("\"Model_cow_0_0\""));
    EXPECT_THAT(all.str(), Not(HasSubstr("of_file")));
    std::filesystem::remove_all(folder);
}

TEST(UsdFile, HasTheModelOnceAndEveryBodysCoordinatesToTheBit) {
    const scene::SceneDescription scene = scene::parseScene(
        std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR +
            "/solids/jelly.obj}}\ntime: {frames_per_second: 4}\nbodies: [{name: my bar, model: bar, grid: {count: "
            "[2, 1, 1], spacing: 1}}]\nrigid: [{name: box, shape: box, size: [1, 2, 3]}]\n",
        "bars.yaml", program::sceneOptions());
    const auto model = makeBarWithTurningNormals();
    const int r = model->dimension();
    const std::string path = ::testing::TempDir() + "pliant_run.usda";
    program::UsdFile file(path, scene, {model});
    scene::ScenePoses poses = restPoses(*model, 2);
    poses.rigid.resize(1);
    poses.isRigidShown = {1};
    RigidTransform place;
    place.translation = Vector3(1, 2, 3);
    place.rotation = Eigen::AngleAxisd(0.7, Vector3(1, 2, 2) / 3).toRotationMatrix();
    for (int frame = 0; frame < 3; ++frame) {
        poses.time = 0.25 * frame;
        for (int j = 0; j < r; ++j) poses.models[0].qOf(1)[j] = 0.1 * (j + 1) * frame;
        poses.models[0].worldFromBody[1] = place;
        poses.isShown[0][0] = frame > 0;
        file.add(poses);
    }
    file.close();
    std::stringstream all;
    all << std::ifstream(path).rdbuf();
    const std::string text = all.str();

    EXPECT_THAT(text, HasSubstr("upAxis = \"Z\""));
    EXPECT_EQ(text.find("def Mesh \"Surface\""), text.rfind("def Mesh \"Surface\"", text.find("class Xform")))
        << "the model stands there once";
    const std::vector<double> points = numbersBehind(text, "point3f[] points =");
    ASSERT_EQ(points.size(), static_cast<std::size_t>(model->surface.positions.size()));
    for (std::size_t i = 0; i < points.size(); ++i)
        EXPECT_EQ(static_cast<float>(points[i]), static_cast<float>(model->surface.positions.data()[i]));
    for (int j = 0; j < r; ++j) {
        const std::size_t shape = text.find("def BlendShape \"q" + std::to_string(j) + "\"");
        const std::vector<double> offsets = numbersBehind(text, "vector3f[] offsets =", shape);
        ASSERT_EQ(offsets.size(), points.size());
        for (std::size_t i = 0; i < points.size(); ++i)
            EXPECT_EQ(static_cast<float>(offsets[i]), model->surfaceBasis(static_cast<Eigen::Index>(i), j));
        const std::vector<double> turned = numbersBehind(text, "vector3f[] normalOffsets =", shape);
        ASSERT_EQ(turned.size(), points.size());
        for (std::size_t i = 0; i < points.size(); ++i)
            EXPECT_EQ(static_cast<float>(turned[i]), model->surfaceNormalBasis(static_cast<Eigen::Index>(i), j));
    }
    const std::size_t second = text.find("def SkelRoot \"Body_my_bar_1_0\"");
    ASSERT_NE(second, std::string::npos);
    const std::vector<double> frame = numbersBehind(text, "2: ", text.find("xformOp:transform.timeSamples", second));
    ASSERT_EQ(frame.size(), 16u);
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            EXPECT_EQ(frame[4 * row + column],
                      place.rotation(static_cast<Eigen::Index>(column), static_cast<Eigen::Index>(row)))
                << "of row vectors";
    EXPECT_EQ(frame[13], 2.0);
    const std::vector<double> weights = numbersBehind(text, "2: ", text.find("blendShapeWeights.timeSamples", second));
    ASSERT_EQ(static_cast<int>(weights.size()), r);
    for (int j = 0; j < r; ++j)
        EXPECT_EQ(static_cast<float>(weights[static_cast<std::size_t>(j)]), static_cast<float>(0.2 * (j + 1)));
    const std::size_t first = text.find("def SkelRoot \"Body_my_bar_0_0\"");
    EXPECT_THAT(text.substr(first, second - first), HasSubstr("0: \"invisible\""));
    EXPECT_THAT(text.substr(second), Not(HasSubstr("invisible"))) << "nor the box";
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace pliant::test
