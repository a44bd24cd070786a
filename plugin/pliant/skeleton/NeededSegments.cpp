// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>

#include "pliant/math/DisjointSets.h"
#include "pliant/math/SegmentDistance.h"
#include "pliant/skeleton/SphereCover.h"

namespace pliant {

namespace {

struct Link {
    int a, b;
    double waist;  ///< how far the swept solid stands out of its two end spheres, as a share of the smaller radius
};

class Links {
public:
    Links(const std::vector<InscribedSphere>& spheres, const SurfaceDistance& surface, double element, double tolerance)
        : m_spheres(spheres),
          m_surface(surface),
          m_element(element),
          m_tolerance(tolerance),
          m_kept(spheres.size()),
          m_chains(spheres.size()) {}

    std::vector<std::pair<int, int>> choose(const std::vector<std::pair<int, int>>& neighbours) {
        std::vector<Link> links;
        for (const auto& [a, b] : neighbours)
            if (!standsOut(a, b)) links.push_back({a, b, waist(a, b)});
        std::stable_sort(links.begin(), links.end(), [](const Link& x, const Link& y) { return x.waist > y.waist; });
        for (const Link& link : links) {
            // A link with a thin waist adds nothing to the union: kept only where it holds a chain of segments
            // together.
            const bool joins = m_chains.lowest(link.a) != m_chains.lowest(link.b);
            if (link.waist > m_tolerance ? implied(link.a, link.b) : !joins) continue;
            m_chains.join(link.a, link.b);
            m_kept[static_cast<std::size_t>(link.a)].push_back(link.b);
            m_kept[static_cast<std::size_t>(link.b)].push_back(link.a);
        }
        return result();
    }

private:
    const InscribedSphere& sphere(int i) const { return m_spheres[static_cast<std::size_t>(i)]; }

    TaperedSegment capsule(int a, int b) const {
        return {sphere(a).centre, sphere(b).centre - sphere(a).centre, sphere(a).radius,
                sphere(b).radius - sphere(a).radius};
    }

    double waist(int a, int b) const {
        const double half = 0.5 * (sphere(b).centre - sphere(a).centre).norm();
        const double radius = std::min(sphere(a).radius, sphere(b).radius);
        return half >= radius ? 1.0 : 1.0 - std::sqrt(1.0 - half * half / (radius * radius));
    }

    /// The spheres may hold the surface a little (InscribedSpheres.cpp); between them the same and a bend of the chain.
    bool standsOut(int a, int b) const {
        const TaperedSegment s = capsule(a, b);
        for (double at : {0.25, 0.5, 0.75})
            if ((m_surface.nearest(s.point(at)) - s.point(at)).norm() < 0.55 * s.radiusAt(at)) return true;
        return false;
    }

    /// Whether a kept link of a or b holds the middle of a - b within the tolerance.
    bool implied(int a, int b) const {
        const TaperedSegment direct = capsule(a, b);
        const Vector3 middle = direct.point(0.5);
        const double radius = direct.radiusAt(0.5), allowed = coverAllowance(radius, m_element, m_tolerance);
        for (int end : {a, b})
            for (int k : m_kept[static_cast<std::size_t>(end)]) {
                const TaperedSegment other = capsule(end, k);
                const double s = closestOnTapered(other, middle);
                if ((other.point(s) - middle).norm() + radius - other.radiusAt(s) <= allowed) return true;
            }
        return false;
    }

    std::vector<std::pair<int, int>> result() const {
        std::vector<std::pair<int, int>> segments;
        for (int a = 0; a < static_cast<int>(m_spheres.size()); ++a) {
            const auto& partners = m_kept[static_cast<std::size_t>(a)];
            if (partners.empty()) segments.emplace_back(a, a);
            for (int b : partners)
                if (a < b) segments.emplace_back(a, b);
        }
        std::sort(segments.begin(), segments.end());
        return segments;
    }

    const std::vector<InscribedSphere>& m_spheres;
    const SurfaceDistance& m_surface;
    double m_element, m_tolerance;
    std::vector<std::vector<int>> m_kept;
    DisjointSets m_chains;  ///< of spheres that kept links join
};

}  // namespace

std::vector<std::pair<int, int>> neededSegments(const std::vector<InscribedSphere>& spheres,
                                                const std::vector<std::pair<int, int>>& neighbours,
                                                const SurfaceDistance& surface, double element, double tolerance) {
    return Links(spheres, surface, element, tolerance).choose(neighbours);
}

}  // namespace pliant
