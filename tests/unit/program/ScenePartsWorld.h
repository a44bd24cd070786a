// SPDX-License-Identifier: Zlib
// Scenes of several files: a folder of a test's own, with what models name.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::scene {

class ScenePartsTest : public ::testing::Test {
protected:
    void SetUp() override {
        m_folder = std::filesystem::path(::testing::TempDir()) /
                   ("parts_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::create_directories(m_folder / "more");
        write("cow.obj", "v 0 0 0\n");
        write("more/calf.obj", "v 0 0 0\n");
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    void write(const std::string& name, const std::string& text) const { std::ofstream(m_folder / name) << text; }
    SceneDescription parse(const std::string& text) const {
        return parseScene(text, (m_folder / "test.yaml").string(), program::sceneOptions());
    }
    std::string complaint(const std::string& text) const {
        try {
            parse(text);
        } catch (const Error& problem) {
            return problem.what();
        }
        return "no error";
    }

    std::filesystem::path m_folder;
};

inline const std::string kBall = "rigid: [{name: ball, shape: sphere, mass: 1}]\n";

/// A prefab with parameters, bodies, a joint and a sensor.
inline const std::string kCrane = R"(
prefabs:
  crane:
    parameters: {reach: 2, arm: = reach/2}
    rigid:
      - {name: mast, shape: box, position: [0, 0, 1]}
      - {name: hook, shape: sphere, mass: 1, position: [= reach, 0, = arm], velocity: [1, 0, 0]}
    joints:
      - {name: rope, kind: hinge, between: [hook, mast], at: [= reach, 0, 2], axis: [1, 0, 0]}
    sensors:
      - {name: near, kind: region, box: {from: [0, 0, 0], to: [1, 1, 1]}, of: hook}
)";

}  // namespace pliant::scene
