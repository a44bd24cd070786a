// SPDX-License-Identifier: Zlib
#include "pliant/polynomial/StrainSamples.h"

#include <array>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/polynomial/GaussPoints.h"
#include "pliant/polynomial/PairProducts.h"

namespace pliant {
namespace {

constexpr int brickRows = 63;

/// Sides of an axis-aligned brick as the full model sees it: at any point, dN/dx summed over the corners of the far
/// face is 1 / side.
Vector3 brickSides(const ElementPoint& point) {
    Vector3 slope = Vector3::Zero();
    for (std::size_t c = 0; c < 8; ++c)
        for (int axis = 0; axis < 3; ++axis)
            if (brickCornerBit[c][static_cast<std::size_t>(axis)] == 1)
                slope[axis] += point.gradients(static_cast<Eigen::Index>(c), axis);
    return slope.cwiseInverse();
}

/// Lanes of a vector field in the axes of a brick instead of those of the mesh. @param field 3 * lane
void turnInto(const Matrix3& axes, Eigen::Index lane, Eigen::ArrayXd& field) {
    const Eigen::ArrayXd old = field;
    for (Eigen::Index k = 0; k < 3; ++k)
        field.segment(k * lane, lane) = axes(0, k) * old.segment(0, lane) + axes(1, k) * old.segment(lane, lane) +
                                        axes(2, k) * old.segment(2 * lane, lane);
}

/// Where a place t in [0, 1] of a filled box is in its brick.
double placeIn(const FilledBox& box, int axis, double t) {
    return box.isWhole() ? t : (1.0 - t) * box.lower[axis] + t * box.upper[axis];
}

/// Corner of a brick (VolumeMesh's order) from its sides on the three axes.
std::size_t cornerAt(int x, int y, int z) {
    std::size_t c = 0;
    while (c < 7 && (brickCornerBit[c][0] != x || brickCornerBit[c][1] != y || brickCornerBit[c][2] != z)) ++c;
    return c;
}

}  // namespace

// Three lanes of r numbers per vector field: [component][j], padded with zeros.
struct StrainSamples::Local {
    using Field = Eigen::ArrayXd;  // 3 * lane
    Eigen::Index lane, r;
    std::array<Field, 8> corner;               // u at the corners
    std::array<std::array<Field, 4>, 3> edge;  // d u / dX_axis along the four edges; first other axis fastest
    Field slope, other;

    SlopeLanes lanes(const Field& field) const { return {field.data(), static_cast<int>(lane)}; }
    auto component(const Field& field, int axis) const { return field.segment(axis * lane, r); }
    /// Bilinear between the edges of an axis, at (s, t) in [0, 1]^2 of the other two axes in their order.
    void slopeAt(int axis, double s, double t, Field& result) const {
        const auto& e = edge[static_cast<std::size_t>(axis)];
        result = ((1.0 - s) * (1.0 - t)) * e[0] + (s * (1.0 - t)) * e[1] + ((1.0 - s) * t) * e[2] + (s * t) * e[3];
    }
};

StrainSamples::StrainSamples(const VolumeMesh& mesh, const MatrixX& basis)
    : m_mesh(mesh), m_basis(basis), m_lane((basis.cols() + 7) / 8 * 8 + 8) {}

Eigen::Index StrainSamples::rowsPerElement() const {
    return m_mesh.kind == ElementKind::Brick ? brickRows : 6;
}

Eigen::Index StrainSamples::monomials() const {
    const Eigen::Index r = m_basis.cols();
    return r + r * (r + 1) / 2;
}

Eigen::Index StrainSamples::stride() const {
    return (monomials() + 7 + 7) / 8 * 8;
}

void StrainSamples::fill(int element, double* rows) const {
    Local local;
    local.lane = m_lane;
    local.r = m_basis.cols();
    for (int c = 0; c < m_mesh.cornersPerElement(); ++c) {
        Local::Field& field = local.corner[static_cast<std::size_t>(c)];
        field = Local::Field::Zero(3 * m_lane);
        const Eigen::Index vertex = 3 * Eigen::Index(m_mesh.elements(c, element));
        for (Eigen::Index j = 0; j < local.r; ++j)
            for (Eigen::Index k = 0; k < 3; ++k) field[k * m_lane + j] = m_basis(vertex + k, j);
    }
    if (m_mesh.kind == ElementKind::Brick)
        fillBrick(element, local, rows);
    else
        fillTetrahedron(element, local, rows);
}

void StrainSamples::fillTetrahedron(int element, Local& local, double* row) const {
    std::vector<ElementPoint> points;
    elementPoints(m_mesh, element, points);
    const double scale = std::sqrt(points[0].weight), normalScale = std::sqrt(2.0) * scale;
    const int r = static_cast<int>(local.r);
    std::array<Local::Field, 3> slopes;
    for (int axis = 0; axis < 3; ++axis) {
        Local::Field& slope = slopes[static_cast<std::size_t>(axis)];
        slope = Local::Field::Zero(3 * m_lane);
        for (Eigen::Index c = 0; c < 4; ++c)
            slope += points[0].gradients(c, axis) * local.corner[static_cast<std::size_t>(c)];
        Eigen::Map<Eigen::ArrayXd>(row, r) = normalScale * local.component(slope, axis);
        normalPairs(local.lanes(slope), r, normalScale, row + r);
        row += stride();
    }
    for (int third = 0; third < 3; ++third) {  // yz, xz, xy
        const int a = third == 0 ? 1 : 0, b = third == 2 ? 1 : 2;
        const Local::Field &alongA = slopes[static_cast<std::size_t>(a)], &alongB = slopes[static_cast<std::size_t>(b)];
        Eigen::Map<Eigen::ArrayXd>(row, r) = scale * (local.component(alongA, b) + local.component(alongB, a));
        shearPairs(local.lanes(alongA), local.lanes(alongB), r, scale, row + r);
        row += stride();
    }
}

void StrainSamples::fillBrick(int element, Local& local, double* row) const {
    std::vector<ElementPoint> points;
    elementPoints(m_mesh, element, points, GaussRule::Cubic);
    const BrickShape shape = fitBrick(elementCorners(m_mesh, element));
    const Vector3 sides = shape.turned ? shape.sides : brickSides(points[0]);
    if (shape.turned &&
        !m_mesh.materials[static_cast<std::size_t>(m_mesh.elementMaterial[static_cast<std::size_t>(element)])]
             .isotropic())
        throw Error("brick " + std::to_string(element),
                    "it is turned against the axes, and its material is not isotropic",
                    "turn the mesh with its material's axes, or use tetrahedra");
    if (shape.turned)
        for (Local::Field& field : local.corner) turnInto(shape.axes, m_lane, field);
    for (int axis = 0; axis < 3; ++axis)
        for (int e = 0; e < 4; ++e) {
            const int s = e % 2, t = e / 2;
            const auto corner = [&](int end) {
                return axis == 0 ? cornerAt(end, s, t) : axis == 1 ? cornerAt(s, end, t) : cornerAt(s, t, end);
            };
            local.edge[static_cast<std::size_t>(axis)][static_cast<std::size_t>(e)] =
                (local.corner[corner(1)] - local.corner[corner(0)]) / sides[axis];
        }
    const FilledBox box = m_mesh.filledBox(element);
    double* next = fillBrickNormals(sides, box, local, row);
    for (int third = 0; third < 3; ++third) next = fillBrickShears(third, sides, box, local, next);
    const double scale = std::sqrt(m_mesh.share(element));
    if (scale != 1.0) Eigen::Map<Eigen::ArrayXd>(row, brickRows * stride()) *= scale;
    if (const BrickBending bending = m_mesh.bending(element); !bending.plain()) assume(bending, row);
}

// Roots e_q of the weights of a component's points (sum e_q^2 = 1), and those times the place along each axis in units
// of its root mean square: the rows times the first add up to the mean's coefficient, times the others to the slopes'.
// Along an axis that a normal strain does not vary by the product is zero.
StrainSamples::Projections StrainSamples::projectionsOf(int component) {
    const bool normal = component < 3;
    const int third = component - 3, count = normal ? 9 : 12;
    Projections projections;
    projections.mean.resize(count);
    for (VectorX& slope : projections.slopes) slope.setZero(count);
    for (int p = 0; p < count; ++p) {
        int left = p;
        double weight = 1.0;
        std::array<double, 3> place{};
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t along = static_cast<std::size_t>(axis);
            if (normal && axis == component) continue;
            // A shear has three points along its third axis, x, y or z of yz, xz and xy, and two along the others.
            const int points = normal || axis == third ? 3 : 2;
            const auto at = static_cast<std::size_t>(left % points);
            left /= points;
            weight *= points == 3 ? weight3[at] : 0.5;
            place[along] = legendre(1, points == 3 ? gauss3[at] : gauss2[at]);
        }
        projections.mean[p] = std::sqrt(weight);
        for (std::size_t axis = 0; axis < 3; ++axis) projections.slopes[axis][p] = std::sqrt(weight) * place[axis];
    }
    return projections;
}

void StrainSamples::assume(const BrickBending& bending, double* rows) const {
    using Rows = Eigen::Map<MatrixX, 0, Eigen::OuterStride<>>;
    const double root = std::sqrt(bending.rest), lost = 0.5 * (1.0 - bending.planeTrace());
    const auto rowsOf = [&](int component) {
        double* first = rows + stride() * (component < 3 ? 9 * component : 27 + 12 * (component - 3));
        return Rows(first, monomials(), component < 3 ? 9 : 12, Eigen::OuterStride<>(stride()));
    };
    std::array<Projections, 6> projections;
    std::array<MatrixX, 6> slope;  // a column an axis
    for (int c = 0; c < 6; ++c) {
        const auto component = static_cast<std::size_t>(c);
        projections[component] = projectionsOf(c);
        slope[component].resize(monomials(), 3);
        for (int axis = 0; axis < 3; ++axis)
            slope[component].col(axis) = rowsOf(c) * projections[component].slopes[static_cast<std::size_t>(axis)];
    }
    for (int c = 0; c < 6; ++c) {
        const Projections& projection = projections[static_cast<std::size_t>(c)];
        Rows W = rowsOf(c);
        const VectorX mean = W * projection.mean;
        W *= root;
        W.noalias() += (1.0 - root) * mean * projection.mean.transpose();
        for (int axis = 0; axis < 3; ++axis) {
            const auto& own = slope[static_cast<std::size_t>(c)].col(axis);
            VectorX change = -root * own;
            if (c < 3 && axis != c)
                change +=
                    bending.fill[axis] * (own - lost * (own + slope[static_cast<std::size_t>(3 - c - axis)].col(axis)));
            else if (c == 3 + axis)
                change += bending.fill[axis] * own;
            W.noalias() += change * projection.slopes[static_cast<std::size_t>(axis)].transpose();
        }
    }
}

// E_aa = d_a u_a + |d_a u|^2 / 2
double* StrainSamples::fillBrickNormals(const Vector3& sides, const FilledBox& box, Local& local, double* row) const {
    const int r = static_cast<int>(local.r);
    for (int axis = 0; axis < 3; ++axis)
        for (std::size_t point = 0; point < 9; ++point) {
            const std::size_t s = point % 3, t = point / 3;
            const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
            local.slopeAt(axis, placeIn(box, first, gauss3[s]), placeIn(box, second, gauss3[t]), local.slope);
            const double scale = std::sqrt(2.0 * weight3[s] * weight3[t] * sides.prod());
            Eigen::Map<Eigen::ArrayXd>(row, r) = scale * local.component(local.slope, axis);
            normalPairs(local.lanes(local.slope), r, scale, row + r);
            row += stride();
        }
    return row;
}

// 2 E_ab = d_a u_b + d_b u_a + d_a u . d_b u: d_a u depends on b and c, d_b u on a and c.
// The shears of a cut brick are those at its middle (fem/Element.h): four rows are the same then.
double* StrainSamples::fillBrickShears(int third, const Vector3& sides, const FilledBox& box, Local& local,
                                       double* row) const {
    const int r = static_cast<int>(local.r);
    const int a = third == 0 ? 1 : 0, b = third == 2 ? 1 : 2;
    // The coordinates of a slope come in the order of the axes, so that along the third axis may be the first.
    const auto slopeAlong = [&](int axis, int varying, double v, double w, Local::Field& result) {
        if (varying < third)
            local.slopeAt(axis, v, w, result);
        else
            local.slopeAt(axis, w, v, result);
    };
    const std::array<int, 3> count = {third == 0 ? 3 : 2, third == 1 ? 3 : 2, third == 2 ? 3 : 2};
    for (int z = 0; z < count[2]; ++z)
        for (int y = 0; y < count[1]; ++y)
            for (int x = 0; x < count[0]; ++x) {
                const std::array<int, 3> at = {x, y, z};
                const auto g = [&](int axis) { return static_cast<std::size_t>(at[static_cast<std::size_t>(axis)]); };
                const auto own = [&](int axis) { return box.isWhole() ? gauss2[g(axis)] : 0.5; };
                const double w = placeIn(box, third, gauss3[g(third)]);
                slopeAlong(a, b, own(b), w, local.slope);
                slopeAlong(b, a, own(a), w, local.other);
                const double scale = std::sqrt(0.25 * weight3[g(third)] * sides.prod());
                Eigen::Map<Eigen::ArrayXd>(row, r) =
                    scale * (local.component(local.slope, b) + local.component(local.other, a));
                shearPairs(local.lanes(local.slope), local.lanes(local.other), r, scale, row + r);
                row += stride();
            }
    return row;
}

}  // namespace pliant
