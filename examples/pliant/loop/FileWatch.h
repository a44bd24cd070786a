// SPDX-License-Identifier: Zlib
// Whether files have been saved since they were last looked at.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace pliant::program {

class FileWatch {
public:
    explicit FileWatch(const std::vector<std::string>& files) {
        for (const std::string& file : files) m_files.emplace_back(file, stateOf(file));
    }

    /// Each change is told once.
    bool haveChanged() {
        bool changed = false;
        for (auto& [file, state] : m_files) {
            const State now = stateOf(file);
            changed = changed || (now != state && now.second > 0);  // editors that write anew make it empty first
            if (now.second > 0) state = now;
        }
        return changed;
    }

private:
    using State = std::pair<std::filesystem::file_time_type, std::uintmax_t>;
    static State stateOf(const std::string& file) {
        std::error_code gone;
        const auto time = std::filesystem::last_write_time(file, gone);
        const std::uintmax_t size = gone ? 0 : std::filesystem::file_size(file, gone);
        return {gone ? std::filesystem::file_time_type() : time, gone ? 0 : size};
    }

    std::vector<std::pair<std::string, State>> m_files;
};

}  // namespace pliant::program
