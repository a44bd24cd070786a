// SPDX-License-Identifier: Zlib
// A folder of a test's own, and scenes in it that are read from text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::scene {

/// Makes the folder, which goes with the test.
class SceneFolder : public ::testing::Test {
protected:
    SceneFolder() {
        const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
        std::string name = std::string(test.test_suite_name()) + "_" + test.name();
        std::replace(name.begin(), name.end(), '/', '_');  // of tests with parameters
        m_folder = std::filesystem::path(::testing::TempDir()) / name;
        std::filesystem::remove_all(m_folder);  // of a run that was killed
        std::filesystem::create_directories(m_folder);
    }
    ~SceneFolder() override { std::filesystem::remove_all(m_folder); }

    /// A file in the folder. @param name with the folders below, which are there
    void write(const std::string& name, const std::string& text) const { std::ofstream(m_folder / name) << text; }
    /// What the scene is called.
    std::string path() const { return (m_folder / "test.yaml").string(); }
    SceneDescription parse(const std::string& text) const { return parseScene(text, path(), program::sceneOptions()); }
    /// What is told of a scene that is not read.
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
