// SPDX-License-Identifier: Zlib
// Files that must be refused, each with a sentence that names file and section.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "SampleModel.h"
#include "pliant/math/Error.h"
#include "pliant/model/ModelContainer.h"

namespace {

using namespace pliant;
using test::refusal;

class DamagedFile : public ::testing::Test {
protected:
    void SetUp() override {
        m_path = m_folder.file("a.pliant");
        saveModel(test::sampleModel(), m_path);
        m_bytes = test::readBytes(m_path);
    }

    void expectRefused(const std::string& bytes, const std::string& reason, const std::string& what) {
        test::writeBytes(m_path, bytes);
        const std::string message = refusal(m_path);
        EXPECT_NE(message.find("a.pliant"), std::string::npos) << what << ": " << message;
        EXPECT_NE(message.find("section '"), std::string::npos) << what << ": " << message;
        EXPECT_NE(message.find(reason), std::string::npos) << what << ": " << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }

    test::ScratchFolder m_folder;
    std::string m_path, m_bytes;
};

TEST_F(DamagedFile, IsFineBeforeTheDamage) {
    EXPECT_EQ(refusal(m_path), "");
}

TEST_F(DamagedFile, ThousandRandomBitFlips) {
    std::mt19937_64 engine(2024);
    for (int i = 0; i < 1000; ++i) {
        std::string bytes = m_bytes;
        const std::size_t bit = engine() % (8 * bytes.size());
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
        expectRefused(bytes, "", "bit " + std::to_string(bit));
    }
}

TEST_F(DamagedFile, EveryByteOfHeaderTableAndPadding) {
    const ModelContainer container(m_path);
    std::vector<bool> inSection(m_bytes.size(), false);
    const std::uint8_t* start = container.sections().front().data;
    std::size_t first = 64 + 64 * container.sections().size();
    first = (first + 63) / 64 * 64;
    for (const SectionView& section : container.sections())
        for (std::size_t i = 0; i < section.size; ++i)
            inSection[first + static_cast<std::size_t>(section.data - start) + i] = true;
    int tried = 0;
    for (std::size_t i = 0; i < m_bytes.size(); ++i) {
        if (inSection[i]) continue;
        std::string bytes = m_bytes;
        bytes[i] = static_cast<char>(bytes[i] ^ 1);
        expectRefused(bytes, "", "byte " + std::to_string(i));
        ++tried;
    }
    EXPECT_GT(tried, 64 * 11);
}

TEST_F(DamagedFile, Truncated) {
    std::vector<std::size_t> cuts = {8, 12, 63, 64, 65, 127, m_bytes.size() - 1};
    {
        const ModelContainer container(m_path);
        const std::uint8_t* end = container.sections().back().data + container.sections().back().size;
        for (const SectionView& section : container.sections()) {
            cuts.push_back(m_bytes.size() - static_cast<std::size_t>(end - section.data));
            cuts.push_back(cuts.back() + section.size);
        }
        cuts.pop_back();  // the end of the last section is the whole file
    }
    std::mt19937_64 engine(7);
    for (int i = 0; i < 50; ++i) cuts.push_back(8 + engine() % (m_bytes.size() - 8));
    for (const std::size_t cut : cuts) expectRefused(m_bytes.substr(0, cut), "truncated", std::to_string(cut));
    for (std::size_t cut = 0; cut < 8; ++cut) expectRefused(m_bytes.substr(0, cut), "not a Pliant model file", "start");
    expectRefused(m_bytes + "x", "longer than it says", "appended");
}

TEST_F(DamagedFile, NewerForeignAndOtherByteOrder) {
    std::string newer = m_bytes;
    newer[12] = static_cast<char>(modelFileVersion + 1);
    expectRefused(newer, "made by a newer Pliant", "version");
    std::string swapped = m_bytes;
    std::swap(swapped[8], swapped[11]);
    std::swap(swapped[9], swapped[10]);
    expectRefused(swapped, "byte order", "endianness");
    expectRefused("\x89PNG\r\n\x1a\n0000000000000000000000000000000000000000000000000000000000000000",
                  "not a Pliant model file", "picture");
    EXPECT_NE(refusal(m_folder.file("none.pliant")).find("cannot be read: No such file"), std::string::npos);
    EXPECT_NE(refusal(m_folder.path()).find("is a folder, not a file"), std::string::npos);
}

// A hostile file has right checksums. Whatever word of a section is replaced by a huge number, loading ends with an
// Error or with a model, never with a crash or an allocation larger than the file.
TEST_F(DamagedFile, HostileWordsWithRightChecksums) {
    std::vector<SectionBytes> sections;
    {
        const ModelContainer container(m_path);
        for (const SectionView& view : container.sections())
            sections.push_back({view.name, {view.data, view.data + view.size}});
    }
    std::mt19937_64 engine(99);
    const std::uint32_t values[] = {0xffffffffu, 0x7fffffffu, 0x7ffffffcu, 0x10000u, 0u};
    int refused = 0;
    for (int i = 0; i < 500; ++i) {
        std::vector<SectionBytes> damaged = sections;
        std::vector<std::uint8_t>& bytes = damaged[engine() % damaged.size()].bytes;
        const std::size_t word = 4 * (engine() % (bytes.size() / 4));
        std::memcpy(bytes.data() + word, &values[engine() % 5], 4);
        writeContainer(m_path, damaged);
        const std::string message = refusal(m_path);
        if (message.empty()) continue;
        ++refused;
        EXPECT_NE(message.find("section '"), std::string::npos) << message;
    }
    EXPECT_GT(refused, 150);
}

TEST_F(DamagedFile, MissingSection) {
    const ModelContainer container(m_path);
    std::vector<SectionBytes> sections;
    for (const SectionView& view : container.sections())
        if (view.name != "energy") sections.push_back({view.name, {view.data, view.data + view.size}});
    writeContainer(m_folder.file("b.pliant"), sections);
    EXPECT_NE(refusal(m_folder.file("b.pliant")).find("section 'energy': is missing"), std::string::npos);
}

}  // namespace
