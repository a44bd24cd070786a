// SPDX-License-Identifier: Zlib
// A polynomial that is linear in each coordinate is so about the corners of any box: its values in the box are means of
// those at the eight corners. So the sphere around the corners' places holds the places of all points in the box, and
// no point comes farther than the corner that comes farthest, whatever the deformation is.
#include "pliant/touch/PlacedShell.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr double kLargestStep = 1e6;  ///< m; what comes from nowhere, or is no number, is taken to have come so far

Vector3 cornerOf(const Vector3& low, const Vector3& high, int corner) {
    return {(corner & 1) ? high.x() : low.x(), (corner & 2) ? high.y() : low.y(), (corner & 4) ? high.z() : low.z()};
}

/// The square of the largest way of a box' corners from one polynomial to another, m^2: that of their difference, which
/// is taken to the box' planes one coordinate after the other. Of what is no number, that or zero.
double largestWay(const PlacedShell::Polynomial& from, const PlacedShell::Polynomial& to, const Vector3& low,
                  const Vector3& high) {
    PlacedShell::Polynomial d;
    for (std::size_t k = 0; k < 8; ++k) d[k] = to[k] - from[k];
    double largest = 0.0;
    for (const double z : {low.z(), high.z()}) {
        Vector3 inPlane[4];
        for (std::size_t k = 0; k < 4; ++k) inPlane[k] = d[k] + z * d[k + 4];
        for (const double y : {low.y(), high.y()}) {
            const Vector3 start = inPlane[0] + y * inPlane[2], along = inPlane[1] + y * inPlane[3];
            for (const double x : {low.x(), high.x()}) {
                const double way = (start + x * along).squaredNorm();
                largest = way <= largest ? largest : way;
            }
        }
    }
    return largest;
}

}  // namespace

PlacedShell::PlacedShell(std::shared_ptr<const DistributedShell> shell, const ContactLattice* lattice)
    : m_shell(std::move(shell)),
      m_lattice(lattice),
      m_now(m_shell->cells().size()),
      m_last(m_now.size()),
      m_travelled(m_now.size(), 0.0),
      m_lastStep(m_now.size(), 0.0) {}

Vector3 PlacedShell::value(const Polynomial& c, const Vector3& at) {
    const double x = at.x(), y = at.y(), z = at.z();
    return (c[0] + x * c[1] + y * (c[2] + x * c[3])) + z * (c[4] + x * c[5] + y * (c[6] + x * c[7]));
}

PlacedShell::Polynomial PlacedShell::polynomialOf(const DistributedShell::Cell& cell, const ShellPose& pose) const {
    Polynomial c;
    for (int corner = 0; corner < 8; ++corner) {
        Vector3 place = cell.origin + cell.spacing * cornerOf(Vector3::Zero(), Vector3::Ones(), corner);
        if (pose.displacements && m_lattice && cell.latticeCell >= 0) {
            const float* u = pose.displacements + 4 * m_lattice->cellVertices(corner, cell.latticeCell);
            place += Vector3(static_cast<double>(u[0]), static_cast<double>(u[1]), static_cast<double>(u[2]));
        }
        c[static_cast<std::size_t>(corner)] = pose.fieldFromMesh.point(place);
    }
    for (std::size_t bit = 1; bit < 8; bit *= 2)  // values at corners into coefficients, one coordinate after the other
        for (std::size_t i = 0; i < 8; ++i)
            if (i & bit) c[i] -= c[i ^ bit];
    return c;
}

void PlacedShell::place(const ShellPose& pose) {
    m_last.swap(m_now);
    const std::vector<DistributedShell::Cell>& cells = m_shell->cells();
    for (std::size_t i = 0; i < cells.size(); ++i) m_now[i] = polynomialOf(cells[i], pose);
    if (!m_wasPlaced) m_last = m_now;
    m_wasPlaced = true;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const double way = std::sqrt(largestWay(m_last[i], m_now[i], cells[i].low, cells[i].high));
        m_lastStep[i] = way < kLargestStep ? way : kLargestStep;
        m_travelled[i] += m_lastStep[i];
    }
}

void PlacedShell::assign(const std::vector<Polynomial>& polynomials) {
    m_now = m_last = polynomials;
    std::fill(m_lastStep.begin(), m_lastStep.end(), 0.0);
    m_wasPlaced = true;
}

double PlacedShell::mostTravelled() const {
    return m_travelled.empty() ? 0.0 : *std::max_element(m_travelled.begin(), m_travelled.end());
}

void PlacedShell::forgetTravelled() {
    std::fill(m_travelled.begin(), m_travelled.end(), 0.0);
}

Matrix3 PlacedShell::gradient(int point) const {
    const DistributedShell::Cell& cell = m_shell->cells()[static_cast<std::size_t>(m_shell->cellOf(point))];
    const Polynomial& c = m_now[static_cast<std::size_t>(m_shell->cellOf(point))];
    const Vector3 at = m_shell->placeInCell(point);
    const double x = at.x(), y = at.y(), z = at.z();
    Matrix3 slope;
    slope.col(0) = (c[1] + y * c[3]) + z * (c[5] + y * c[7]);
    slope.col(1) = (c[2] + x * c[3]) + z * (c[6] + x * c[7]);
    slope.col(2) = (c[4] + x * c[5]) + y * (c[6] + x * c[7]);
    return slope / cell.spacing;
}

PlacedShell::Sphere PlacedShell::boundingSphere(int cell, const Vector3& low, const Vector3& high) const {
    const Polynomial& c = m_now[static_cast<std::size_t>(cell)];
    std::array<Vector3, 8> corners;
    Sphere sphere;
    for (int i = 0; i < 8; ++i) {
        corners[static_cast<std::size_t>(i)] = value(c, cornerOf(low, high, i));
        sphere.centre += 0.125 * corners[static_cast<std::size_t>(i)];
    }
    double squared = 0.0;
    for (const Vector3& corner : corners) squared = std::max(squared, (corner - sphere.centre).squaredNorm());
    sphere.radius = std::sqrt(squared);
    return sphere;
}

}  // namespace pliant
