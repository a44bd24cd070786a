// SPDX-License-Identifier: Zlib
// The full model under implicit Newmark against the reference data's dynamics, which other programs computed:
// displacement of the pushed vertex, strain and kinetic energy over 200 steps.
#include <nlohmann/json.hpp>

#include "ReferenceData.h"
#include "pliant/fem/FullNewmark.h"
#include "pliant/mesh/ReadVeg.h"

namespace pliant {
namespace {

using Json = nlohmann::json;

class Dynamics : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Meshes, Dynamics, ::testing::Values("bar", "arch", "grain"));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, Dynamics,
                         ::testing::ValuesIn(test::outsideNames({"beam3", "beam3_tet"}, "_dynamics.json")));

TEST_P(Dynamics, FullNewmark) {
    const std::string name = std::string("oracles/") + GetParam() + "_dynamics.json";
    const Json numbers = test::readReferenceJson(name);
    const Json& d = numbers["dynamics"];
    const FullModel model(readVeg(test::referencePath("meshes/" + numbers["mesh"].get<std::string>())));
    const std::vector<int> fixed =
        readBou(test::referencePath("meshes/" + numbers["fixed"].get<std::string>()), model.mesh().vertexCount());
    FullNewmarkOptions options;
    options.timeStep = d["dt"];
    options.beta = d["beta"];
    options.gamma = d["gamma"];
    options.stiffnessDamping = d["stiffness_damping"];
    FullNewmark motion(model, Restriction::ofVertices(model.mesh(), fixed), options);
    const int vertex = d["vertex"];
    VectorX push = VectorX::Zero(model.degreesOfFreedom());
    for (int i = 0; i < 3; ++i) push[3 * vertex + i] = d["force"][static_cast<std::size_t>(i)];
    int step = 0;
    for (const Json& sample : d["samples"]) {
        for (; step < sample["step"].get<int>(); ++step)
            motion.step(step < d["force_steps"].get<int>() ? push : VectorX(0.0 * push));
        const bool roundedCells = model.mesh().kind == ElementKind::Brick && !test::isOwnReference(name);
        const double tolerance = (roundedCells ? 2e-5 : test::isOwnReference(name) ? 1e-9 : 2e-6) * (1.0 + step / 50.0);
        const Vector3 u = motion.displacement().segment<3>(3 * vertex);
        const Vector3 expected(sample["u"][0], sample["u"][1], sample["u"][2]);
        EXPECT_LT((u - expected).norm(), tolerance * expected.norm()) << "step " << step;
        EXPECT_NEAR(motion.strainEnergy() / sample["strain_energy"].get<double>(), 1.0, 3.0 * tolerance);
        EXPECT_NEAR(motion.kineticEnergy() / sample["kinetic_energy"].get<double>(), 1.0, 3.0 * tolerance);
    }
    EXPECT_EQ(step, 200);
}

}  // namespace
}  // namespace pliant
