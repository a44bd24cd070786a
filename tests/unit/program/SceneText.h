// SPDX-License-Identifier: Zlib
// Scenes of a few lines, read from text.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::scene {

/// A folder with a mesh and a model, and scenes that name them.
class SceneReaderTest : public ::testing::Test {
protected:
    void SetUp() override {
        m_folder = std::filesystem::path(::testing::TempDir()) /
                   ("scene_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::create_directories(m_folder);
        std::ofstream(m_folder / "cow.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        std::ofstream(m_folder / "cow.pliant") << "reduced\n";
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    SceneDescription parse(const std::string& text) const { return parseScene(text, path(), program::sceneOptions()); }
    std::string path() const { return (m_folder / "test.yaml").string(); }

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

}  // namespace pliant::scene
