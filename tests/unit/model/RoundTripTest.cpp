// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "SampleModel.h"
#include "pliant/math/Error.h"
#include "pliant/model/EncodeModel.h"
#include "unit/mesh/SampleMeshes.h"

namespace {

using namespace pliant;
using test::ScratchFolder;
namespace fs = std::filesystem;

TEST(ModelFile, KeepsEveryBit) {
    const ScratchFolder folder;
    const ReducedModel saved = test::sampleModel();
    saveModel(saved, folder.file("a.pliant"));
    const auto loaded = loadModel(folder.file("a.pliant"));
    // Encoding covers every field (the checks below look at some of them), so equal encodings are equal models.
    const auto before = encodeModel(saved, folder.file("a.pliant"));
    const auto after = encodeModel(*loaded, folder.file("a.pliant"));
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].bytes, after[i].bytes) << before[i].name;

    EXPECT_EQ(loaded->name, "sample");
    EXPECT_EQ(loaded->provenance.options, saved.provenance.options);
    EXPECT_EQ(loaded->anchored, true);
    EXPECT_EQ(loaded->fixedVertices, saved.fixedVertices);
    EXPECT_EQ(loaded->meshFromBody.rotation, saved.meshFromBody.rotation);
    EXPECT_EQ(loaded->mesh.elements, saved.mesh.elements);
    EXPECT_EQ(loaded->mesh.materials[1].youngsModulus, 3e7);
    for (std::size_t m = 0; m < 4; ++m) {
        EXPECT_EQ(loaded->mesh.materials[m].law, saved.mesh.materials[m].law);
        EXPECT_EQ(stiffnessMatrix(loaded->mesh.materials[m]), stiffnessMatrix(saved.mesh.materials[m]));
    }
    EXPECT_EQ(loaded->materialGroups[1].energy[1].quartic, saved.materialGroups[1].energy[1].quartic);
    EXPECT_EQ(loaded->materialGroups[3].mass.second[7], saved.materialGroups[3].mass.second[7]);
    EXPECT_EQ(loaded->damping.gram, saved.damping.gram);
    EXPECT_EQ(loaded->basis, saved.basis);
    EXPECT_EQ(loaded->energy.quartic, saved.energy.quartic);
    EXPECT_EQ(loaded->inertia.coriolis[5], saved.inertia.coriolis[5]);
    EXPECT_EQ(loaded->inertia.second[7], saved.inertia.second[7]);
    EXPECT_EQ(loaded->surface.colours, saved.surface.colours);
    EXPECT_EQ(loaded->surfaceNormalBasis, saved.surfaceNormalBasis);
    EXPECT_EQ(loaded->surfaceEmbedding[5].weight, saved.surfaceEmbedding[5].weight);
    EXPECT_EQ(loaded->skeleton.segments, saved.skeleton.segments);
    EXPECT_EQ(loaded->skeletonTree.nodes[1].firstChild, 3);
    EXPECT_EQ(loaded->triangleTree.radiusCoefficients, saved.triangleTree.radiusCoefficients);
    EXPECT_EQ(loaded->triangleTree.items, saved.triangleTree.items);
}

// A whole file takes the place of the old one by its name, and so would it that of a device, such as /dev/null for
// root.
TEST(ModelFile, PipesAndDevicesAreNotReplaced) {
    const ScratchFolder folder;
    const std::string pipe = folder.file("pipe.pliant");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THROW(saveModel(test::sampleModel(), pipe), Error);
    EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(ModelFile, ListsItsSections) {
    const ScratchFolder folder;
    saveModel(test::sampleModel(), folder.file("a.pliant"));
    std::vector<std::string> names;
    for (const ModelSection& section : listSections(folder.file("a.pliant"))) {
        names.push_back(section.name);
        EXPECT_GT(section.bytes, 0u);
    }
    const std::vector<std::string> expected = {"about",
                                               "mesh",
                                               "basis",
                                               "energy",
                                               "inertia",
                                               "surface",
                                               "surface_basis",
                                               "skeleton",
                                               "skeleton_tree",
                                               "triangle_tree",
                                               "material_group_0",
                                               "material_group_1",
                                               "material_group_2",
                                               "material_group_3",
                                               "damping"};
    EXPECT_EQ(names, expected);
}

// A version 1 reader passes over the groups, but would take an orthotropic material for an isotropic one.
TEST(ModelFile, VersionRisesOnlyForWhatOldReadersMisread) {
    const ScratchFolder folder;
    ReducedModel model = test::sampleModel();
    saveModel(model, folder.file("a.pliant"));
    EXPECT_EQ(test::readBytes(folder.file("a.pliant"))[12], 2);
    model.mesh.materials.resize(2);
    model.materialGroups.clear();
    saveModel(model, folder.file("a.pliant"));
    EXPECT_EQ(test::readBytes(folder.file("a.pliant"))[12], 1);
    EXPECT_TRUE(loadModel(folder.file("a.pliant"))->materialGroups.empty());
    // An older reader takes bricks at an angle for ones with other sides.
    model.mesh = test::brickBlock(2, 1, 1);
    EXPECT_EQ(neededVersion(model), 1u);
    Matrix3 Q;
    Q << 0.6, -0.8, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 1.0;
    model.mesh.positions = (Q * model.mesh.positions).eval();
    EXPECT_EQ(neededVersion(model), 4u);
    // And bricks with material in a part of them for whole ones.
    model.mesh.filledBoxes = FilledBoxes::Zero(6, model.mesh.elementCount());
    model.mesh.filledBoxes.bottomRows<3>().setConstant(0.5);
    EXPECT_EQ(neededVersion(model), 5u);
}

TEST(ModelFile, SurfaceMayLackColoursAndTexcoords) {
    const ScratchFolder folder;
    ReducedModel model = test::sampleModel();
    model.surface.colours.resize(4, 0);
    model.surface.texcoords.resize(2, 0);
    saveModel(model, folder.file("a.pliant"));
    EXPECT_EQ(loadModel(folder.file("a.pliant"))->surface.texcoords.cols(), 0);
}

TEST(ModelFile, TextureMovesWithTheFolder) {
    const ScratchFolder folder;
    fs::create_directories(folder.file("here/textures"));
    ReducedModel model = test::sampleModel();
    model.surface.materials[0].diffuseTexture = folder.file("here/textures/straw.png");
    saveModel(model, folder.file("here/a.pliant"));
    fs::rename(folder.file("here"), folder.file("there"));
    const auto loaded = loadModel(folder.file("there/a.pliant"));
    EXPECT_EQ(loaded->surface.materials[0].diffuseTexture, folder.file("there/textures/straw.png"));
    EXPECT_EQ(loaded->surface.materials[1].diffuseTexture, "");
}

TEST(ModelFile, PicturesInsideOfOtherFilesAreWrittenBesideTheModel) {
    const ScratchFolder folder;
    ReducedModel model = test::sampleModel();
    const auto picture = std::make_shared<EmbeddedImage>(EmbeddedImage{std::string("a\0picture", 9), "png"});
    model.surface.materials.resize(3, model.surface.materials[0]);
    model.surface.materials[0].embeddedTexture = model.surface.materials[2].embeddedTexture = picture;
    model.surface.materials[1].embeddedTexture = std::make_shared<EmbeddedImage>(EmbeddedImage{"another", "jpg"});
    saveModel(model, folder.file("a.pliant"));
    const auto loaded = loadModel(folder.file("a.pliant"));
    const auto& materials = loaded->surface.materials;
    EXPECT_EQ(materials[0].diffuseTexture, folder.file("a_texture_1.png"));
    EXPECT_EQ(materials[1].diffuseTexture, folder.file("a_texture_2.jpg"));
    EXPECT_EQ(materials[2].diffuseTexture, materials[0].diffuseTexture);
    EXPECT_EQ(materials[0].embeddedTexture, nullptr);
    std::ifstream file(folder.file("a_texture_1.png"), std::ios::binary);
    EXPECT_EQ(std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()), picture->bytes);
}

TEST(ModelFile, FailedWriteLeavesNothing) {
    const ScratchFolder folder;
    EXPECT_THROW(saveModel(test::sampleModel(), folder.file("missing/a.pliant")), Error);
    test::writeBytes(folder.file("plain"), "x");
    EXPECT_THROW(saveModel(test::sampleModel(), folder.file("plain/a.pliant")), Error);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

// A limit on file sizes stands in for a full disk: write() fails half way.
TEST(ModelFile, FullDiskLeavesTheOldFile) {
    const ScratchFolder folder;
    test::writeBytes(folder.file("a.pliant"), "old");
    const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 2000;
    setrlimit(RLIMIT_FSIZE, &small);
    std::string message;
    try {
        saveModel(test::sampleModel(), folder.file("a.pliant"));
    } catch (const Error& error) {
        message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, oldHandler);
    EXPECT_NE(message.find("a.pliant: cannot be written"), std::string::npos) << message;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
    EXPECT_EQ(test::readBytes(folder.file("a.pliant")), "old");
}

}  // namespace
