// SPDX-License-Identifier: Zlib
#include "pliant/mesh/Quadrature.h"

#include <Eigen/LU>
#include <array>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/ElementShape.h"

namespace pliant {
namespace {

std::string elementName(const VolumeMesh& mesh, int element) {
    return (mesh.kind == ElementKind::Brick ? "brick " : "tetrahedron ") + std::to_string(element + 1);
}

struct GaussPoints {
    int count;
    std::array<double, 3> position;  // on [-1, 1]
    std::array<double, 3> weight;    // of an interval of length 1
};

GaussPoints gaussPoints(GaussRule rule) {
    if (rule == GaussRule::Cubic) {
        const double a = 1.0 / std::sqrt(3.0);
        return {2, {-a, a, 0.0}, {0.5, 0.5, 0.0}};
    }
    const double a = std::sqrt(0.6);
    return {3, {-a, 0.0, a}, {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0}};
}

BrickShape brickShape(const VolumeMesh& mesh, int element) {
    const Corners corners = elementCorners(mesh, element);
    BrickShape shape = fitBrick(corners);
    if (!shape.turned) shape.sides = brickEdges(corners).diagonal();
    if (!(shape.sides.minCoeff() > 0.0))
        throw Error(elementName(mesh, element), "the brick is inverted or has no volume",
                    "give its corners in the order (000)(100)(110)(010)(001)(101)(111)(011)");
    if (!(shape.deviation <= brickTolerance(shape.sides)))
        throw Error(elementName(mesh, element), "the brick is not a cuboid", "use tetrahedra for other shapes");
    return shape;
}

void brickPoints(const VolumeMesh& mesh, int element, std::vector<ElementPoint>& points, GaussRule rule) {
    const BrickShape shape = brickShape(mesh, element);
    const FilledBox box = mesh.filledBox(element);
    const GaussPoints gauss = gaussPoints(rule);
    const std::size_t count = static_cast<std::size_t>(gauss.count);
    points.resize(count * count * count);
    for (std::size_t p = 0; p < points.size(); ++p) {
        const std::array<std::size_t, 3> index = {p % count, p / count % count, p / (count * count)};
        ElementPoint& point = points[p];
        point.weight = shape.sides.prod();
        for (const std::size_t i : index) point.weight *= gauss.weight[i];
        const Vector3 place(gauss.position[index[0]], gauss.position[index[1]], gauss.position[index[2]]);
        Vector3 lower = 0.5 * (Vector3::Ones() - place), upper = 0.5 * (Vector3::Ones() + place);
        if (!box.isWhole()) {
            upper = (box.lower.cwiseProduct(lower) + box.upper.cwiseProduct(upper)).eval();
            lower = Vector3::Ones() - upper;
        }
        point.gradients = brickGradients(shape, lower, upper);
    }
}

Matrix3 tetrahedronEdges(const VolumeMesh& mesh, int element) {
    Matrix3 edges;
    const Vector3 a = mesh.positions.col(mesh.elements(0, element));
    for (int i = 0; i < 3; ++i) edges.col(i) = mesh.positions.col(mesh.elements(i + 1, element)) - a;
    const double size = edges.colwise().norm().maxCoeff();
    if (!(edges.determinant() > 1e-12 * size * size * size))
        throw Error(elementName(mesh, element), "the tetrahedron is inverted or has no volume",
                    "order its corners so that (b - a) . ((c - a) x (d - a)) > 0");
    return edges;
}

}  // namespace

int pointsPerElement(const VolumeMesh& mesh, GaussRule rule) {
    const int perAxis = static_cast<int>(rule);
    return mesh.kind == ElementKind::Brick ? perAxis * perAxis * perAxis : 1;
}

void elementPoints(const VolumeMesh& mesh, int element, std::vector<ElementPoint>& points, GaussRule rule) {
    if (mesh.kind == ElementKind::Brick) {
        brickPoints(mesh, element, points, rule);
    } else {
        const Matrix3 edges = tetrahedronEdges(mesh, element);
        const Matrix3 inverse = edges.inverse();  // rows: gradients of the last three shape functions
        points.resize(1);
        points[0].weight = edges.determinant() / 6.0;
        points[0].gradients.resize(4, 3);
        points[0].gradients.bottomRows<3>() = inverse;
        points[0].gradients.row(0) = -inverse.colwise().sum();
    }
    const int material = mesh.elementMaterial[static_cast<std::size_t>(element)];
    const double share = mesh.share(element);
    for (ElementPoint& point : points) {
        point.material = material;
        point.weight *= share;
    }
}

double elementVolume(const VolumeMesh& mesh, int element) {
    const double whole = mesh.kind == ElementKind::Brick ? brickShape(mesh, element).sides.prod()
                                                         : tetrahedronEdges(mesh, element).determinant() / 6.0;
    return mesh.share(element) * whole;
}

CornerVectors cornerVectors(const VolumeMesh& mesh, int element, const double* field) {
    CornerVectors corners(3, mesh.cornersPerElement());
    for (Eigen::Index c = 0; c < corners.cols(); ++c) {
        const double* v = field + 3 * static_cast<std::ptrdiff_t>(mesh.elements(c, element));
        corners.col(c) << v[0], v[1], v[2];
    }
    return corners;
}

}  // namespace pliant
