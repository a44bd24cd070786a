// SPDX-License-Identifier: Zlib
#include "pliant/scene/Recorder.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include "pliant/mesh/TextFile.h"

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

/// A text in quotes, as JSON has it.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < ' ') {  // by its number, of two hexadecimal digits
            const auto digit = [](int value) { return "0123456789abcdef"[value & 15]; };
            result += std::string("\\u00") + digit(c >> 4) + digit(c);
            continue;
        }
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
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
    if (m_asTable && m_contacts)
        m_file << "t [s],body,other,point.x [m],point.y [m],point.z [m],normal.x [1],normal.y [1],normal.z [1],"
                  "impulse [N s]\n";
    if (m_asTable && !m_contacts) {
        m_file << "t [s]";
        for (const Column& column : m_columns)
            for (int i = 0; i < column.components; ++i) {
                const std::string axis = column.components > 1 ? std::string(".") + "xyz"[i] : "";
                m_file << ',' << csvField(column.name + axis + " [" + column.unit + "]");
            }
        m_file << '\n';
    }
    return m_file.good() ? "" : problem(0.0);
}

void Recorder::writeNumbers(const std::string& t) {
    m_file << (m_asTable ? "" : "{\"t\":") << t;
    for (const Column& column : m_columns) {
        if (!m_asTable) m_file << "," << quoted(column.name) << ":" << (column.components > 1 ? "[" : "");
        for (int i = 0; i < column.components; ++i) {
            if (m_asTable || i > 0) m_file << ',';
            m_file << (m_asTable ? exact(column.first[i]) : json(column.first[i]));
        }
        if (!m_asTable && column.components > 1) m_file << ']';
    }
    m_file << (m_asTable ? "\n" : "}\n");
}

void Recorder::writeVector(const char* name, const Vector3& v) {
    if (!m_asTable) m_file << ",\"" << name << "\":[";
    for (int i = 0; i < 3; ++i) m_file << (m_asTable || i > 0 ? "," : "") << (m_asTable ? exact(v[i]) : json(v[i]));
    if (!m_asTable) m_file << ']';
}

void Recorder::writeContacts(const std::string& t) {
    for (const RecordedContact& contact : *m_contacts) {
        const std::string body = m_asTable ? csvField(*contact.body) : quoted(*contact.body),
                          other = m_asTable ? csvField(*contact.other) : quoted(*contact.other);
        m_file << (m_asTable ? "" : "{\"t\":") << t << (m_asTable ? "," : ",\"body\":") << body
               << (m_asTable ? "," : ",\"other\":") << other;
        writeVector("point", contact.point);
        writeVector("normal", contact.normal);
        m_file << (m_asTable ? "," : ",\"impulse\":") << (m_asTable ? exact(contact.impulse) : json(contact.impulse))
               << (m_asTable ? "\n" : "}\n");
    }
}

std::string Recorder::advance(double t, double step) {
    if (!m_file.is_open() || t < static_cast<double>(m_lines) * m_record.every - 0.5 * step) return {};
    ++m_lines;
    const std::string moment = exact(std::round(t * 1e9) / 1e9);  // sums of steps: their last digits are rounding
    m_contacts ? writeContacts(moment) : writeNumbers(moment);
    return m_file.good() ? "" : problem(t);
}

}  // namespace pliant::scene
