// SPDX-License-Identifier: Zlib
// One file of numbers over time, written while the scene runs.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/scene/Timeline.h"
#include "pliant/scene/TimelineDescription.h"

namespace pliant::scene {

class PLIANT_INTERNAL_API Recorder {
public:
    /// A column of the record: one number, or three of a vector.
    struct Column {
        std::string name, unit;
        const double* first;
        int components;
    };
    Recorder(const Record& record, std::vector<Column> columns) : m_record(record), m_columns(std::move(columns)) {}

    /// A record of contacts. @param contacts of the present moment; outlives this
    Recorder(const Record& record, const std::vector<RecordedContact>* contacts)
        : m_record(record), m_contacts(contacts) {}

    /// Starts the file. @return empty, or why that cannot be
    std::string open(const std::string& folder);
    /// Writes a line where one is due. @return empty, or why that cannot be; the file is given up then
    std::string advance(double t, double step);
    void close() { m_file.close(); }

private:
    std::string problem(double t);
    void writeNumbers(const std::string& t);
    void writeContacts(const std::string& t);
    void writeVector(const char* name, const Vector3& v);

    Record m_record;
    std::vector<Column> m_columns;
    const std::vector<RecordedContact>* m_contacts = nullptr;  ///< null: it is one of numbers
    std::ofstream m_file;
    std::string m_path;
    bool m_asTable = true;
    long m_lines = 0;
};

}  // namespace pliant::scene
