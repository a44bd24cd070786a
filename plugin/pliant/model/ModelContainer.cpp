// SPDX-License-Identifier: Zlib
#include "pliant/model/ModelContainer.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "pliant/math/Error.h"
#include "pliant/model/WholeFileWriter.h"

namespace pliant {
namespace {

const char* const makeAgain = "copy it again from where it came, or make it again with pliant reduce";

constexpr std::size_t alignment = 64;
constexpr std::size_t nameBytes = 32;
constexpr std::uint32_t maxSections = 1024;
constexpr char magicBytes[8] = {'\x89', 'P', 'L', 'I', 'A', 'N', 'T', '\n'};
constexpr std::uint32_t endianMark = 0x01020304;

struct Header {
    char magic[8];
    std::uint32_t endianness;
    std::uint32_t version;
    std::uint64_t fileSize;
    std::uint32_t sectionCount;
    std::uint32_t zero[7];
    std::uint64_t checksum;  // XXH3-64 of the header before this field, then of the whole table
};
static_assert(sizeof(Header) == 64, "the header is 64 bytes on disk");

struct TableEntry {
    char name[nameBytes];
    std::uint64_t offset;
    std::uint64_t size;
    std::uint64_t checksum;  // XXH3-64 of the section's bytes
    std::uint64_t zero;
};
static_assert(sizeof(TableEntry) == 64, "a table entry is 64 bytes on disk");

std::size_t aligned(std::size_t offset) {
    return (offset + alignment - 1) / alignment * alignment;
}

std::uint64_t headerChecksum(const Header& header, const void* table, std::size_t tableBytes) {
    std::vector<char> bytes(offsetof(Header, checksum) + tableBytes);
    std::memcpy(bytes.data(), &header, offsetof(Header, checksum));
    if (tableBytes > 0) std::memcpy(bytes.data() + offsetof(Header, checksum), table, tableBytes);
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::vector<TableEntry> makeTable(const std::vector<SectionBytes>& sections, std::size_t& end) {
    std::vector<TableEntry> table;
    end = sizeof(Header) + sections.size() * sizeof(TableEntry);
    for (const SectionBytes& section : sections) {
        TableEntry entry{};
        std::memcpy(entry.name, section.name.data(), std::min(section.name.size(), nameBytes - 1));
        entry.offset = aligned(end);
        entry.size = section.bytes.size();
        entry.checksum = XXH3_64bits(section.bytes.data(), section.bytes.size());
        end = entry.offset + entry.size;
        table.push_back(entry);
    }
    return table;
}

}  // namespace

void writeContainer(const std::string& path, const std::vector<SectionBytes>& sections, std::uint32_t version) {
    if (sections.size() > maxSections)
        throw Error(path, std::to_string(sections.size()) + " sections are more than a model file holds",
                    "use fewer materials");
    std::size_t end = 0;
    const std::vector<TableEntry> table = makeTable(sections, end);
    const std::size_t tableBytes = table.size() * sizeof(TableEntry);
    Header header{};
    std::memcpy(header.magic, magicBytes, sizeof magicBytes);
    header.endianness = endianMark;
    header.version = version;
    header.fileSize = end;
    header.sectionCount = static_cast<std::uint32_t>(table.size());
    header.checksum = headerChecksum(header, table.data(), tableBytes);

    WholeFileWriter file(path);
    file.write(&header, sizeof header);
    file.write(table.data(), tableBytes);
    std::size_t position = sizeof header + tableBytes;
    const char zeros[alignment] = {};
    for (std::size_t i = 0; i < sections.size(); ++i) {
        file.write(zeros, table[i].offset - position);
        file.write(sections[i].bytes.data(), sections[i].bytes.size());
        position = table[i].offset + table[i].size;
    }
    file.commit();
}

ModelContainer::ModelContainer(const std::string& path) : m_path(path), m_file(path) {
    readHeader();
    verifyPadding();
}

void ModelContainer::readHeader() {
    Header header{};
    const std::size_t present = std::min(m_file.size(), sizeof header);
    if (present > 0) std::memcpy(&header, m_file.data(), present);
    if (present < sizeof magicBytes || std::memcmp(header.magic, magicBytes, sizeof magicBytes) != 0)
        throw Error(m_path, "section 'header': is not a Pliant model file", "make one with 'pliant reduce'");
    if (present < sizeof header) throw Error(m_path, "section 'header': the file is truncated", makeAgain);
    if (header.endianness != endianMark)
        throw Error(m_path, "section 'header': made on a machine of another byte order, or damaged", makeAgain);
    if (header.version > modelFileVersion)
        throw Error(m_path,
                    "section 'header': made by a newer Pliant (file version " + std::to_string(header.version) +
                        ", this program reads up to " + std::to_string(modelFileVersion) + ")",
                    "update Pliant or reduce the input again");
    if (header.version < 1)
        throw Error(m_path, "section 'header': unknown file version " + std::to_string(header.version), makeAgain);
    if (header.fileSize != m_file.size())
        throw Error(m_path,
                    std::string("section 'header': the file is ") +
                        (m_file.size() < header.fileSize ? "truncated (" : "longer than it says (") +
                        std::to_string(m_file.size()) + " bytes instead of " + std::to_string(header.fileSize) + ")",
                    makeAgain);
    const std::size_t room = (m_file.size() - sizeof header) / sizeof(TableEntry);
    if (header.sectionCount > std::min<std::size_t>(room, maxSections))
        throw Error(m_path, "section 'header': the section table does not fit into the file", makeAgain);
    const std::size_t tableBytes = header.sectionCount * sizeof(TableEntry);
    if (headerChecksum(header, m_file.data() + sizeof header, tableBytes) != header.checksum)
        throw Error(m_path, "section 'header': damaged (its checksum does not match)", makeAgain);
    readTable(header.sectionCount);
}

void ModelContainer::readTable(std::uint32_t count) {
    std::size_t end = sizeof(Header) + count * sizeof(TableEntry);
    for (std::uint32_t i = 0; i < count; ++i) {
        TableEntry entry{};
        std::memcpy(&entry, m_file.data() + sizeof(Header) + i * sizeof entry, sizeof entry);
        if (entry.name[nameBytes - 1] != '\0')
            throw Error(m_path, "section 'header': a section name has no end", makeAgain);
        SectionView view;
        view.name = entry.name;
        if (entry.offset != aligned(end) || entry.offset > m_file.size() || entry.size > m_file.size() - entry.offset)
            throw Error(m_path, "section '" + view.name + "': does not lie where it should", makeAgain);
        view.data = m_file.data() + entry.offset;
        view.size = entry.size;
        if (XXH3_64bits(view.data, view.size) != entry.checksum)
            throw Error(m_path, "section '" + view.name + "': damaged (its checksum does not match)", makeAgain);
        end = entry.offset + entry.size;
        m_sections.push_back(std::move(view));
    }
    if (end != m_file.size()) throw Error(m_path, "section 'header': bytes after the last section", makeAgain);
}

void ModelContainer::verifyPadding() const {
    const std::uint8_t* position = m_file.data() + sizeof(Header) + m_sections.size() * sizeof(TableEntry);
    for (const SectionView& section : m_sections) {
        if (std::any_of(position, section.data, [](std::uint8_t byte) { return byte != 0; }))
            throw Error(m_path, "section '" + section.name + "': the gap before it is not empty");
        position = section.data + section.size;
    }
}

bool ModelContainer::has(const std::string& name) const {
    return std::any_of(m_sections.begin(), m_sections.end(), [&](const SectionView& s) { return s.name == name; });
}

const SectionView& ModelContainer::section(const std::string& name) const {
    const auto found =
        std::find_if(m_sections.begin(), m_sections.end(), [&](const SectionView& s) { return s.name == name; });
    if (found == m_sections.end()) throw Error(m_path, "section '" + name + "': is missing");
    return *found;
}

}  // namespace pliant
