// SPDX-License-Identifier: Zlib
#include "pliant/fem/ElementBending.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pliant/mesh/ElementShape.h"

namespace pliant {
namespace {

constexpr std::size_t mostPoints = 27;

/// A strain vector (xx, yy, zz, yz, xz, xy), or one for each column, at every point of a brick.
template <int Columns>
using PointStrains = std::array<Eigen::Matrix<double, 6, Columns, Eigen::ColMajor | Eigen::DontAlign>, mostPoints>;
/// A symmetric tensor at every point of a brick.
using PointTensors = std::array<Matrix3, mostPoints>;

using StrainVector = PointStrains<1>::value_type;

/// The symmetric tensor of a strain vector, whose shears are engineering ones.
Matrix3 tensorOf(const StrainVector& e) {
    Matrix3 E;
    E << e[0], 0.5 * e[5], 0.5 * e[4], 0.5 * e[5], e[1], 0.5 * e[3], 0.5 * e[4], 0.5 * e[3], e[2];
    return E;
}

/// Places of the Gauss points along an axis of a brick, in units of their root mean square.
double placeOf(std::size_t count, std::size_t point, int axis) {
    const std::size_t perAxis = count == 8 ? 2 : 3, stride = axis == 0 ? 1 : axis == 1 ? perAxis : perAxis * perAxis;
    const double step = perAxis == 2 ? 1.0 : std::sqrt(1.8);
    return step * (static_cast<double>(point / stride % perAxis) * (perAxis == 2 ? 2.0 : 1.0) - 1.0);
}

/// The weight, over that of a point, with which the value there adds to the one at the brick's middle in the plane
/// across an axis, for functions that are linear along both axes of the plane.
double samplingAt(std::size_t count, std::size_t point, int across, const Vector3& middle) {
    double weight = 1.0;
    for (int axis = 0; axis < 3; ++axis)
        if (axis != across) weight *= 1.0 + middle[axis] * placeOf(count, point, axis);
    return weight;
}

/// Which way a map of strains is taken: as it is, or its transpose in the inner product of the filled box, which is
/// for stresses.
enum class Map { OfStrain, OfStress };

/// Shears of a cut brick are those at its middle in the plane of their two axes.
template <int Columns>
void sampleShears(const std::vector<ElementPoint>& points, const BrickBending& bending, Map map,
                  PointStrains<Columns>& E) {
    using Row =
        Eigen::Matrix<double, 1, Columns, (Columns == 1 ? Eigen::ColMajor : Eigen::RowMajor) | Eigen::DontAlign>;
    const std::size_t count = points.size(), perAxis = count == 8 ? 2 : 3;
    for (int across = 0; across < 3; ++across) {
        const std::size_t stride = across == 0 ? 1 : across == 1 ? perAxis : perAxis * perAxis;
        std::array<Row, 3> value;
        std::array<double, 3> volume{};
        value.fill(Row::Zero());
        for (std::size_t p = 0; p < count; ++p) {
            const double sampling = map == Map::OfStrain ? samplingAt(count, p, across, bending.middle) : 1.0;
            const std::size_t layer = p / stride % perAxis;
            value[layer] += points[p].weight * sampling * E[p].row(3 + across);
            volume[layer] += points[p].weight;
        }
        for (std::size_t p = 0; p < count; ++p) {
            const double sampling = map == Map::OfStress ? samplingAt(count, p, across, bending.middle) : 1.0;
            const std::size_t layer = p / stride % perAxis;
            E[p].row(3 + across) = sampling / volume[layer] * value[layer];
        }
    }
}

/// What L keeps of a strain that varies linearly along an axis.
template <typename Strain>
Strain keptSlope(const BrickBending& bending, int axis, const Strain& slope) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    Strain kept = Strain::Zero();
    const auto lost = (0.5 * (1.0 - bending.planeTrace()) * (slope.row(a) + slope.row(b))).eval();
    kept.row(a) = bending.fill[axis] * (slope.row(a) - lost);
    kept.row(b) = bending.fill[axis] * (slope.row(b) - lost);
    kept.row(3 + axis) = bending.fill[axis] * slope.row(3 + axis);
    return kept;
}

/// E <- L E, where the shears of cut bricks are sampled already.
template <int Columns>
void keepSlopes(const std::vector<ElementPoint>& points, const BrickBending& bending, PointStrains<Columns>& E) {
    using Strain = typename PointStrains<Columns>::value_type;
    double volume = 0.0;
    for (const ElementPoint& point : points) volume += point.weight;
    const double root = std::sqrt(bending.rest);
    Strain mean = Strain::Zero();
    std::array<Strain, 3> slope;
    for (std::size_t p = 0; p < points.size(); ++p) mean += points[p].weight / volume * E[p];
    for (int axis = 0; axis < 3; ++axis) {
        Strain sum = Strain::Zero();
        for (std::size_t p = 0; p < points.size(); ++p)
            sum += points[p].weight / volume * placeOf(points.size(), p, axis) * E[p];
        slope[static_cast<std::size_t>(axis)] = keptSlope(bending, axis, sum) - root * sum;
    }
    for (std::size_t p = 0; p < points.size(); ++p) {
        E[p] = root * E[p] + (1.0 - root) * mean;
        for (int axis = 0; axis < 3; ++axis)
            E[p] += placeOf(points.size(), p, axis) * slope[static_cast<std::size_t>(axis)];
    }
}

/// E <- L E, or E <- L' E.
template <int Columns>
void assume(const std::vector<ElementPoint>& points, const BrickBending& bending, Map map, PointStrains<Columns>& E) {
    if (bending.isCut && map == Map::OfStrain) sampleShears<Columns>(points, bending, map, E);
    keepSlopes<Columns>(points, bending, E);
    if (bending.isCut && map == Map::OfStress) sampleShears<Columns>(points, bending, map, E);
}

/// The directions of a brick's sides, as columns; exactly 1 of an axis-aligned one.
Matrix3 axesOf(const std::vector<ElementPoint>& points) {
    const ShapeGradients& G = points.front().gradients;
    Matrix3 axes = Matrix3::Zero();
    for (std::size_t c = 0; c < 8; ++c)
        for (int k = 0; k < 3; ++k)
            if (brickCornerBit[c][static_cast<std::size_t>(k)] == 1)
                axes.col(k) += G.row(static_cast<Eigen::Index>(c)).transpose();
    axes.colwise().normalize();
    return axes.isIdentity(1e-9) ? Matrix3(Matrix3::Identity()) : axes;
}

/// L E or L' E of a symmetric tensor at every point; shears do not meet normal strains in L, so that engineering ones
/// serve.
void assume(const std::vector<ElementPoint>& points, const BrickBending& bending, Map map, PointTensors& E) {
    const Matrix3 axes = axesOf(points);
    const bool turned = !axes.isIdentity(0.0);
    PointStrains<1> strains;
    for (std::size_t p = 0; p < points.size(); ++p)
        strains[p] = strainVector(turned ? Matrix3(axes.transpose() * E[p] * axes) : E[p]);
    assume<1>(points, bending, map, strains);
    for (std::size_t p = 0; p < points.size(); ++p) {
        E[p] = tensorOf(strains[p]);
        if (turned) E[p] = axes * E[p] * axes.transpose();
    }
}

/// What makes the strain vector in `axes` of one in those of the mesh.
Matrix6 turnedStrain(const Matrix3& axes) {
    Matrix6 T;
    for (Eigen::Index c = 0; c < 6; ++c) {
        const StrainVector unit = StrainVector::Unit(c);
        T.col(c) = strainVector(axes.transpose() * tensorOf(unit) * axes);
    }
    return T;
}

/// L E of the strain vectors of a brick in the axes of the mesh.
void assumeRows(const std::vector<ElementPoint>& points, const BrickBending& bending, PointStrains<24>& rows) {
    const Matrix3 axes = axesOf(points);
    if (axes.isIdentity(0.0)) return assume<24>(points, bending, Map::OfStrain, rows);
    const Matrix6 there = turnedStrain(axes), back = turnedStrain(axes.transpose());
    for (std::size_t p = 0; p < points.size(); ++p) rows[p] = (there * rows[p]).eval();
    assume<24>(points, bending, Map::OfStrain, rows);
    for (std::size_t p = 0; p < points.size(); ++p) rows[p] = (back * rows[p]).eval();
}

/// S = L' C L E for the strain E at every point, which becomes L E.
PointTensors stresses(const std::vector<ElementPoint>& points, const ElasticLaw& law, const BrickBending& bending,
                      PointTensors& E) {
    assume(points, bending, Map::OfStrain, E);
    PointTensors S;
    for (std::size_t p = 0; p < points.size(); ++p) S[p] = stressOf(law, E[p]);
    assume(points, bending, Map::OfStress, S);
    return S;
}

/// Green strain at every point.
PointTensors greenStrains(const std::vector<ElementPoint>& points, const CornerVectors& corners) {
    PointTensors E;
    for (std::size_t p = 0; p < points.size(); ++p) E[p] = greenStrain(corners * points[p].gradients);
    return E;
}

/// Derivative of the strain vector with respect to the corners' displacements, 6 x 3c; order xx, yy, zz, yz, xz, xy.
using BrickStrainRows = PointStrains<24>::value_type;
BrickStrainRows strainRows(const ShapeGradients& G, const Matrix3& A) {
    const Matrix3 Ft = (Matrix3::Identity() + A).transpose();
    BrickStrainRows B;
    for (Eigen::Index a = 0; a < G.rows(); ++a) {
        const Vector3 g = G.row(a).transpose();
        for (int i = 0; i < 3; ++i) B.block<1, 3>(i, 3 * a) = g[i] * Ft.row(i);
        B.block<1, 3>(3, 3 * a) = g[2] * Ft.row(1) + g[1] * Ft.row(2);
        B.block<1, 3>(4, 3 * a) = g[2] * Ft.row(0) + g[0] * Ft.row(2);
        B.block<1, 3>(5, 3 * a) = g[1] * Ft.row(0) + g[0] * Ft.row(1);
    }
    return B;
}

}  // namespace

double bentEnergy(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                  const BrickBending& bending) {
    PointTensors E = greenStrains(points, corners);
    assume(points, bending, Map::OfStrain, E);
    double energy = 0.0;
    for (std::size_t p = 0; p < points.size(); ++p)
        energy += 0.5 * points[p].weight * E[p].cwiseProduct(stressOf(law, E[p])).sum();
    return energy;
}

CornerVectors bentForce(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                        const BrickBending& bending) {
    PointTensors E = greenStrains(points, corners);
    const PointTensors S = stresses(points, law, bending, E);
    CornerVectors force = CornerVectors::Zero(3, corners.cols());
    for (std::size_t p = 0; p < points.size(); ++p) {
        const Matrix3 A = corners * points[p].gradients;
        const Matrix3 P = points[p].weight * (S[p] + A * S[p]);
        force.noalias() += P.lazyProduct(points[p].gradients.transpose());
    }
    return force;
}

void bentStiffness(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                   const BrickBending& bending, ElementMatrix& stiffness) {
    const Eigen::Index count = corners.cols();
    PointTensors E = greenStrains(points, corners);
    const PointTensors S = stresses(points, law, bending, E);
    stiffness.setZero(3 * count, 3 * count);
    PointStrains<24> rows;
    for (std::size_t p = 0; p < points.size(); ++p) {
        const ElementPoint& point = points[p];
        rows[p] = strainRows(point.gradients, corners * point.gradients);
        for (Eigen::Index b = 0; b < count; ++b) {
            const Vector3 Sg = point.weight * S[p] * point.gradients.row(b).transpose();
            for (Eigen::Index a = 0; a < count; ++a)
                stiffness.block<3, 3>(3 * a, 3 * b).diagonal().array() += point.gradients.row(a).dot(Sg);
        }
    }
    assumeRows(points, bending, rows);
    for (std::size_t p = 0; p < points.size(); ++p) {
        const BrickStrainRows CB = points[p].weight * law.stiffness.lazyProduct(rows[p]);
        stiffness += rows[p].transpose().lazyProduct(CB);
    }
    for (Eigen::Index column = 0; column < stiffness.cols(); ++column)  // same bits on both sides of the diagonal
        for (Eigen::Index row = 0; row < column; ++row) stiffness(column, row) = stiffness(row, column);
}

BentGradient bentGradient(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                          const BrickBending& bending) {
    BentGradient result;
    PointTensors E;
    for (std::size_t p = 0; p < points.size(); ++p) {
        result.gradient[p] = corners * points[p].gradients;
        E[p] = 0.5 * (result.gradient[p] + result.gradient[p].transpose());
    }
    const PointTensors S = stresses(points, law, bending, E);
    std::copy_n(S.begin(), points.size(), result.stress.begin());
    return result;
}

CornerVectors bentHessianProduct(const std::vector<ElementPoint>& points, const ElasticLaw& law, const BentGradient& a,
                                 const BentGradient& b, const BrickBending& bending) {
    PointTensors E;  // the quadratic strain
    for (std::size_t p = 0; p < points.size(); ++p) {
        const Matrix3 C = a.gradient[p].transpose() * b.gradient[p];
        E[p] = 0.5 * (C + C.transpose());
    }
    const PointTensors S = stresses(points, law, bending, E);
    CornerVectors product = CornerVectors::Zero(3, points.front().gradients.rows());
    for (std::size_t p = 0; p < points.size(); ++p) {
        const Matrix3 P = points[p].weight * (a.gradient[p] * b.stress[p] + b.gradient[p] * a.stress[p] + S[p]);
        product.noalias() += P.lazyProduct(points[p].gradients.transpose());
    }
    return product;
}

CornerVectors bentHessianProduct(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& a,
                                 const CornerVectors& b, const BrickBending& bending) {
    return bentHessianProduct(points, law, bentGradient(points, law, a, bending), bentGradient(points, law, b, bending),
                              bending);
}

}  // namespace pliant
