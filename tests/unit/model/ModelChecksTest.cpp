// SPDX-License-Identifier: Zlib
// Models that contradict themselves are refused on saving and, should a file hold one, on loading.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "SampleModel.h"
#include "pliant/math/Error.h"
#include "pliant/model/EncodeModel.h"
#include "pliant/model/ModelContainer.h"

namespace {

using namespace pliant;

struct Mistake {
    const char* message;
    std::function<void(ReducedModel&)> make;
};

const double nan = std::numeric_limits<double>::quiet_NaN();

const std::vector<Mistake> mistakes = {
    {"section 'about': the frame's rotation", [](ReducedModel& m) { m.meshFromBody.rotation *= 1.01; }},
    {"section 'about': anchored", [](ReducedModel& m) { m.anchored = false; }},
    {"section 'mesh': a vertex number", [](ReducedModel& m) { m.mesh.elements(2, 1) = 5; }},
    {"section 'mesh': a vertex number", [](ReducedModel& m) { m.mesh.elements(2, 1) = -1; }},
    {"section 'mesh': the positions has a number that is not finite|section 'mesh': a number is not finite",
     [](ReducedModel& m) { m.mesh.positions(1, 1) = nan; }},
    {"section 'mesh': not one material", [](ReducedModel& m) { m.mesh.elementMaterial.pop_back(); }},
    {"section 'mesh': a material is out of range", [](ReducedModel& m) { m.mesh.elementMaterial[0] = 4; }},
    {"section 'mesh': a material is impossible", [](ReducedModel& m) { m.mesh.materials[0].poissonRatio = 0.5; }},
    {"section 'mesh': a material is impossible", [](ReducedModel& m) { m.mesh.materials[2].orthotropic.axes *= 1.01; }},
    {"section 'mesh': a material is impossible", [](ReducedModel& m) { m.mesh.materials[3].stiffness(0, 0) = -1.0; }},
    {"section 'mesh': a fixed vertex", [](ReducedModel& m) { m.fixedVertices[1] = 5; }},
    {"section 'mesh': the fixed vertices are not", [](ReducedModel& m) { m.fixedVertices[1] = 0; }},
    {"section 'basis'", [](ReducedModel& m) { m.basis(3, 1) = std::numeric_limits<double>::infinity(); }},
    {"section 'basis'", [](ReducedModel& m) { m.restEigenvalues.conservativeResize(2); }},
    {"section 'energy'", [](ReducedModel& m) { m.energy.quartic.conservativeResize(14); }},
    {"section 'mesh': element 0: degenerate",
     [](ReducedModel& m) { m.mesh.positions.col(3) = m.mesh.positions.col(2); }},
    {"section 'mesh': element 0: inverted",
     [](ReducedModel& m) { std::swap(m.mesh.elements(0, 0), m.mesh.elements(1, 0)); }},
    {"section 'mesh': a number is too large", [](ReducedModel& m) { m.mesh.positions(1, 1) = 1e300; }},
    {"section 'basis': a number is too large", [](ReducedModel& m) { m.basis(3, 1) = 1e300; }},
    {"section 'energy': a number is too large", [](ReducedModel& m) { m.energy.cubic[3] = 1e300; }},
    {"section 'energy': a number is too large", [](ReducedModel& m) { m.energy.quartic[3] = -1e300; }},
    {"section 'energy': K0 is not symmetric", [](ReducedModel& m) { m.energy.linearStiffness(0, 1) *= 1.001; }},
    {"section 'energy': K0 is indefinite",
     [](ReducedModel& m) { m.energy.linearStiffness(1, 1) = -m.energy.linearStiffness(1, 1); }},
    {"section 'inertia': a number is not finite, or larger than the mass allows",
     [](ReducedModel& m) { m.inertia.second[2](1, 1) = 1e300; }},
    {"section 'inertia': a number is not finite, or larger than the mass allows",
     [](ReducedModel& m) { m.inertia.first[1](1, 1) = 1e6; }},
    {"section 'skeleton': a number is too large", [](ReducedModel& m) { m.skeleton.restCentres(1, 1) = 1e20f; }},
    {"section 'inertia': the mass", [](ReducedModel& m) { m.inertia.mass = 0.0; }},
    {"section 'inertia'", [](ReducedModel& m) { m.inertia.coriolis[2].x() = nan; }},
    {"section 'material_group_3': not one group", [](ReducedModel& m) { m.materialGroups.pop_back(); }},
    {"section 'material_group_1': the number of energy parts",
     [](ReducedModel& m) { m.materialGroups[1].energy.pop_back(); }},
    {"section 'material_group_2': an energy part",
     [](ReducedModel& m) { m.materialGroups[2].energy[0].cubic[3] = nan; }},
    {"section 'material_group_2': a mass integral", [](ReducedModel& m) { m.materialGroups[2].mass.volume = nan; }},
    {"section 'material_group_0': a mass integral", [](ReducedModel& m) { m.materialGroups[0].mass.first.pop_back(); }},
    {"section 'material_group_0': the parts of the materials do not add up to the energy",
     [](ReducedModel& m) { m.materialGroups[1].energy[1].quartic *= 2.0; }},
    {"section 'material_group_0': the parts of the materials do not add up to the mass",
     [](ReducedModel& m) { m.materialGroups[1].mass.volume *= 2.0; }},
    {"section 'damping'", [](ReducedModel& m) { m.damping.gram.conservativeResize(9, 8); }},
    {"section 'surface': a vertex number", [](ReducedModel& m) { m.surface.triangles(0, 0) = 6; }},
    {"section 'surface': a material", [](ReducedModel& m) { m.surface.triangleMaterial[0] = 2; }},
    {"section 'surface_basis': a simulation", [](ReducedModel& m) { m.surfaceEmbedding[1].vertex[7] = 5; }},
    {"section 'surface_basis': an element", [](ReducedModel& m) { m.surfaceEmbedding[1].element = -1; }},
    {"section 'surface_basis': weights", [](ReducedModel& m) { m.surfaceEmbedding[1].weight[0] += 0.1; }},
    {"section 'skeleton': a radius", [](ReducedModel& m) { m.skeleton.radii[1] = 0.0f; }},
    {"section 'skeleton': a sphere", [](ReducedModel& m) { m.skeleton.segments(1, 1) = 4; }},
    {"section 'skeleton_tree': children do not follow",
     [](ReducedModel& m) { m.skeletonTree.nodes[1].firstChild = 0; }},
    {"section 'skeleton_tree': children do not follow",
     [](ReducedModel& m) { m.skeletonTree.nodes[1].firstChild = 4; }},
    {"section 'skeleton_tree': children do not cover", [](ReducedModel& m) { m.skeletonTree.nodes[1].itemCount = 1; }},
    {"section 'skeleton_tree': children do not cover", [](ReducedModel& m) { m.skeletonTree.nodes[4].firstItem = 3; }},
    {"section 'skeleton_tree': children do not cover", [](ReducedModel& m) { m.skeletonTree.nodes[3].firstItem = 1; }},
    {"section 'skeleton_tree': the root", [](ReducedModel& m) { m.skeletonTree.nodes[0].itemCount = 2; }},
    {"section 'skeleton_tree': a node has no parent", [](ReducedModel& m) { m.skeletonTree.nodes[1].firstChild = -1; }},
    {"section 'triangle_tree': an item appears twice", [](ReducedModel& m) { m.triangleTree.items[0] = 1; }},
    {"section 'triangle_tree': an item is out", [](ReducedModel& m) { m.triangleTree.items[0] = 3; }},
    {"section 'triangle_tree': a radius", [](ReducedModel& m) { m.triangleTree.radiusCoefficients(1, 1) = -1.0f; }},
};

bool saysOneOf(const std::string& message, std::string alternatives) {
    alternatives += '|';
    for (std::size_t from = 0, to; (to = alternatives.find('|', from)) != std::string::npos; from = to + 1)
        if (message.find(alternatives.substr(from, to - from)) != std::string::npos) return true;
    return false;
}

TEST(ModelChecks, ContradictionsAreRefusedOnSavingAndLoading) {
    const test::ScratchFolder folder;
    for (const Mistake& mistake : mistakes) {
        ReducedModel model = test::sampleModel();
        mistake.make(model);
        std::string message;
        try {
            saveModel(model, folder.file("a.pliant"));
        } catch (const Error& error) {
            message = error.what();
        }
        EXPECT_TRUE(saysOneOf(message, mistake.message)) << mistake.message << " | " << message;

        writeContainer(folder.file("b.pliant"), encodeModel(model, folder.file("b.pliant")));
        const std::string loading = test::refusal(folder.file("b.pliant"));
        const std::string section = std::string(mistake.message).substr(0, std::string(mistake.message).find("':"));
        EXPECT_NE(loading.find(section), std::string::npos) << mistake.message << " | " << loading;
    }
}

}  // namespace
