// SPDX-License-Identifier: Zlib
// Files with right checksums whose parts are named many times over, and names that a terminal would obey.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "SampleModel.h"
#include "pliant/math/Error.h"
#include "pliant/math/PrintableText.h"
#include "pliant/model/EncodeModel.h"
#include "pliant/model/ModelContainer.h"
#include "pliant/model/SectionWriter.h"

namespace {

using namespace pliant;
using flatbuffers::FlatBufferBuilder;

/// The sample with one of its sections replaced.
std::string refusalWith(const SectionBytes& replacement) {
    const test::ScratchFolder folder;
    const std::string path = folder.file("a.pliant");
    std::vector<SectionBytes> sections = encodeModel(test::sampleModel(), path);
    for (SectionBytes& section : sections)
        if (section.name == replacement.name) section = replacement;
    writeContainer(path, sections);
    return test::refusal(path);
}

constexpr std::size_t kLong = 100000, kOften = 20000;  // 2 GB if each were read

TEST(HostileModel, ManyMaterialsOfOneLongName) {
    const ReducedModel m = test::sampleModel();
    FlatBufferBuilder builder;
    const auto name = builder.CreateString(std::string(kLong, 'x'));
    const auto white = put(builder, Vector3(Vector3::Ones()));
    const auto material = schema::CreateSurfaceMaterial(builder, name, white, white, 1.0, 1.0, name);
    const auto materials = builder.CreateVector(std::vector(kOften, material));
    const auto positions = put(builder, m.surface.positions), normals = put(builder, m.surface.normals),
               texcoords = put(builder, m.surface.texcoords);
    const auto colours = put(builder, m.surface.colours);
    const auto triangles = put(builder, m.surface.triangles), ofTriangle = put(builder, m.surface.triangleMaterial);
    const SectionBytes section = finish(
        builder, "surface",
        schema::CreateSurface(builder, positions, normals, texcoords, colours, triangles, ofTriangle, materials));
    ASSERT_LT(section.bytes.size(), kLong + 8 * kOften);
    EXPECT_NE(refusalWith(section).find("section 'surface': names the same part many times"), std::string::npos)
        << refusalWith(section);
}

TEST(HostileModel, ManyMaterialsOfOneTableWithoutAName) {
    const ReducedModel m = test::sampleModel();
    FlatBufferBuilder builder;
    const auto material = schema::CreateElasticMaterial(builder, 0, 900.0, 1e6, 0.3);
    const auto materials = builder.CreateVector(std::vector(std::size_t{500000}, material));
    const auto positions = put(builder, m.mesh.positions);
    const auto elements = put(builder, m.mesh.elements), ofElement = put(builder, m.mesh.elementMaterial),
               fixed = put(builder, m.fixedVertices);
    const SectionBytes section = finish(builder, "mesh",
                                        schema::CreateMesh(builder, schema::ElementKind::Tetrahedron, positions,
                                                           elements, ofElement, materials, fixed));
    EXPECT_NE(refusalWith(section).find("section 'mesh': names the same part many times"), std::string::npos);
}

TEST(HostileModel, ManyPartsOfOnePolynomial) {
    const ReducedModel m = test::sampleModel();
    FlatBufferBuilder builder;
    const StrainEnergyPolynomial& part = m.materialGroups[0].energy[0];
    const auto linear = put(builder, part.linearStiffness), cubic = put(builder, part.cubic),
               quartic = put(builder, part.quartic);
    const auto energy = schema::CreateEnergy(builder, linear, cubic, quartic);
    const auto energies = builder.CreateVector(std::vector(std::size_t{200000}, energy));
    const SectionBytes section =
        finish(builder, "material_group_0", schema::CreateMaterialGroup(builder, energies, 0.001));
    EXPECT_NE(refusalWith(section).find("section 'material_group_0': names the same part many times"),
              std::string::npos);
}

TEST(HostileModel, APipeIsNotWaitedFor) {
    const test::ScratchFolder folder;
    ASSERT_EQ(::mkfifo(folder.file("a.pliant").c_str(), 0600), 0);
    EXPECT_NE(test::refusal(folder.file("a.pliant")).find("is not a plain file"), std::string::npos);
}

TEST(HostileModel, NamesHaveNothingThatATerminalObeys) {
    ReducedModel model = test::sampleModel();
    model.name = "red\x1b[31m\r\nba\xc2\x9bsket \xc3\xa4\x7f";
    model.mesh.materials[0].name = "so\x1b]0;ft";
    const test::ScratchFolder folder;
    saveModel(model, folder.file("a.pliant"));
    const auto loaded = loadModel(folder.file("a.pliant"));
    EXPECT_EQ(loaded->name, "red?[31m??ba?sket \xc3\xa4?");
    EXPECT_EQ(loaded->mesh.materials[0].name, "so?]0;ft");
    EXPECT_EQ(printable("plain, \xe2\x82\xac and 100 %"), "plain, \xe2\x82\xac and 100 %");
}

}  // namespace
