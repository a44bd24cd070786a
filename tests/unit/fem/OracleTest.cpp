// SPDX-License-Identifier: Zlib
// Every static full-model number of the reference data, which other programs computed (tests/reference/README.md has
// the fields).
#include <cmath>
#include <nlohmann/json.hpp>

#include "ReferenceData.h"
#include "pliant/fem/FullModel.h"
#include "pliant/mesh/ReadVeg.h"

namespace pliant {
namespace {

using Json = nlohmann::json;

struct Oracle {
    Json numbers;
    FullModel model;
    VectorX u, v;
    double tolerance;
};

template <typename Field>
VectorX vertexField(const VolumeMesh& mesh, const Field& field) {
    const double L = (mesh.positions.rowwise().maxCoeff() - mesh.positions.rowwise().minCoeff()).norm();
    VectorX x(3 * mesh.positions.cols());
    for (Eigen::Index i = 0; i < mesh.positions.cols(); ++i) x.segment<3>(3 * i) = field(mesh.positions.col(i) / L, L);
    return x;
}

Oracle readOracle(const std::string& name) {
    const Json numbers = test::readReferenceJson("oracles/" + name + ".json");
    FullModel model(readVeg(test::referencePath("meshes/" + numbers["mesh"].get<std::string>())));
    const VectorX u = vertexField(model.mesh(), [](const Vector3& p, double L) {
        return Vector3(0.05 * L *
                       Vector3(std::sin(2 * p.x() + 3 * p.y() + p.z() + 0.5),
                               std::sin(p.x() - 2 * p.y() + 4 * p.z() + 1.0),
                               std::sin(2 * p.x() + p.y() - 3 * p.z() + 1.5)));
    });
    const VectorX v = vertexField(model.mesh(), [](const Vector3& p, double) {
        return Vector3(std::cos(2 * p.y() + p.x()), std::cos(5 * p.z() - p.x()), std::cos(3 * p.x() + 2 * p.y()));
    });
    const double others = model.mesh().kind == ElementKind::Brick ? 3e-7 : 1e-9;
    const double tolerance = test::isOwnReference("oracles/" + name + ".json") ? 1e-12 : others;
    return {numbers, std::move(model), u, v, tolerance};
}

void expectRelative(double value, const Json& expected, double tolerance, const char* what) {
    EXPECT_NEAR(value / expected.get<double>(), 1.0, tolerance) << what;
}

void expectAtSamples(const Oracle& oracle, const VectorX& field, const char* what) {
    const double scale = field.cwiseAbs().maxCoeff();
    for (std::size_t s = 0; s < oracle.numbers["sample_vertices"].size(); ++s) {
        const int vertex = oracle.numbers["sample_vertices"][s];
        for (int i = 0; i < 3; ++i)
            EXPECT_NEAR(field[3 * vertex + i], oracle.numbers[what][s][static_cast<std::size_t>(i)].get<double>(),
                        oracle.tolerance * scale)
                << what << " of vertex " << vertex;
    }
}

class Oracles : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Meshes, Oracles, ::testing::Values("bar", "arch", "grain"));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, Oracles,
                         ::testing::ValuesIn(test::outsideNames({"beam3", "beam3_tet", "simpleBridge_voxel",
                                                                 "simpleBridge_tet"})));

TEST_P(Oracles, EnergyForceStiffnessAndMass) {
    const Oracle o = readOracle(GetParam());
    EXPECT_EQ(o.model.mesh().vertexCount(), o.numbers["vertices"].get<int>());
    EXPECT_EQ(o.model.mesh().elementCount(), o.numbers["elements"].get<int>());
    const VectorX f = o.model.internalForce(o.u);
    const VectorX Kv = o.model.stiffness(o.u) * o.v;
    expectRelative(o.model.totalMass(), o.numbers["total_mass"], o.tolerance, "total mass");
    expectRelative(o.model.energy(o.u), o.numbers["energy_u"], o.tolerance, "energy");
    expectRelative(f.norm(), o.numbers["norm_f_u"], o.tolerance, "|f|");
    expectRelative(o.v.dot(Kv), o.numbers["v_K_u_v"], o.tolerance, "v'Kv");
    expectRelative(o.v.dot(o.model.massMatrix() * o.v), o.numbers["v_M_v"], o.tolerance, "v'Mv");
    expectAtSamples(o, f, "f_u");
    expectAtSamples(o, Kv, "K_u_v");
}

TEST_P(Oracles, ProjectedForceAndStiffness) {
    const Oracle o = readOracle(GetParam());
    MatrixX U(o.u.size(), 6);
    VectorX q(6), force(6);
    MatrixX stiffness(6, 6);
    for (int j = 0; j < 6; ++j) {
        U.col(j) = vertexField(o.model.mesh(), [j](const Vector3& p, double) {
            return Vector3(std::sin((j + 1) * p.y() + p.x() + 0.1 * j), std::cos((j + 2) * p.z() - p.x()),
                           std::sin((j + 1) * p.x() + 2 * p.y() + 0.2 * j));
        });
        const std::size_t row = static_cast<std::size_t>(j);
        q[j] = o.numbers["reduced_q"][row];
        force[j] = o.numbers["reduced_force_q"][row];
        for (int i = 0; i < 6; ++i)
            stiffness(j, i) = o.numbers["reduced_stiffness_q"][row * 6 + static_cast<std::size_t>(i)];
    }
    const VectorX R = U.transpose() * o.model.internalForce(U * q);
    const MatrixX K = U.transpose() * (o.model.stiffness(U * q) * U);
    EXPECT_LT((R - force).norm(), o.tolerance * force.norm());
    EXPECT_LT((K - stiffness).norm(), o.tolerance * stiffness.norm());
}

}  // namespace
}  // namespace pliant
