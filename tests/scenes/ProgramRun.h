// SPDX-License-Identifier: Zlib
// Drives the real program as a process, in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace pliant::test {

struct Outcome {
    int code = -1;
    std::string output;               ///< standard output
    std::string problems;             ///< standard error
    std::vector<std::string> errors;  ///< lines of standard error that are not progress (those are indented)
};

inline std::string readWhole(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

class ProgramTest : public ::testing::Test {
protected:
    void SetUp() override {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        std::string name = std::string(test->test_suite_name()) + "_" + test->name();
        std::replace(name.begin(), name.end(), '/', '_');
        m_folder = std::filesystem::path(::testing::TempDir()) / ("pliant_" + std::to_string(::getpid()) + "_" + name);
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    /// Runs `prefix pliant arguments` by the shell, in this test's folder and without a display.
    Outcome run(const std::string& arguments, const std::string& prefix = "") const {
        return outcomeOf(std::system(commandLine(arguments, prefix).c_str()));
    }

    /// The same, with SIGINT after each of `pauses` (ms), counted from when the program first tells of its progress.
    Outcome runInterrupted(const std::string& arguments, const std::vector<int>& pauses) const {
        const std::string command = commandLine(arguments, "exec");
        std::filesystem::remove(log() + ".err");
        const pid_t program = fork();
        if (program == 0) {
            execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
            std::_Exit(127);
        }
        const auto pause = [](int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); };
        int status = 0;
        while (readWhole(log() + ".err").empty()) {
            if (waitpid(program, &status, WNOHANG) == program) return outcomeOf(status);
            pause(5);
        }
        for (const int ms : pauses) {
            pause(ms);
            kill(program, SIGINT);
        }
        waitpid(program, &status, 0);
        return outcomeOf(status);
    }

    std::string log() const { return m_folder.string() + ".log"; }
    std::string commandLine(const std::string& arguments, const std::string& prefix) const {
        return "cd '" + m_folder.string() + "' && unset DISPLAY && " + prefix + " '" PLIANT_PROGRAM "' " + arguments +
               " >'" + log() + ".out' 2>'" + log() + ".err'";
    }
    /// Reads what a run left, and takes it away. @param status as waitpid() has it
    Outcome outcomeOf(int status) const {
        Outcome outcome;
        outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        outcome.output = readWhole(log() + ".out");
        outcome.problems = readWhole(log() + ".err");
        std::filesystem::remove(log() + ".out");
        std::filesystem::remove(log() + ".err");
        std::istringstream lines(outcome.problems);
        for (std::string line; std::getline(lines, line);)
            if (line.compare(0, 2, "  ") != 0) outcome.errors.push_back(line);
        return outcome;
    }

    void write(const std::string& name, const std::string& text) const { std::ofstream(m_folder / name) << text; }

    /// Every file below the folder, with its size, sorted.
    std::vector<std::string> listing() const {
        std::vector<std::string> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(m_folder)) {
            const std::string size = entry.is_regular_file() ? std::to_string(entry.file_size()) : "folder";
            files.push_back(std::filesystem::relative(entry.path(), m_folder).string() + " " + size);
        }
        std::sort(files.begin(), files.end());
        return files;
    }

    std::filesystem::path m_folder;
};

}  // namespace pliant::test
