// SPDX-License-Identifier: Zlib
// The outer shell of a model file: header, section table and sections, every byte under a checksum or known to be zero.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pliant/model/MappedFile.h"

namespace pliant {

inline constexpr std::uint32_t modelFileVersion = 5;  ///< The newest version, which is read and written.

/// Name of the section of a material's parts.
inline std::string groupSection(std::size_t material) {
    return "material_group_" + std::to_string(material);
}

/// What goes into a section.
struct SectionBytes {
    std::string name;  ///< Name, at most 31 bytes.
    std::vector<std::uint8_t> bytes;
};

/// Where a section lies in the mapped file.
struct SectionView {
    std::string name;
    const std::uint8_t* data = nullptr;  ///< The section's bytes, aligned to 64.
    std::size_t size = 0;
};

/// Writes header, table and sections; the file appears whole or not at all. @throws Error.
void writeContainer(const std::string& path, const std::vector<SectionBytes>& sections,
                    std::uint32_t version = modelFileVersion);

/// A mapped model file whose every byte has been verified.
class ModelContainer {
public:
    /// @throws Error naming the file, the section and the reason.
    explicit ModelContainer(const std::string& path);

    const std::string& path() const { return m_path; }
    const std::vector<SectionView>& sections() const { return m_sections; }
    /// @throws Error when there is no such section.
    const SectionView& section(const std::string& name) const;
    bool has(const std::string& name) const;

private:
    void readHeader();
    void readTable(std::uint32_t count);
    void verifyPadding() const;

    std::string m_path;
    MappedFile m_file;
    std::vector<SectionView> m_sections;
};

}  // namespace pliant
