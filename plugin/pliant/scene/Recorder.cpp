// SPDX-License-Identifier: Zlib
#include "pliant/scene/Recorder.h"

#include <charconv>
#include <cmath>
#include <filesystem>

namespace pliant::scene {
namespace {

/// The shortest text that reads as the same number.
std::string exact(double value) {
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

/// JSON knows no infinity and nothing that is not a number.
std::string json(double value) {
    return std::isfinite(value) ? exact(value) : "null";
}

}  // namespace

std::string Recorder::problem(double t) {
    m_file.close();
    return m_path + ": at t = " + exact(t) + " s: cannot write; the run went on without this record";
}

std::string Recorder::open(const std::string& folder) {
    const std::filesystem::path path = std::filesystem::path(folder) / m_record.file;
    m_path = path.string();
    m_asTable = path.extension() == ".csv";
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    m_file.open(path, std::ios::trunc);
    if (m_asTable) {
        m_file << "t [s]";
        for (const Column& column : m_columns)
            for (int i = 0; i < column.components; ++i) {
                m_file << ',' << column.name;
                if (column.components > 1) m_file << '.' << "xyz"[i];
                m_file << " [" << column.unit << ']';
            }
        m_file << '\n';
    }
    return m_file.good() ? "" : problem(0.0);
}

std::string Recorder::advance(double t, double step) {
    if (!m_file.is_open() || t < static_cast<double>(m_lines) * m_record.every - 0.5 * step) return {};
    ++m_lines;
    // Times are sums of steps: their last digits are rounding.
    m_file << (m_asTable ? "" : "{\"t\":") << exact(std::round(t * 1e9) / 1e9);
    for (const Column& column : m_columns) {
        if (!m_asTable) m_file << ",\"" << column.name << "\":" << (column.components > 1 ? "[" : "");
        for (int i = 0; i < column.components; ++i) {
            if (m_asTable || i > 0) m_file << ',';
            m_file << (m_asTable ? exact(column.first[i]) : json(column.first[i]));
        }
        if (!m_asTable && column.components > 1) m_file << ']';
    }
    m_file << (m_asTable ? "\n" : "}\n");
    return m_file.good() ? "" : problem(t);
}

}  // namespace pliant::scene
