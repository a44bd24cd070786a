// SPDX-License-Identifier: Zlib
#include "pliant/skeleton/SphereCover.h"

#include <algorithm>
#include <limits>

#include "pliant/math/SegmentDistance.h"

namespace pliant {

namespace {

class Cover {
public:
    Cover(const SampledSurface& surface, InscribedSpheres& candidates, const PointTree& samples, double element,
          double tolerance)
        : m_surface(surface),
          m_candidates(candidates),
          m_samples(samples),
          m_element(element),
          m_tolerance(tolerance),
          m_sphere(static_cast<std::size_t>(surface.count()), -1),
          m_excess(static_cast<std::size_t>(surface.count()), std::numeric_limits<double>::infinity()),
          m_covered(static_cast<std::size_t>(surface.count()), 0) {
        listNeighbours();
        for (int rank = 0; rank < 3; ++rank) {
            acceptSpheres(rank);
            m_cover.segments = neededSegments(m_cover.spheres, neighbours(), candidates.distance(), element, tolerance);
            if (rank < 2) coverBySegments();
        }
    }

    SphereCover result() { return std::move(m_cover); }

private:
    double allowance(double radius) const { return m_tolerance * std::max(radius, std::min(m_element, 4.0 * radius)); }

    int rankOf(int sample) {
        if (m_candidates.at(sample).collapsed) return 2;
        return sample < m_surface.vertexCount ? 0 : 1;
    }

    void acceptSpheres(int rank) {
        std::vector<int> order;
        const int count = rank == 0 ? m_surface.vertexCount : m_surface.count();
        for (int i = 0; i < count; ++i)
            if (!m_covered[static_cast<std::size_t>(i)] && rankOf(i) == rank) order.push_back(i);
        std::stable_sort(order.begin(), order.end(),
                         [&](int x, int y) { return m_candidates.at(x).worth > m_candidates.at(y).worth; });
        std::vector<int> near;
        for (int sample : order) {
            if (m_covered[static_cast<std::size_t>(sample)]) continue;
            const InscribedSphere sphere = betterSphere(sample, near);
            const int number = static_cast<int>(m_cover.spheres.size());
            m_cover.spheres.push_back(sphere);
            m_samples.within(sphere.centre, sphere.radius + allowance(sphere.radius), near);
            for (int i : near) take(i, number, (m_surface.points.col(i) - sphere.centre).norm() - sphere.radius);
            take(sample, number, 0.0);
        }
    }

    /// Of a sample's spheres the one that covers more of what is not covered yet.
    InscribedSphere betterSphere(int sample, std::vector<int>& near) {
        const InscribedSphere own = m_candidates.at(sample), moved = m_candidates.movedInside(sample);
        const auto covers = [&](const InscribedSphere& sphere) {
            m_samples.within(sphere.centre, sphere.radius + allowance(sphere.radius), near);
            return std::count_if(near.begin(), near.end(),
                                 [this](int i) { return !m_covered[static_cast<std::size_t>(i)]; });
        };
        return moved.radius > own.radius && covers(moved) > covers(own) ? moved : own;
    }

    /// The sample belongs to the sphere that it stands out of least.
    void take(int sample, int sphere, double excess) {
        const std::size_t i = static_cast<std::size_t>(sample);
        m_covered[i] = 1;
        if (excess >= m_excess[i]) return;
        m_excess[i] = excess;
        m_sphere[i] = sphere;
    }

    /// Pairs of spheres whose samples are neighbours on the surface, ascending, each once. Samples that no sphere has
    /// yet count for the sphere whose samples reach them first along the edges: cut edges still join the spheres at
    /// their ends.
    std::vector<std::pair<int, int>> neighbours() const {
        std::vector<int> sphere = m_sphere, queue;
        for (int i = 0; i < m_surface.count(); ++i)
            if (sphere[static_cast<std::size_t>(i)] >= 0) queue.push_back(i);
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const std::size_t from = static_cast<std::size_t>(queue[head]);
            for (int k = m_firstNeighbour[from]; k < m_firstNeighbour[from + 1]; ++k) {
                const int to = m_neighbour[static_cast<std::size_t>(k)];
                if (sphere[static_cast<std::size_t>(to)] >= 0) continue;
                sphere[static_cast<std::size_t>(to)] = sphere[from];
                queue.push_back(to);
            }
        }
        std::vector<std::pair<int, int>> pairs;
        for (Eigen::Index e = 0; e < m_surface.edges.cols(); ++e) {
            const int a = sphere[static_cast<std::size_t>(m_surface.edges(0, e))];
            const int b = sphere[static_cast<std::size_t>(m_surface.edges(1, e))];
            if (a >= 0 && b >= 0 && a != b) pairs.emplace_back(std::min(a, b), std::max(a, b));
        }
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        return pairs;
    }

    void listNeighbours() {
        m_firstNeighbour.assign(static_cast<std::size_t>(m_surface.count()) + 1, 0);
        const auto& edges = m_surface.edges;
        for (Eigen::Index e = 0; e < edges.size(); ++e) ++m_firstNeighbour[static_cast<std::size_t>(edges(e)) + 1];
        for (std::size_t i = 1; i < m_firstNeighbour.size(); ++i) m_firstNeighbour[i] += m_firstNeighbour[i - 1];
        m_neighbour.resize(static_cast<std::size_t>(edges.size()));
        std::vector<int> at = m_firstNeighbour;
        for (Eigen::Index e = 0; e < edges.cols(); ++e)
            for (int k = 0; k < 2; ++k)
                m_neighbour[static_cast<std::size_t>(at[static_cast<std::size_t>(edges(k, e))]++)] = edges(1 - k, e);
    }

    void coverBySegments() {
        std::vector<int> near;
        for (const auto& [a, b] : m_cover.segments) {
            const InscribedSphere& first = m_cover.spheres[static_cast<std::size_t>(a)];
            const InscribedSphere& second = m_cover.spheres[static_cast<std::size_t>(b)];
            const TaperedSegment capsule{first.centre, second.centre - first.centre, first.radius,
                                         second.radius - first.radius};
            const double most = std::max(first.radius, second.radius);
            m_samples.within(capsule.point(0.5), 0.5 * capsule.extent.norm() + most + allowance(most), near);
            for (int i : near) {
                const Vector3 x = m_surface.points.col(i);
                const double s = closestOnTapered(capsule, x);
                const double excess = (x - capsule.point(s)).norm() - capsule.radiusAt(s);
                if (excess > allowance(capsule.radiusAt(s))) continue;
                if (m_sphere[static_cast<std::size_t>(i)] >= 0) continue;
                take(i, s < 0.5 ? a : b, std::max(excess, 0.0));
            }
        }
    }

    const SampledSurface& m_surface;
    InscribedSpheres& m_candidates;
    const PointTree& m_samples;
    double m_element, m_tolerance;
    std::vector<int> m_sphere;                       ///< of each sample, -1 = not yet covered
    std::vector<int> m_firstNeighbour, m_neighbour;  ///< samples joined by edges, in rows
    std::vector<double> m_excess;
    std::vector<char> m_covered;
    SphereCover m_cover;
};

}  // namespace

SphereCover coverSurface(const SampledSurface& surface, InscribedSpheres& candidates, const PointTree& samples,
                         double element, double tolerance) {
    return Cover(surface, candidates, samples, element, tolerance).result();
}

}  // namespace pliant
