// SPDX-License-Identifier: Zlib
// The sections of a solid's contact surface: every bit comes back, and nothing impossible is let in.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "SampleModel.h"
#include "pliant/math/Error.h"
#include "pliant/model/EncodeModel.h"
#include "pliant/model/ModelContainer.h"
#include "pliant/model/ModelFingerprint.h"
#include "pliant/model/TruncateModel.h"

namespace pliant {
namespace {

/// The sample model with spheres 0, 2 and 3 as surface points, and a lattice of two cells in a box of four.
ReducedModel solidModel() {
    ReducedModel model = test::sampleModel();
    for (const int i : {0, 2, 3}) model.skeleton.radii[i] = 0.0f;
    PointShell& shell = model.contactSurface.shell;
    shell.normals.resize(3, 4);
    shell.normals << 1.0f, 0.0f, 0.0f, 0.6f, 0.0f, 0.0f, -1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.8f;
    shell.capRadii.resize(4);
    shell.capRadii << 0.5f, 0.0f, 0.0f, 0.25f;
    shell.capAngles.resize(4);
    shell.capAngles << static_cast<float>(std::acos(0.0)), 0.0f, 0.0f, 0.125f;
    shell.areas.resize(4);
    shell.areas << 0.1f, 0.0f, 0.2f, 0.3f;
    model.contactSurface.thickness = 0.0625;
    ContactLattice& lattice = model.contactSurface.lattice;
    lattice.origin = Vector3(-1.0, 2.0, 0.5);
    lattice.spacing = 0.25;
    lattice.cells = Eigen::Vector3i(4, 1, 1);
    lattice.cellNumbers = {0, 0, 1, 1};
    lattice.cellPlaces.resize(3, 2);
    lattice.cellPlaces << 1, 2, 0, 0, 0, 0;
    lattice.cellVertices.resize(8, 2);
    lattice.cellVertices << 0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11;
    lattice.basis.resize(36, 3);
    for (Eigen::Index i = 0; i < lattice.basis.size(); ++i) lattice.basis.data()[i] = 0.01f * static_cast<float>(i);
    DenseShell& touch = model.contactSurface.touch;
    touch.positions.resize(3, 2);
    touch.positions << -0.7f, -0.4f, 2.1f, 2.2f, 0.6f, 0.7f;
    touch.areas.resize(3, 2);
    touch.areas << 0.1f, -0.1f, 0.2f, -0.2f, 0.0f, 0.0f;
    touch.levels = 1;
    return model;
}

bool hasSection(const std::string& path, const std::string& name) {
    for (const ModelSection& section : listSections(path))
        if (section.name == name) return true;
    return false;
}

// States of one model are not those of another that touches elsewhere.
TEST(ContactSurfaceFile, CountsInTheFingerprint) {
    const ReducedModel model = solidModel();
    const std::uint64_t original = fingerprint(model);
    EXPECT_EQ(fingerprint(solidModel()), original);
    ReducedModel changed = model;
    changed.contactSurface.shell.normals(0, 0) = -1.0f;
    EXPECT_NE(fingerprint(changed), original);
    changed = model;
    changed.contactSurface.lattice.basis(1, 0) += 1.0f;
    EXPECT_NE(fingerprint(changed), original);
    changed = model;
    changed.contactSurface.touch.areas(2, 1) = 0.1f;
    EXPECT_NE(fingerprint(changed), original);
    changed = model;
    changed.contactSurface.field.corners = VectorXf::Ones(8);
    EXPECT_NE(fingerprint(changed), original);
}

TEST(ContactSurfaceFile, KeepsEveryBit) {
    const test::ScratchFolder folder;
    const ReducedModel saved = solidModel();
    saveModel(saved, folder.file("a.pliant"));
    const auto loaded = loadModel(folder.file("a.pliant"));
    const ContactSurface &a = saved.contactSurface, &b = loaded->contactSurface;
    EXPECT_EQ(a.shell.normals, b.shell.normals);
    EXPECT_EQ(a.shell.capRadii, b.shell.capRadii);
    EXPECT_EQ(a.shell.capAngles, b.shell.capAngles);
    EXPECT_EQ(a.shell.areas, b.shell.areas);
    EXPECT_EQ(a.thickness, b.thickness);
    EXPECT_EQ(a.lattice.origin, b.lattice.origin);
    EXPECT_EQ(a.lattice.spacing, b.lattice.spacing);
    EXPECT_EQ(a.lattice.cells, b.lattice.cells);
    EXPECT_EQ(a.lattice.cellNumbers, b.lattice.cellNumbers);
    EXPECT_EQ(a.lattice.cellPlaces, b.lattice.cellPlaces);
    EXPECT_EQ(a.lattice.cellVertices, b.lattice.cellVertices);
    EXPECT_EQ(a.lattice.basis, b.lattice.basis);
    EXPECT_EQ(a.touch.positions, b.touch.positions);
    EXPECT_EQ(a.touch.areas, b.touch.areas);
    EXPECT_EQ(a.touch.levels, b.touch.levels);
    EXPECT_EQ(test::readBytes(folder.file("a.pliant"))[12], 2) << "the sample's materials alone raise the version";
}

TEST(ContactSurfaceFile, StrandsHaveNone) {
    const test::ScratchFolder folder;
    saveModel(test::sampleModel(), folder.file("a.pliant"));
    EXPECT_FALSE(hasSection(folder.file("a.pliant"), "shell"));
    EXPECT_FALSE(hasSection(folder.file("a.pliant"), "contact_lattice"));
    EXPECT_FALSE(hasSection(folder.file("a.pliant"), "touch_shell"));
    EXPECT_EQ(loadModel(folder.file("a.pliant"))->contactSurface.shell.count(), 0);
}

TEST(ContactSurfaceFile, LatticeIsTruncatedWithTheModel) {
    const auto model = truncated(solidModel(), 2);
    EXPECT_EQ(model->contactSurface.lattice.basis, solidModel().contactSurface.lattice.basis.leftCols(2));
}

struct Mistake {
    const char* message;
    std::function<void(ReducedModel&)> make;
};

const float nan = std::numeric_limits<float>::quiet_NaN();

const std::vector<Mistake> mistakes = {
    {"section 'skeleton': a radius", [](ReducedModel& m) { m.skeleton.radii[1] = 0.0f; }},
    {"section 'skeleton': a radius", [](ReducedModel& m) { m.skeleton.radii[0] = -0.1f; }},
    {"section 'shell'", [](ReducedModel& m) { m.contactSurface.shell.normals.setOnes(3, 5); }},
    {"section 'shell'", [](ReducedModel& m) { m.contactSurface.shell.capRadii.conservativeResize(3); }},
    {"section 'shell'", [](ReducedModel& m) { m.contactSurface.shell.areas[2] = nan; }},
    {"section 'shell': a normal is neither", [](ReducedModel& m) { m.contactSurface.shell.normals(0, 0) = 1.1f; }},
    {"section 'shell': a cap radius", [](ReducedModel& m) { m.contactSurface.shell.capRadii[0] = -1.0f; }},
    {"section 'shell': a cap angle", [](ReducedModel& m) { m.contactSurface.shell.capAngles[0] = 1.6f; }},
    {"section 'shell': a sphere that is no", [](ReducedModel& m) { m.contactSurface.shell.areas[1] = 0.1f; }},
    {"section 'shell': the thickness", [](ReducedModel& m) { m.contactSurface.thickness = -1.0; }},
    {"section 'contact_lattice': the spacing", [](ReducedModel& m) { m.contactSurface.lattice.spacing = 0.0; }},
    {"section 'contact_lattice': not one cell number",
     [](ReducedModel& m) { m.contactSurface.lattice.cells = Eigen::Vector3i(1 << 30, 1 << 30, 4); }},
    {"section 'contact_lattice': not one cell number",
     [](ReducedModel& m) { m.contactSurface.lattice.cells = Eigen::Vector3i(-2, -2, 1); }},
    {"section 'contact_lattice': a cell number", [](ReducedModel& m) { m.contactSurface.lattice.cellNumbers[0] = 2; }},
    {"section 'contact_lattice': a cell number", [](ReducedModel& m) { m.contactSurface.lattice.cellNumbers[3] = -1; }},
    {"section 'contact_lattice': a vertex", [](ReducedModel& m) { m.contactSurface.lattice.cellVertices(3, 1) = 12; }},
    {"section 'contact_lattice': a cell lies", [](ReducedModel& m) { m.contactSurface.lattice.cellPlaces(1, 0) = 1; }},
    {"section 'contact_lattice': a cell is not",
     [](ReducedModel& m) { m.contactSurface.lattice.cellPlaces.col(1) = m.contactSurface.lattice.cellPlaces.col(0); }},
    {"section 'contact_lattice'", [](ReducedModel& m) { m.contactSurface.lattice.basis.conservativeResize(35, 3); }},
    {"section 'contact_lattice'", [](ReducedModel& m) { m.contactSurface.lattice.basis(7, 1) = nan; }},
    {"section 'contact_lattice'", [](ReducedModel& m) { m.contactSurface.lattice.basis.resize(0, 3); }},
    {"section 'touch_shell': not one area", [](ReducedModel& m) { m.contactSurface.touch.areas.resize(3, 1); }},
    {"section 'touch_shell'", [](ReducedModel& m) { m.contactSurface.touch.areas(1, 1) = nan; }},
    {"section 'touch_shell': the number of levels", [](ReducedModel& m) { m.contactSurface.touch.levels = 9; }},
    {"section 'touch_shell': a point lies outside",
     [](ReducedModel& m) { m.contactSurface.touch.positions(0, 0) = 0.3f; }},
    {"section 'touch_shell': a point lies outside",  // in a cell of the box that a far cell of the lattice carries
     [](ReducedModel& m) {
         m.contactSurface.lattice.cellNumbers[0] = 1;
         m.contactSurface.touch.positions(0, 0) = -0.9f;
     }},
    {"section 'touch_shell': a number is too large",  // the sum is no float
     [](ReducedModel& m) { m.contactSurface.touch.areas.row(0).setConstant(3e38f); }},
    {"section 'touch_shell': the areas", [](ReducedModel& m) { m.contactSurface.touch.areas.row(0) << 1e29f, -1e29f; }},
};

TEST(ContactSurfaceFile, ContradictionsAreRefusedOnSavingAndLoading) {
    const test::ScratchFolder folder;
    for (const Mistake& mistake : mistakes) {
        ReducedModel model = solidModel();
        mistake.make(model);
        std::string message;
        try {
            saveModel(model, folder.file("a.pliant"));
        } catch (const Error& error) {
            message = error.what();
        }
        EXPECT_NE(message.find(mistake.message), std::string::npos) << mistake.message << " | " << message;

        writeContainer(folder.file("b.pliant"), encodeModel(model, folder.file("b.pliant")));
        const std::string loading = test::refusal(folder.file("b.pliant"));
        const std::string section = std::string(mistake.message).substr(0, std::string(mistake.message).find("':"));
        EXPECT_NE(loading.find(section), std::string::npos) << mistake.message << " | " << loading;
    }
}

// Whatever words of these sections a hostile file replaces, loading ends with an Error or with a model.
TEST(ContactSurfaceFile, HostileWordsWithRightChecksums) {
    const test::ScratchFolder folder;
    const std::string path = folder.file("a.pliant");
    std::vector<SectionBytes> sections = encodeModel(solidModel(), path);
    std::mt19937_64 engine(31);
    const std::uint32_t values[] = {0xffffffffu, 0x7fffffffu, 0x7ffffffcu, 0x10000u, 0u};
    int refused = 0, tried = 0;
    for (std::size_t s = 0; s < sections.size(); ++s) {
        if (sections[s].name != "shell" && sections[s].name != "contact_lattice" && sections[s].name != "touch_shell")
            continue;
        for (std::size_t word = 0; word + 4 <= sections[s].bytes.size(); word += 4) {
            std::vector<SectionBytes> damaged = sections;
            std::memcpy(damaged[s].bytes.data() + word, &values[engine() % 5], 4);
            writeContainer(path, damaged);
            const std::string message = test::refusal(path);
            ++tried;
            if (message.empty()) continue;
            ++refused;
            EXPECT_NE(message.find("section '"), std::string::npos) << message;
        }
    }
    EXPECT_GT(tried, 200);
    EXPECT_GT(refused, tried / 3);
}

}  // namespace
}  // namespace pliant
