// SPDX-License-Identifier: Zlib
#include "pliant/touch/DistributedShell.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>

#include "pliant/math/Error.h"
#include "pliant/touch/LatticeMap.h"

namespace pliant {

namespace {

constexpr int kRigidCells = 16;  ///< along the longest side of a body that does not deform

std::uint64_t spread(std::uint64_t x) {  // 10 bits, two zeros after each
    std::uint64_t out = 0;
    for (int bit = 0; bit < 10; ++bit) out |= ((x >> bit) & 1u) << (3 * bit);
    return out;
}

/// Neighbours of one face stand side by side: first the axis that the surface looks along, then the place on a Morton
/// curve. Opposite sides of a thin wall never share a group, whose area vectors would cancel.
std::uint64_t orderOf(const Vector3& place, const Vector3& area) {
    int axis = 0;
    area.cwiseAbs().maxCoeff(&axis);
    std::uint64_t code = 0;
    for (int k = 0; k < 3; ++k) {
        const double within = std::min(1023.0, std::max(0.0, place[k] * 1023.0));
        code |= spread(static_cast<std::uint64_t>(within)) << k;
    }
    return (static_cast<std::uint64_t>(2 * axis + (area[axis] < 0.0 ? 1 : 0)) << 32) | code;
}

}  // namespace

/// What becomes known of the samples on the way.
struct DistributedShell::Draft {
    std::vector<Cell> cells;                  ///< origin, spacing, latticeCell of those that may hold points
    std::vector<int> cellOf;                  ///< of every sample
    std::vector<Vector3> places;              ///< of every sample in its cell
    std::vector<std::uint64_t> keys;          ///< of every sample, in its cell
    std::vector<int> order;                   ///< samples, cell by cell
    std::vector<int> level;                   ///< the coarsest one of every sample
    std::vector<std::vector<Vector3>> areas;  ///< of every sample, from its coarsest level to the finest
};

DistributedShell::DistributedShell(const ShellSamples& samples, int levels, const ContactLattice* lattice)
    : m_levels(levels) {
    const auto n = static_cast<int>(samples.positions.cols());
    if (n == 0 || samples.areas.cols() != n)
        throw Error("shell", "it has no points, or not an area vector for each", "sample a surface with triangles");
    if (levels < 1 || levels > kMostLevels)
        throw Error("shell", std::to_string(levels) + " levels are asked for",
                    "ask for 1 to " + std::to_string(kMostLevels));
    if (!samples.positions.allFinite() || !samples.areas.allFinite())
        throw Error("shell", "a point or an area is not finite", "repair the surface");
    Draft draft;
    makeCells(samples, lattice, draft);
    draft.order.resize(static_cast<std::size_t>(n));
    std::iota(draft.order.begin(), draft.order.end(), 0);
    const auto key = [&draft](int i) {
        const auto at = static_cast<std::size_t>(i);
        return std::pair(draft.cellOf[at], draft.keys[at]);
    };
    std::stable_sort(draft.order.begin(), draft.order.end(), [&key](int a, int b) { return key(a) < key(b); });
    draft.level.assign(static_cast<std::size_t>(n), levels - 1);
    draft.areas.resize(static_cast<std::size_t>(n));
    m_places.resize(3, n);
    m_levelCounts.assign(static_cast<std::size_t>(levels), 0);
    for (int begin = 0, end = 0; begin < n; begin = end) {
        const int cell = draft.cellOf[static_cast<std::size_t>(draft.order[static_cast<std::size_t>(begin)])];
        while (end < n && draft.cellOf[static_cast<std::size_t>(draft.order[static_cast<std::size_t>(end)])] == cell)
            ++end;
        addCell(samples, draft, begin, end);
    }
    std::size_t columns = 0;
    for (const auto& areas : draft.areas) columns += areas.size();
    m_areas.resize(3, static_cast<Eigen::Index>(columns));
    int next = 0;
    for (const int sample : m_sampleOf) {
        m_firstArea.push_back(next);
        for (const Vector3& area : draft.areas[static_cast<std::size_t>(sample)])
            m_areas.col(next++) = area.cast<float>();
    }
}

void DistributedShell::makeCells(const ShellSamples& samples, const ContactLattice* lattice, Draft& draft) const {
    const Points& x = samples.positions;
    const Vector3 lower = x.rowwise().minCoeff(), size = x.rowwise().maxCoeff() - lower;
    const double spacing = lattice ? lattice->spacing : std::max(size.maxCoeff(), 1e-9) / kRigidCells;
    for (Eigen::Index i = 0; i < x.cols(); ++i) {
        Cell cell;
        cell.spacing = spacing;
        int number = 0;
        if (lattice) {
            number = cell.latticeCell = latticeCellAt(*lattice, x.col(i));
            cell.origin = lattice->origin + spacing * lattice->cellPlaces.col(number).cast<double>();
        } else {
            for (int k = 2; k >= 0; --k) {
                const int at = std::min(kRigidCells - 1, static_cast<int>((x(k, i) - lower[k]) / spacing));
                cell.origin[k] = lower[k] + spacing * at;
                number = kRigidCells * number + at;
            }
        }
        const Vector3 place = (x.col(i) - cell.origin) / spacing;
        if (!isCarried(place))
            throw Error("shell", "point " + std::to_string(i) + " lies more than a cell outside of the lattice",
                        "make the model's contact lattice again, of this surface");
        if (static_cast<std::size_t>(number) >= draft.cells.size())
            draft.cells.resize(static_cast<std::size_t>(number) + 1);
        draft.cells[static_cast<std::size_t>(number)] = cell;
        draft.cellOf.push_back(number);
        draft.places.push_back(place);
        draft.keys.push_back(orderOf(place, samples.areas.col(i)));
    }
}

// Of every four neighbours that look along the same axis one stands for all in the level above.
void DistributedShell::addCell(const ShellSamples& samples, Draft& draft, int begin, int end) {
    std::vector<int> present(draft.order.begin() + begin, draft.order.begin() + end);
    for (const int i : present) draft.areas[static_cast<std::size_t>(i)] = {Vector3(samples.areas.col(i))};
    for (int level = m_levels - 2; level >= 0; --level) {
        std::vector<int> kept;
        for (std::size_t first = 0, last = 0; first < present.size(); first = last) {
            const auto side = [&](std::size_t i) { return draft.keys[static_cast<std::size_t>(present[i])] >> 32; };
            Vector3 area = Vector3::Zero(), mean = Vector3::Zero();
            for (; last < present.size() && last < first + kFanOut && side(last) == side(first); ++last) {
                area += draft.areas[static_cast<std::size_t>(present[last])].front();
                mean += draft.places[static_cast<std::size_t>(present[last])];
            }
            mean /= static_cast<double>(last - first);
            const auto away = [&](int i) { return (draft.places[static_cast<std::size_t>(i)] - mean).squaredNorm(); };
            const int best = *std::min_element(present.begin() + static_cast<std::ptrdiff_t>(first),
                                               present.begin() + static_cast<std::ptrdiff_t>(last),
                                               [&](int a, int b) { return away(a) < away(b); });
            auto& areas = draft.areas[static_cast<std::size_t>(best)];
            areas.insert(areas.begin(), area);
            draft.level[static_cast<std::size_t>(best)] = level;
            kept.push_back(best);
        }
        present = kept;
    }
    Cell cell = draft.cells[static_cast<std::size_t>(
        draft.cellOf[static_cast<std::size_t>(draft.order[static_cast<std::size_t>(begin)])])];
    cell.firstCluster = static_cast<int>(m_clusters.size());
    cell.low = Vector3::Constant(1e30);
    cell.high = -cell.low;
    m_cells.push_back(cell);
    for (int first = begin, last = begin; first < end; first = last) {
        const auto side = [&](int i) {
            return draft.keys[static_cast<std::size_t>(draft.order[static_cast<std::size_t>(i)])] >> 32;
        };
        while (last < end && last < first + kClusterPoints && side(last) == side(first)) ++last;
        addCluster(samples, draft, first, last);
    }
    Cell& made = m_cells.back();
    made.clusterCount = static_cast<int>(m_clusters.size()) - made.firstCluster;
}

void DistributedShell::addCluster(const ShellSamples&, const Draft& draft, int begin, int end) {
    std::vector<int> members(draft.order.begin() + begin, draft.order.begin() + end);
    std::stable_sort(members.begin(), members.end(), [&draft](int a, int b) {
        return draft.level[static_cast<std::size_t>(a)] < draft.level[static_cast<std::size_t>(b)];
    });
    Cell& cell = m_cells.back();
    Cluster cluster;
    cluster.cell = static_cast<int>(m_cells.size()) - 1;
    cluster.first = static_cast<int>(m_sampleOf.size());
    cluster.low = Vector3::Constant(1e30);
    cluster.high = -cluster.low;
    for (const int i : members) {
        const auto at = static_cast<std::size_t>(i);
        const auto point = static_cast<Eigen::Index>(m_sampleOf.size());
        m_places.col(point) = draft.places[at].cast<float>();
        const Vector3 place = m_places.col(point).cast<double>();  // as it is kept: boxes hold it exactly
        cluster.low = cluster.low.cwiseMin(place);
        cluster.high = cluster.high.cwiseMax(place);
        m_cellOf.push_back(cluster.cell);
        m_level.push_back(draft.level[at]);
        m_sampleOf.push_back(i);
        for (int level = draft.level[at]; level < m_levels; ++level) {
            ++cluster.prefix[level];
            ++m_levelCounts[static_cast<std::size_t>(level)];
        }
    }
    cell.low = cell.low.cwiseMin(cluster.low);
    cell.high = cell.high.cwiseMax(cluster.high);
    m_clusters.push_back(cluster);
}

Vector3 DistributedShell::restPoint(int point) const {
    const Cell& cell = m_cells[static_cast<std::size_t>(cellOf(point))];
    return cell.origin + cell.spacing * placeInCell(point);
}

}  // namespace pliant
