// SPDX-License-Identifier: Zlib
#include "pliant/touch/ConvexElement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr int kMostNewtonSteps = 60;
constexpr double kConvergedDecrement = 1e-26;  ///< of the energies; the step after it is of the size of its square
constexpr double kNearDecrement = 1e-13;       ///< the same, from where on no line is searched
constexpr double kArmijo = 1e-4;
constexpr int kMostHalvings = 40;
constexpr int kRootSteps = 60;  ///< of bisection, down to rounding

}  // namespace

void ConvexElement::start(int dimension, const DistributedLaw& law, double h) {
    m_law = law;
    m_h = h;
    m_points.clear();
    m_rows.clear();
    m_tangents.clear();
    m_bristles = 0;
    m_iterations = 0;
    if (dimension != m_dimension) {
        m_dimension = dimension;
        m_hessian.resize(dimension, dimension);
        const int padded = (dimension + kSquareSide - 1) / kSquareSide * kSquareSide;
        m_block.setZero(padded, kBlock);
        m_squares.resize(padded, padded);
        for (VectorX* v : {&m_velocity, &m_target, &m_change, &m_gradient, &m_direction}) v->resize(dimension);
        m_factor = Eigen::LLT<MatrixX>(dimension);
    }
    m_velocity.setZero();
    m_change.setZero();
}

int ConvexElement::add(const ConvexElementPoint& point, const double* normalRow, const double* firstTangent,
                       const double* secondTangent) {
    Point made;
    made.given = point;
    made.given.bristle = 0.0;
    startDamping(made);
    m_rows.insert(m_rows.end(), normalRow, normalRow + m_dimension);
    // Whichever points get a bristle in a step: with the room of the rows that is no more memory.
    if (m_tangents.capacity() < 2 * m_rows.capacity()) m_tangents.reserve(2 * m_rows.capacity());
    if (m_products.capacity() < 3 * m_points.capacity()) m_products.reserve(3 * m_points.capacity());
    m_points.push_back(made);
    if (firstTangent && secondTangent && point.bristle > 0.0)
        addBristle(pointCount() - 1, point.bristle, firstTangent, secondTangent);
    return pointCount() - 1;
}

void ConvexElement::addBristle(int i, double stiffness, const double* firstTangent, const double* secondTangent) {
    Point& point = m_points[static_cast<std::size_t>(i)];
    point.given.bristle = stiffness;
    point.bristle = m_bristles++;
    for (const double* row : {firstTangent, secondTangent}) m_tangents.insert(m_tangents.end(), row, row + m_dimension);
}

// Where the damping pulls as much as the pressure pushes: a point that leaves faster feels nothing.
void ConvexElement::startDamping(Point& point) const {
    point.damping = m_law.damping * elasticPressure(m_law, point.given.depth) / m_h;
    point.firstDepth = point.offset = 0.0;
    if (!(point.damping > 0.0)) {
        point.damping = 0.0;
        return;
    }
    double low = 0.0, high = point.given.depth;
    if (m_law.law == PressureLaw::Linear) low = high *= point.damping / (m_law.stiffness + point.damping);
    for (int i = 0; i < kRootSteps && low < high; ++i) {
        const double middle = 0.5 * (low + high);
        const bool pulls = elasticPressure(m_law, middle) + point.damping * (middle - point.given.depth) < 0.0;
        (pulls ? low : high) = middle;
    }
    point.firstDepth = high;
    const double back = high - point.given.depth;
    point.offset = pressurePotential(m_law, high) + 0.5 * point.damping * back * back;
}

double ConvexElement::pressure(const Point& point, double depth) const {
    if (!(depth > point.firstDepth)) return 0.0;
    return std::max(0.0, elasticPressure(m_law, depth) + point.damping * (depth - point.given.depth));
}

double ConvexElement::slope(const Point& point, double depth) const {
    return depth > point.firstDepth ? pressureSlope(m_law, depth) + point.damping : 0.0;
}

double ConvexElement::energy(const Point& point, double depth) const {
    if (!(depth > point.firstDepth)) return 0.0;
    const double moved = depth - point.given.depth;
    return pressurePotential(m_law, depth) + 0.5 * point.damping * moved * moved - point.offset;
}

/// Quadratic while the bristle bends, linear while its foot slides.
double ConvexElement::bristleEnergy(const Point& point, double x, double y) {
    const double stiffness = point.given.bristle, limit = point.given.limit, length = std::hypot(x, y);
    if (stiffness * length <= limit) return 0.5 * stiffness * length * length;
    return limit * length - 0.5 * limit * limit / stiffness;
}

double ConvexElement::bend(int i, int k) const {
    const Point& point = m_points[static_cast<std::size_t>(i)];
    if (!(point.given.bristle > 0.0)) return 0.0;
    return -point.impulse[k + 1] / (m_h * point.given.bristle);
}

double ConvexElement::potential() const {
    double sum = 0.0;
    for (const Point& point : m_points) sum += point.given.area * energy(point, point.place[0]);
    return sum;
}

void ConvexElement::multiply(const VectorX& z) {
    m_products.resize(static_cast<std::size_t>(pointCount() + 2 * m_bristles));
    multiplyRows(normalRows(), z.data(), m_products.data());
    if (m_bristles > 0) multiplyRows(tangentRows(), z.data(), m_products.data() + pointCount());
}

void ConvexElement::placePoints() {
    multiply(m_velocity);
    for (int i = 0; i < pointCount(); ++i) {
        Point& point = m_points[static_cast<std::size_t>(i)];
        point.place[0] = point.given.freeDepth - m_h * normalProduct(i);
        if (!(point.given.bristle > 0.0)) continue;
        for (int k = 0; k < 2; ++k) point.place[k + 1] = point.given.freeBend[k] + m_h * tangentProduct(point, k);
    }
}

void ConvexElement::computeImpulses() {
    for (Point& point : m_points) {
        point.impulse[0] = m_h * point.given.area * pressure(point, point.place[0]);
        if (!(point.given.bristle > 0.0)) continue;
        const double length = std::hypot(point.place[1], point.place[2]), force = point.given.bristle * length;
        const double share = force > point.given.limit ? point.given.limit / force : 1.0;
        for (int k = 1; k < 3; ++k) point.impulse[k] = -m_h * share * point.given.bristle * point.place[k];
    }
}

void ConvexElement::sumImpulses() {
    m_change.setZero();
    const std::size_t count = m_points.size();
    m_products.resize(count + static_cast<std::size_t>(2 * m_bristles));
    for (std::size_t i = 0; i < count; ++i) {
        const Point& point = m_points[i];
        m_products[i] = point.impulse[0];
        for (int k = 0; k < 2 && point.bristle >= 0; ++k)
            m_products[count + static_cast<std::size_t>(2 * point.bristle + k)] = point.impulse[k + 1];
    }
    addRows(normalRows(), m_products.data(), m_change.data());
    if (m_bristles > 0) addRows(tangentRows(), m_products.data() + pointCount(), m_change.data());
}

/// Adds weight * row row', many at a time.
void ConvexElement::addSquare(double weight, const double* row) {
    m_block.col(m_blockSize++).head(m_dimension) = std::sqrt(weight) * Eigen::Map<const VectorX>(row, m_dimension);
    if (m_blockSize == kBlock) addBlock();
}

void ConvexElement::addBlock() {
    const auto padded = static_cast<int>(m_block.rows());
    addSquares({m_block.data(), m_blockSize, padded, padded}, m_squares.data());
    m_blockSize = 0;
}

void ConvexElement::addBristles(int i) {
    const Point& point = m_points[static_cast<std::size_t>(i)];
    const double length = std::hypot(point.place[1], point.place[2]), h2 = m_h * m_h;
    if (point.given.bristle * length <= point.given.limit) {
        for (int k = 0; k < 2; ++k) addSquare(h2 * point.given.bristle, tangentRow(point, k));
        return;
    }
    // Only across the slip: along it the force stays what it is.
    const double across[2] = {-point.place[2] / length, point.place[1] / length};
    const double *first = tangentRow(point, 0), *second = tangentRow(point, 1);
    for (int j = 0; j < m_dimension; ++j) m_direction[j] = across[0] * first[j] + across[1] * second[j];
    addSquare(h2 * point.given.limit / length, m_direction.data());
}

void ConvexElement::assemble() {
    m_squares.setZero();
    for (int i = 0; i < pointCount(); ++i) {
        const Point& point = m_points[static_cast<std::size_t>(i)];
        const double rise = slope(point, point.place[0]);
        if (rise > 0.0) addSquare(m_h * m_h * point.given.area * rise, normalRow(i));
        if (point.given.bristle > 0.0 && point.given.limit > 0.0) addBristles(i);
    }
    if (m_blockSize > 0) addBlock();
    m_hessian = m_squares.topLeftCorner(m_dimension, m_dimension);
    m_hessian.diagonal().array() += 1.0;
}

/// At a share of the direction that is searched.
double ConvexElement::objective(double along) const {
    double sum = 0.5 * (m_velocity + along * m_direction - m_target).squaredNorm();
    for (const Point& point : m_points) {
        sum += point.given.area * energy(point, point.place[0] + along * point.way[0]);
        if (point.given.bristle > 0.0)
            sum += bristleEnergy(point, point.place[1] + along * point.way[1], point.place[2] + along * point.way[2]);
    }
    return sum;
}

/// @param descent slope of the objective along the direction, negative @return the share of it to go
double ConvexElement::searchLine(double descent) {
    multiply(m_direction);
    for (int i = 0; i < pointCount(); ++i) {
        Point& point = m_points[static_cast<std::size_t>(i)];
        point.way[0] = -m_h * normalProduct(i);
        if (!(point.given.bristle > 0.0)) continue;
        for (int k = 0; k < 2; ++k) point.way[k + 1] = m_h * tangentProduct(point, k);
    }
    const double before = objective(0.0);
    double share = 1.0;
    for (int i = 0; i < kMostHalvings; ++i, share *= 0.5)
        if (objective(share) <= before + kArmijo * share * descent) return share;
    return 0.0;
}

bool ConvexElement::solve(const double* target) {
    m_target = Eigen::Map<const VectorX>(target, m_dimension);
    bool converged = false;
    double last = std::numeric_limits<double>::infinity();
    placePoints();
    for (m_iterations = 0; m_iterations < kMostNewtonSteps && !converged; ++m_iterations) {
        computeImpulses();
        sumImpulses();
        m_gradient = m_velocity - m_target - m_change;
        assemble();
        m_factor.compute(m_hessian);
        m_direction = -m_gradient;
        m_factor.solveInPlace(m_direction);
        const double descent = m_gradient.dot(m_direction);
        const double size = m_target.squaredNorm() + m_velocity.squaredNorm() + m_change.squaredNorm();
        if (!(-descent > 0.0)) {
            converged = descent == 0.0;
            break;
        }
        // So near to the minimum differences of the objective are rounding, and steps that grow again are, too.
        const bool near = -descent <= kNearDecrement * size;
        converged = near && (-descent <= kConvergedDecrement * size || -descent >= last);
        const double share = near ? 1.0 : searchLine(descent);
        if (share == 0.0) break;
        last = near ? -descent : last;
        m_velocity += share * m_direction;
        placePoints();
    }
    computeImpulses();
    sumImpulses();
    return converged;
}

}  // namespace pliant
