// SPDX-License-Identifier: Zlib
// Lattice flesh in a character's file: it comes back and steps the same, and hostile files are refused in one sentence.
#include <fstream>
#include <iterator>
#include <random>

#include "../model/SampleModel.h"
#include "BarLattice.h"
#include "pliant/control_lattice/LatticeForCharacter.h"
#include "pliant/control_lattice/ReadControlLattice.h"
#include "pliant/control_lattice/WriteControlLattice.h"
#include "pliant/math/Error.h"
#include "pliant/model/EncodeLattice.h"
#include "pliant/model/LatticeFile.h"
#include "pliant/runtime/lattice/LatticeBatch.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

class LatticeFile : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        const VolumeMesh mesh = barMesh(0.1);
        const Rig rig = barRig(mesh);
        CharacterOptions options = barOptions();
        options.modes = 6;
        options.dimension = 8;
        s_character = makeCharacter(rig, mesh, options, "bar");
        s_lattice = latticeForCharacter(*s_character, rig, barLattice(mesh), barLatticeOptions(mesh), "bar");
    }
    static void TearDownTestSuite() {
        s_character.reset();
        s_lattice.reset();
    }
    void SetUp() override {
        m_path = m_folder.file("a.pliant");
        saveCharacter(*s_character, *s_lattice, m_path);
    }

    std::string refusalOf(const LatticeModel& lattice) {
        try {
            saveCharacter(*s_character, lattice, m_folder.file("b.pliant"));
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    }

    ScratchFolder m_folder;
    std::string m_path;
    static std::shared_ptr<const CharacterModel> s_character;
    static std::shared_ptr<const LatticeModel> s_lattice;
};

std::shared_ptr<const CharacterModel> LatticeFile::s_character;
std::shared_ptr<const LatticeModel> LatticeFile::s_lattice;

TEST_F(LatticeFile, ComesBackAndStepsTheSame) {
    EXPECT_TRUE(hasLattice(m_path));
    EXPECT_EQ(loadCharacter(m_path)->flesh->dimension(), s_character->flesh->dimension()) << "beside the reduced flesh";
    const auto loaded = loadLattice(m_path);
    Points surfaces[2];
    int k = 0;
    for (const auto& model : {s_lattice, loaded}) {
        LatticeSettings settings;
        settings.iterations = 3;
        LatticeBatch batch(model, settings);
        batch.add(bent(model->skeleton, 0.7));
        for (int step = 0; step < 5; ++step) batch.step(0.01, {0}, {0, -9.81, 0}, Workers(1));
        batch.surface(0, surfaces[k++]);
    }
    EXPECT_TRUE((surfaces[0].array() == surfaces[1].array()).all());
    EXPECT_EQ(loaded->strains.size(), s_lattice->strains.size());
    saveCharacter(*s_character, m_folder.file("none.pliant"));
    EXPECT_FALSE(hasLattice(m_folder.file("none.pliant")));
    EXPECT_THROW(loadLattice(m_folder.file("none.pliant")), Error);
}

TEST_F(LatticeFile, InconsistentOnesAreRefused) {
    const auto expect = [&](const char* reason, const std::function<void(LatticeModel&)>& spoil) {
        LatticeModel spoilt = *s_lattice;
        spoil(spoilt);
        EXPECT_THAT(refusalOf(spoilt), HasSubstr(reason));
    };
    expect("a bone is out of range", [](LatticeModel& m) { m.regions[0].bone = 2; });
    expect("a bone is out of range", [](LatticeModel& m) { m.boneOf[3] = -2; });
    expect("a level", [](LatticeModel& m) { m.level[0] = 4; });
    expect("a function is out of range", [](LatticeModel& m) { m.regions[0].cells.functions.back() = 1000000; });
    expect("do not ascend",
           [](LatticeModel& m) { std::swap(m.regions[0].cells.functions[0], m.regions[0].cells.functions[1]); });
    expect("sum 1", [](LatticeModel& m) { m.regions[0].blend[0] += 0.5; });
    expect("not symmetric", [](LatticeModel& m) { m.regions[1].shared.stiffness.coeffRef(0, 1) += 1e5; });
    expect("wrong size", [](LatticeModel& m) { m.regions[1].shared.mass.conservativeResize(3, 3); });
    expect("drawn vertices", [](LatticeModel& m) { m.surfacePoints.first.pop_back(); });
    expect("no functions or no regions", [](LatticeModel& m) { m.regions.clear(); });
    expect("not finite", [](LatticeModel& m) { m.rest(0, 0) = std::numeric_limits<double>::infinity(); });
}

/// The section's own bytes spoilt under right checksums: refused, or read as something that steps.
TEST_F(LatticeFile, HostileSectionsAreRefusedOrHarmless) {
    const SectionBytes good = encodeLattice(*s_lattice);
    std::mt19937 random(3);
    int refused = 0;
    for (int round = 0; round < 300; ++round) {
        SectionBytes spoilt = good;
        for (int k = 0; k < 3; ++k)
            spoilt.bytes[random() % spoilt.bytes.size()] ^= static_cast<std::uint8_t>(1u << random() % 8);
        if (round % 10 == 0) spoilt.bytes.resize(random() % spoilt.bytes.size());
        const std::string path = m_folder.file("c.pliant");
        writeContainer(path, {spoilt});
        try {
            LatticeModel read;
            read.skeleton = s_lattice->skeleton;
            decodeLattice(ModelContainer(path), s_lattice->surfacePoints.count(), read);
            checkLattice(read, path);
            const auto model = std::make_shared<LatticeModel>(read);
            LatticeBatch batch(model, {});
            batch.add(bent(model->skeleton, 0.1));
            batch.step(0.01, {0}, Vector3::Zero(), Workers(1));
            Points points;
            batch.surface(0, points);
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("section 'lattice'"));
            ++refused;
        }
    }
    EXPECT_GT(refused, 30);
}

TEST_F(LatticeFile, OneFlippedByteIsFound) {
    std::ifstream in(m_path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    bytes[bytes.size() - bytes.size() / 8] ^= 1;
    const std::string path = m_folder.file("d.pliant");
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_THROW(loadLattice(path), Error);
}

TEST_F(LatticeFile, LatticesAreWrittenForParaViewAndReadBack) {
    const VolumeMesh mesh = barMesh(0.1);
    ControlLattice lattice = barLattice(mesh);
    const auto model = barLatticeModel(0.1);
    // .vtu files that are read hold tetrahedra: the bar's cubes, six each.
    const ControlLattice made = [&] {
        ControlLattice cut;
        cut.positions = lattice.positions;
        for (const ControlCell& cell : lattice.cells)
            for (const auto& t : {std::array<int, 4>{0, 1, 2, 6},
                                  {0, 2, 3, 6},
                                  {0, 3, 7, 6},
                                  {0, 7, 4, 6},
                                  {0, 4, 5, 6},
                                  {0, 5, 1, 6}}) {
                ControlCell& piece = cut.cells.emplace_back();
                for (std::size_t k = 0; k < 4; ++k) piece.corners[k] = cell.corners[static_cast<std::size_t>(t[k])];
            }
        return cut;
    }();
    const std::string path = m_folder.file("bar.vtu");
    writeControlLattice(made, *model, path);
    const ControlLattice read = readControlLattice(path);
    EXPECT_TRUE(read.positions == made.positions);
    ASSERT_EQ(read.cells.size(), made.cells.size());
    for (std::size_t c = 0; c < made.cells.size(); ++c) EXPECT_EQ(read.cells[c].corners, made.cells[c].corners);
}

}  // namespace
}  // namespace pliant::test
