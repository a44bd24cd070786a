// SPDX-License-Identifier: Zlib
#include "pliant/exchange/VegaFiles.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "pliant/math/Error.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {
namespace {

constexpr std::int32_t maxCubDimension = 200;

MatrixX readNumbers(ByteReader& in, std::int32_t rows, std::int32_t columns, bool single) {
    MatrixX matrix(rows, columns);
    const auto count = static_cast<std::size_t>(matrix.size());
    if (!single) {
        in.take(matrix.data(), count, "the matrix");
        return matrix;
    }
    std::vector<float> values(count);
    in.take(values.data(), count, "the matrix");
    for (std::size_t i = 0; i < count; ++i) matrix.data()[i] = static_cast<double>(values[i]);
    return matrix;
}

void requireFinite(const double* values, std::size_t count, const std::string& path) {
    for (std::size_t i = 0; i < count; ++i)
        if (!std::isfinite(values[i])) throw Error(path, "number " + std::to_string(i) + " is not finite");
}

}  // namespace

MatrixX readVegaMatrix(const std::string& path) {
    const std::string bytes = readBytes(path);
    ByteReader in(bytes, path);
    const auto rows = in.take<std::int32_t>("the number of rows");
    const auto columns = in.take<std::int32_t>("the number of columns");
    if (rows < 1 || columns < 1)
        throw Error(path, "a matrix of " + std::to_string(rows) + " x " + std::to_string(columns) + " numbers",
                    "is it a file of this format?");
    const std::uint64_t count = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
    const bool single = in.remaining() == count * sizeof(float);
    if (!single && in.remaining() != count * sizeof(double))
        throw Error(path,
                    std::to_string(in.remaining()) + " bytes after the header, but " + std::to_string(rows) + " x " +
                        std::to_string(columns) + " numbers take " + std::to_string(count * sizeof(double)) +
                        " (double) or " + std::to_string(count * sizeof(float)) + " (single precision)",
                    "copy it again");
    MatrixX matrix = readNumbers(in, rows, columns, single);
    requireFinite(matrix.data(), static_cast<std::size_t>(matrix.size()), path);
    return matrix;
}

void writeVegaMatrix(const MatrixX& matrix, const std::string& path) {
    ByteWriter out;
    out.put(static_cast<std::int32_t>(matrix.rows()));
    out.put(static_cast<std::int32_t>(matrix.cols()));
    out.put(matrix.data(), static_cast<std::size_t>(matrix.size()));
    writeTextFile(path, out.bytes());
}

void writeVegaMatrixFloat(const MatrixX& matrix, const std::string& path) {
    ByteWriter out;
    out.put(static_cast<std::int32_t>(matrix.rows()));
    out.put(static_cast<std::int32_t>(matrix.cols()));
    for (Eigen::Index i = 0; i < matrix.size(); ++i) out.put(static_cast<float>(matrix.data()[i]));
    writeTextFile(path, out.bytes());
}

namespace {

/// Monomials of degree 2 or 3 as the file orders them, found by their indices in any order.
class MonomialRanks {
public:
    explicit MonomialRanks(std::size_t r) : m_r(r), m_triple(r * r * r) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < r; ++i)
            for (std::size_t j = i; j < r; ++j)
                for (std::size_t k = j; k < r; ++k) m_triple[(i * r + j) * r + k] = next++;
    }
    /// i <= j
    std::size_t pair(std::size_t i, std::size_t j) const { return pairIndex(m_r, i, j); }
    /// i <= j <= k
    std::size_t triple(std::size_t i, std::size_t j, std::size_t k) const { return m_triple[(i * m_r + j) * m_r + k]; }

private:
    std::size_t m_r;
    std::vector<std::size_t> m_triple;
};

/// Visits, for each monomial of the energy and each of its distinct indices, the force's coefficient: calls
/// visit(energy coefficient's number, force coefficient's number, power of the index).
template <typename Visit>
void forEachCubic(const MonomialRanks& ranks, std::size_t r, const Visit& visit) {
    const std::size_t Q = StrainEnergyPolynomial::pairCount(r);
    std::size_t number = 0;
    for (std::size_t i = 0; i < r; ++i)
        for (std::size_t j = i; j < r; ++j)
            for (std::size_t k = j; k < r; ++k, ++number) {
                const std::size_t m[3] = {i, j, k};
                for (std::size_t o = 0; o < 3; ++o) {
                    if (o > 0 && m[o] == m[o - 1]) continue;
                    int power = 0;
                    for (const std::size_t index : m) power += index == m[o] ? 1 : 0;
                    const std::size_t a = o == 0 ? 1 : 0, b = o == 2 ? 1 : 2;
                    visit(number, m[o] * Q + ranks.pair(m[a], m[b]), power);
                }
            }
}

template <typename Visit>
void forEachQuartic(const MonomialRanks& ranks, std::size_t r, const Visit& visit) {
    const std::size_t C = StrainEnergyPolynomial::cubicCount(r);
    std::size_t number = 0;
    for (std::size_t i = 0; i < r; ++i)
        for (std::size_t j = i; j < r; ++j)
            for (std::size_t k = j; k < r; ++k)
                for (std::size_t l = k; l < r; ++l, ++number) {
                    const std::size_t m[4] = {i, j, k, l};
                    for (std::size_t o = 0; o < 4; ++o) {
                        if (o > 0 && m[o] == m[o - 1]) continue;
                        int power = 0;
                        std::size_t rest[3], count = 0;
                        for (std::size_t n = 0; n < 4; ++n) {
                            power += m[n] == m[o] ? 1 : 0;
                            if (n != o) rest[count++] = m[n];
                        }
                        visit(number, m[o] * C + ranks.triple(rest[0], rest[1], rest[2]), power);
                    }
                }
}

/// Force coefficients to those of the energy: sum over the distinct indices of a monomial of degree d is d times its
/// energy coefficient. Keeps how far the components disagree.
class Integrator {
public:
    Integrator(const std::vector<double>& force, VectorX& energy, int degree)
        : m_force(force), m_energy(energy), m_degree(degree) {
        energy.setZero();
    }
    void operator()(std::size_t monomial, std::size_t coefficient, int) const {
        m_energy[static_cast<Eigen::Index>(monomial)] += m_force[coefficient] / m_degree;
    }

private:
    const std::vector<double>& m_force;
    VectorX& m_energy;
    int m_degree;
};

/// Largest difference between what the force says and what the energy's derivative is, and the largest coefficient.
struct Mismatch {
    double difference = 0.0, largest = 0.0;
    void add(double force, double derivative) {
        difference = std::max(difference, std::abs(force - derivative));
        largest = std::max(largest, std::abs(force));
    }
};

void requireConservative(const Mismatch& mismatch, const char* part, const std::string& path) {
    if (mismatch.difference <= 1e-6 * mismatch.largest) return;
    throw Error(path,
                std::string("the ") + part + " force is no derivative of an energy: its components disagree by " +
                    numberText(mismatch.difference) + ", the largest coefficient is " + numberText(mismatch.largest),
                "is it a .cub of a St.Venant-Kirchhoff body?");
}

struct CubFile {
    std::size_t r = 0;
    std::vector<double> linear, quadratic, cubic;
};

CubFile readCubFile(const std::string& path) {
    const std::string bytes = readBytes(path);
    ByteReader in(bytes, path);
    std::int32_t header[4];
    in.take(header, 4, "its header");
    CubFile file;
    if (header[0] < 1 || header[0] > maxCubDimension)
        throw Error(path, "dimension r = " + std::to_string(header[0]),
                    "a .cub of 1 to " + std::to_string(maxCubDimension) + " dimensions is read");
    file.r = static_cast<std::size_t>(header[0]);
    const std::size_t expected[3] = {file.r, StrainEnergyPolynomial::pairCount(file.r),
                                     StrainEnergyPolynomial::cubicCount(file.r)};
    for (int d = 0; d < 3; ++d)
        if (header[d + 1] < 0 || static_cast<std::size_t>(header[d + 1]) != expected[d])
            throw Error(path,
                        "r = " + std::to_string(file.r) + " has " + std::to_string(expected[d]) +
                            " monomials of degree " + std::to_string(d + 1) + ", the file names " +
                            std::to_string(header[d + 1]),
                        "is it a file of this format?");
    std::vector<double>* const parts[3] = {&file.linear, &file.quadratic, &file.cubic};
    for (int d = 0; d < 3; ++d) {
        if (in.remaining() / sizeof(double) < file.r * expected[d])
            throw Error(path, "the file ends before the terms of degree " + std::to_string(d + 1), "copy it again");
        parts[d]->resize(file.r * expected[d]);
        in.take(parts[d]->data(), parts[d]->size(), "the terms of degree " + std::to_string(d + 1));
        requireFinite(parts[d]->data(), parts[d]->size(), path);
    }
    in.expectEnd();
    return file;
}

}  // namespace

StrainEnergyPolynomial readCub(const std::string& path) {
    const CubFile file = readCubFile(path);
    const std::size_t r = file.r;
    const auto rows = static_cast<Eigen::Index>(r);
    StrainEnergyPolynomial energy;
    const Eigen::Map<const MatrixX> linear(file.linear.data(), rows, rows);
    energy.linearStiffness = 0.5 * (linear + linear.transpose());
    Mismatch mismatch;
    for (Eigen::Index i = 0; i < linear.size(); ++i) mismatch.add(linear.data()[i], energy.linearStiffness.data()[i]);
    requireConservative(mismatch, "linear", path);

    const MonomialRanks ranks(r);
    energy.cubic.resize(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(r)));
    forEachCubic(ranks, r, Integrator(file.quadratic, energy.cubic, 3));
    mismatch = {};
    forEachCubic(ranks, r, [&](std::size_t monomial, std::size_t coefficient, int power) {
        mismatch.add(file.quadratic[coefficient], power * energy.cubic[static_cast<Eigen::Index>(monomial)]);
    });
    requireConservative(mismatch, "quadratic", path);

    energy.quartic.resize(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(r)));
    forEachQuartic(ranks, r, Integrator(file.cubic, energy.quartic, 4));
    mismatch = {};
    forEachQuartic(ranks, r, [&](std::size_t monomial, std::size_t coefficient, int power) {
        mismatch.add(file.cubic[coefficient], power * energy.quartic[static_cast<Eigen::Index>(monomial)]);
    });
    requireConservative(mismatch, "cubic", path);
    return energy;
}

void writeCub(const StrainEnergyPolynomial& energy, const std::string& path) {
    const auto r = static_cast<std::size_t>(energy.dimension());
    const std::size_t Q = StrainEnergyPolynomial::pairCount(r), C = StrainEnergyPolynomial::cubicCount(r);
    std::vector<double> quadratic(r * Q), cubic(r * C);
    const MonomialRanks ranks(r);
    forEachCubic(ranks, r, [&](std::size_t monomial, std::size_t coefficient, int power) {
        quadratic[coefficient] = power * energy.cubic[static_cast<Eigen::Index>(monomial)];
    });
    forEachQuartic(ranks, r, [&](std::size_t monomial, std::size_t coefficient, int power) {
        cubic[coefficient] = power * energy.quartic[static_cast<Eigen::Index>(monomial)];
    });
    ByteWriter out;
    for (const std::size_t count : {r, r, Q, C}) out.put(static_cast<std::int32_t>(count));
    out.put(energy.linearStiffness.data(), r * r);
    out.put(quadratic.data(), quadratic.size());
    out.put(cubic.data(), cubic.size());
    writeTextFile(path, out.bytes());
}

}  // namespace pliant
