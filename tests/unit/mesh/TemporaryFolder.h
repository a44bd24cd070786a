// SPDX-License-Identifier: Zlib
// A folder that a test fills and that goes away with it; and the sentence of an expected error.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "pliant/math/Error.h"

namespace pliant::test {

class TemporaryFolder {
public:
    TemporaryFolder() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        m_path = std::filesystem::temp_directory_path() / (std::string("pliant_") + info->test_suite_name() + "_" +
                                                           info->name() + "_" + std::to_string(::getpid()));
        std::filesystem::create_directories(m_path);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string path(const std::string& name) const { return (m_path / name).string(); }

    /// @return the path of a new file with this text
    std::string write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((m_path / name).parent_path());
        std::ofstream(m_path / name, std::ios::binary) << text;
        return path(name);
    }

    int fileCount() const {
        int count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(m_path)) ++count;
        return count;
    }

private:
    std::filesystem::path m_path;
};

/// what() of the pliant::Error that `action` throws; empty when it throws none.
template <typename Action>
std::string errorOf(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace pliant::test
