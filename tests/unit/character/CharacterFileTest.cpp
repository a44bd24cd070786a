// SPDX-License-Identifier: Zlib
// A character's file: everything comes back, and hostile files are refused in one sentence.
#include <cstring>
#include <random>

#include "../model/SampleModel.h"
#include "BarCharacter.h"
#include "pliant/math/Error.h"
#include "pliant/model/ModelContainer.h"

namespace pliant::test {
namespace {

Clip bend() {
    Clip clip;
    clip.name = "bend";
    clip.end = 1.0;
    MatrixX turns(4, 3);
    for (int k = 0; k < 3; ++k)
        turns.col(k) = Rotation(Eigen::AngleAxisd(k == 1 ? 0.7 : 0.0, Vector3::UnitY())).coeffs();
    clip.motions = {{1, {}, smoothTrack({0.0, 0.5, 1.0}, turns, true), stepTrack({0.0}, MatrixX::Ones(1, 1))}};
    return clip;
}

class CharacterFile : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        const VolumeMesh mesh = barMesh(0.1);
        Rig rig = barRig(mesh);
        rig.clips = {bend()};
        CharacterOptions options = barOptions();
        options.modes = 6;
        options.dimension = 8;
        options.base = RestShape::Skin;
        s_character = makeCharacter(rig, mesh, options, "bar");
    }
    static void TearDownTestSuite() { s_character.reset(); }
    void SetUp() override {
        m_path = m_folder.file("a.pliant");
        saveCharacter(*s_character, m_path);
    }

    std::string refusalOf(const CharacterModel& character) {
        try {
            saveCharacter(character, m_folder.file("b.pliant"));
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    ScratchFolder m_folder;
    std::string m_path;
    static std::shared_ptr<const CharacterModel> s_character;
};

std::shared_ptr<const CharacterModel> CharacterFile::s_character;

void expectEqual(const SkinWeights& a, const SkinWeights& b) {
    EXPECT_TRUE(a.bones == b.bones && a.weights == b.weights);
}

TEST_F(CharacterFile, EverythingComesBack) {
    const auto loaded = loadCharacter(m_path);
    const CharacterModel &a = *s_character, &b = *loaded;
    ASSERT_EQ(b.skeleton.boneCount(), 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const Bone &one = a.skeleton.bones[i], &other = b.skeleton.bones[i];
        EXPECT_EQ(one.name, other.name);
        EXPECT_EQ(one.parent, other.parent);
        EXPECT_TRUE(one.bind.rotation.coeffs() == other.bind.rotation.coeffs());
        EXPECT_TRUE(one.bind.translation == other.bind.translation);
        EXPECT_TRUE(one.stance.translation == other.stance.translation);
        EXPECT_TRUE(one.ends == other.ends);
    }
    EXPECT_TRUE(a.coreRadii == b.coreRadii);
    EXPECT_EQ(b.base, RestShape::Skin);
    EXPECT_TRUE(b.linear);
    expectEqual(a.skin.vertices, b.skin.vertices);
    expectEqual(a.skin.spheres, b.skin.spheres);
    expectEqual(a.skin.nodes, b.skin.nodes);
    EXPECT_EQ(a.skin.segmentNodes.bones, b.skin.segmentNodes.bones);
    EXPECT_EQ(a.skin.triangleNodes.first, b.skin.triangleNodes.first);
    EXPECT_TRUE(a.forcing.pairs == b.forcing.pairs);
    EXPECT_TRUE(a.forcing.inertia == b.forcing.inertia && a.forcing.pose == b.forcing.pose);
    EXPECT_TRUE(a.flesh->basis == b.flesh->basis);
    ASSERT_EQ(b.clips.size(), 1u);
    const BoneMotion &one = a.clips[0].motions[0], &other = b.clips[0].motions[0];
    EXPECT_EQ(b.clips[0].name, "bend");
    EXPECT_TRUE(other.translation.times.empty());
    EXPECT_EQ(one.rotation.times, other.rotation.times);
    EXPECT_TRUE(one.rotation.values == other.rotation.values && one.rotation.arrivals == other.rotation.arrivals);
    EXPECT_TRUE(other.scale.steps);
}

TEST_F(CharacterFile, HasVersionThreeAndIsAModelToo) {
    EXPECT_EQ(readBytes(m_path)[12], 3);
    EXPECT_TRUE(isCharacterFile(m_path));
    EXPECT_EQ(loadModel(m_path)->dimension(), s_character->flesh->dimension());
    saveModel(*s_character->flesh, m_path);
    EXPECT_FALSE(isCharacterFile(m_path));
    EXPECT_EQ(readBytes(m_path)[12], 1);
    EXPECT_THAT([&] { loadCharacter(m_path); },
                ::testing::ThrowsMessage<Error>(::testing::AllOf(::testing::HasSubstr("a.pliant"),
                                                                 ::testing::HasSubstr("the model has no bones"))));
}

TEST_F(CharacterFile, WhatIsNotConsistentIsRefused) {
    const auto expect = [&](const std::string& reason, const auto& spoil) {
        CharacterModel spoilt = *s_character;
        spoil(spoilt);
        EXPECT_THAT(refusalOf(spoilt), ::testing::HasSubstr(reason));
    };
    expect("sum 1", [](CharacterModel& c) { c.skin.nodes.weights(0, 5) += 0.01; });
    expect("negative", [](CharacterModel& c) { c.skin.vertices.weights.col(0) << 1.5, -0.5, 0, 0; });
    expect("a bone is out of range", [](CharacterModel& c) { c.skin.spheres.bones(0, 0) = 2; });
    expect("a bone of a pair", [](CharacterModel& c) { c.forcing.pairs(1, 0) = -1; });
    expect("twice", [](CharacterModel& c) { c.forcing.pairs.col(1) = c.forcing.pairs.col(0); });
    expect("A has a wrong size", [](CharacterModel& c) { c.forcing.inertia.conservativeResize(8, 3); });
    expect("not finite", [](CharacterModel& c) { c.forcing.pose(0, 0) = std::nan(""); });
    expect("cover", [](CharacterModel& c) { c.skin.triangleNodes.bones.push_back(0); });
    expect("does not come before", [](CharacterModel& c) { c.skeleton.bones[0].parent = 1; });
    expect("moves bone 7", [](CharacterModel& c) { c.clips[0].motions[0].bone = 7; });
    expect("core radius", [](CharacterModel& c) { c.coreRadii[0] = -1.0; });
    EXPECT_EQ(refusalOf(*s_character), "");
}

// As of models: whatever word of a section is another, loading ends with an Error or a character.
TEST_F(CharacterFile, HostileWordsWithRightChecksums) {
    std::vector<SectionBytes> sections;
    {
        const ModelContainer container(m_path);
        for (const SectionView& view : container.sections())
            sections.push_back({view.name, {view.data, view.data + view.size}});
    }
    ASSERT_EQ(sections[sections.size() - 4].name, "rig");
    std::mt19937_64 engine(20);
    const std::uint32_t values[] = {0xffffffffu, 0x7fffffffu, 0x7ff80000u, 0x10000u, 0u};
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
        std::vector<SectionBytes> damaged = sections;
        std::vector<std::uint8_t>& bytes = damaged[sections.size() - 1 - engine() % 4].bytes;
        const std::size_t word = 4 * (engine() % std::min<std::size_t>(bytes.size() / 4, 400));
        std::memcpy(bytes.data() + word, &values[engine() % 5], 4);
        writeContainer(m_path, damaged);
        try {
            loadCharacter(m_path);
        } catch (const Error& error) {
            ++refused;
            EXPECT_NE(std::string(error.what()).find("a.pliant"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("section '"), std::string::npos) << error.what();
        }
    }
    EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace pliant::test
