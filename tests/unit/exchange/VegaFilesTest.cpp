// SPDX-License-Identifier: Zlib
// Vega's .cub and matrices: what the bytes mean, and which files are refused.
#include "../mesh/TemporaryFolder.h"
#include "pliant/exchange/VegaFiles.h"
#include "pliant/mesh/BinaryFile.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::TemporaryFolder;
using testing::HasSubstr;

/// A polynomial without any structure, r = 5.
StrainEnergyPolynomial anyPolynomial() {
    std::srand(7);
    StrainEnergyPolynomial energy;
    const MatrixX A = MatrixX::Random(5, 5);
    energy.linearStiffness = A * A.transpose();
    energy.cubic = VectorX::Random(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(5)));
    energy.quartic = VectorX::Random(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(5)));
    return energy;
}

/// Force of a .cub by its definition alone: component o is the sum over monomials, each once, i <= j <= k.
VectorX forceOfFile(const std::string& path, const VectorX& q) {
    const std::string bytes = readBytes(path);
    ByteReader in(bytes, path);
    std::int32_t header[4];
    in.take(header, 4, "header");
    const auto r = static_cast<std::size_t>(header[0]);
    std::vector<double> linear(r * r), quadratic(r * static_cast<std::size_t>(header[2])),
        cubic(r * static_cast<std::size_t>(header[3]));
    for (auto* part : {&linear, &quadratic, &cubic}) in.take(part->data(), part->size(), "part");
    in.expectEnd();
    VectorX force = VectorX::Zero(header[0]);
    std::size_t l = 0, s = 0, c = 0;
    for (Eigen::Index o = 0; o < force.size(); ++o) {
        for (Eigen::Index i = 0; i < q.size(); ++i) force[o] += linear[l++] * q[i];
        for (Eigen::Index i = 0; i < q.size(); ++i)
            for (Eigen::Index j = i; j < q.size(); ++j) force[o] += quadratic[s++] * q[i] * q[j];
        for (Eigen::Index i = 0; i < q.size(); ++i)
            for (Eigen::Index j = i; j < q.size(); ++j)
                for (Eigen::Index k = j; k < q.size(); ++k) force[o] += cubic[c++] * q[i] * q[j] * q[k];
    }
    return force;
}

TEST(VegaFiles, CubHoldsTheForceOfTheEnergy) {
    const TemporaryFolder folder;
    const StrainEnergyPolynomial energy = anyPolynomial();
    const std::string path = folder.path("a.cub");
    writeCub(energy, path);
    const VectorX q = VectorX::LinSpaced(5, -0.7, 1.1);
    const VectorX force = energy.force(q);
    EXPECT_LT((forceOfFile(path, q) - force).norm(), 1e-14 * force.norm());

    const StrainEnergyPolynomial again = readCub(path);
    EXPECT_LT((again.linearStiffness - energy.linearStiffness).norm(), 1e-15);
    EXPECT_LT((again.cubic - energy.cubic).norm(), 1e-15 * energy.cubic.norm());
    EXPECT_LT((again.quartic - energy.quartic).norm(), 1e-15 * energy.quartic.norm());
}

TEST(VegaFiles, CubRefusals) {
    const TemporaryFolder folder;
    const std::string path = folder.path("a.cub");
    writeCub(anyPolynomial(), path);
    const std::string good = readBytes(path);
    const auto problem = [&](const std::string& bytes) {
        return errorOf([&] { readCub(folder.write("b.cub", bytes)); });
    };
    for (std::size_t size = 0; size < good.size(); size += 131)
        EXPECT_THAT(problem(good.substr(0, size)), HasSubstr("b.cub: the file ends before")) << size;
    EXPECT_THAT(problem(good + "12345678"), HasSubstr("8 bytes too many"));
    std::string other = good;
    other[8] = 16;
    EXPECT_THAT(problem(other), HasSubstr("r = 5 has 15 monomials of degree 2, the file names 16"));
    other = good;
    other[0] = 0;
    EXPECT_THAT(problem(other), HasSubstr("dimension r = 0"));
    other = good;  // one quadratic coefficient of the first component alone
    const double wrong = 100.0;
    std::memcpy(&other[16 + 8 * (25 + 1)], &wrong, sizeof wrong);
    EXPECT_THAT(problem(other), HasSubstr("the quadratic force is no derivative of an energy"));
}

TEST(VegaFiles, MatricesOfBothPrecisions) {
    const TemporaryFolder folder;
    const MatrixX U = MatrixX::Random(12, 3);
    writeVegaMatrix(U, folder.path("a.U"));
    EXPECT_EQ(readVegaMatrix(folder.path("a.U")), U);
    writeVegaMatrixFloat(U, folder.path("a.URendering.float"));
    EXPECT_EQ(readVegaMatrix(folder.path("a.URendering.float")), MatrixX(U.cast<float>().cast<double>()));
    EXPECT_EQ(readBytes(folder.path("a.U")).size(), 8U + 8U * 36U);
    const std::string good = readBytes(folder.path("a.U"));
    EXPECT_THAT(errorOf([&] { readVegaMatrix(folder.write("b.U", good.substr(0, 100))); }),
                HasSubstr("92 bytes after the header, but 12 x 3 numbers take 288 (double) or 144"));
    EXPECT_THAT(errorOf([&] { readVegaMatrix(folder.write("b.U", std::string(8, '\0'))); }),
                HasSubstr("a matrix of 0 x 0 numbers"));
}

}  // namespace
