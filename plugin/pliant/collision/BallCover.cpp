// SPDX-License-Identifier: Zlib
#include "pliant/collision/BallCover.h"

#include <algorithm>
#include <limits>

#include "pliant/collision/SegmentDistance.h"

namespace pliant {

namespace {

class Cover {
public:
    Cover(const SampledSurface& surface, InnerBalls& candidates, const PointTree& samples, double element,
          double tolerance)
        : m_surface(surface),
          m_candidates(candidates),
          m_samples(samples),
          m_element(element),
          m_tolerance(tolerance),
          m_ball(static_cast<std::size_t>(surface.count()), -1),
          m_excess(static_cast<std::size_t>(surface.count()), std::numeric_limits<double>::infinity()),
          m_covered(static_cast<std::size_t>(surface.count()), 0) {
        listNeighbours();
        for (int rank = 0; rank < 3; ++rank) {
            acceptBalls(rank);
            m_cover.segments = neededSegments(m_cover.balls, neighbours(), candidates.distance(), element, tolerance);
            if (rank < 2) coverBySegments();
        }
    }

    BallCover result() { return std::move(m_cover); }

private:
    double allowance(double radius) const { return m_tolerance * std::max(radius, std::min(m_element, 4.0 * radius)); }

    int rankOf(int sample) {
        if (m_candidates.at(sample).collapsed) return 2;
        return sample < m_surface.vertexCount ? 0 : 1;
    }

    void acceptBalls(int rank) {
        std::vector<int> order;
        const int count = rank == 0 ? m_surface.vertexCount : m_surface.count();
        for (int i = 0; i < count; ++i)
            if (!m_covered[static_cast<std::size_t>(i)] && rankOf(i) == rank) order.push_back(i);
        std::stable_sort(order.begin(), order.end(),
                         [&](int x, int y) { return m_candidates.at(x).worth > m_candidates.at(y).worth; });
        std::vector<int> near;
        for (int sample : order) {
            if (m_covered[static_cast<std::size_t>(sample)]) continue;
            const InnerBall& ball = m_candidates.at(sample);
            const int number = static_cast<int>(m_cover.balls.size());
            m_cover.balls.push_back(ball);
            m_samples.within(ball.centre, ball.radius + allowance(ball.radius), near);
            for (int i : near) take(i, number, (m_surface.points.col(i) - ball.centre).norm() - ball.radius);
            take(sample, number, 0.0);
        }
    }

    /// The sample belongs to the ball that it stands out of least.
    void take(int sample, int ball, double excess) {
        const std::size_t i = static_cast<std::size_t>(sample);
        m_covered[i] = 1;
        if (excess >= m_excess[i]) return;
        m_excess[i] = excess;
        m_ball[i] = ball;
    }

    /// Pairs of balls whose samples are neighbours on the surface, ascending, each once. Samples that no ball has yet
    /// count for the ball whose samples reach them first along the edges: cut edges still join the balls at their ends.
    std::vector<std::pair<int, int>> neighbours() const {
        std::vector<int> ball = m_ball, queue;
        for (int i = 0; i < m_surface.count(); ++i)
            if (ball[static_cast<std::size_t>(i)] >= 0) queue.push_back(i);
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const std::size_t from = static_cast<std::size_t>(queue[head]);
            for (int k = m_firstNeighbour[from]; k < m_firstNeighbour[from + 1]; ++k) {
                const int to = m_neighbour[static_cast<std::size_t>(k)];
                if (ball[static_cast<std::size_t>(to)] >= 0) continue;
                ball[static_cast<std::size_t>(to)] = ball[from];
                queue.push_back(to);
            }
        }
        std::vector<std::pair<int, int>> pairs;
        for (Eigen::Index e = 0; e < m_surface.edges.cols(); ++e) {
            const int a = ball[static_cast<std::size_t>(m_surface.edges(0, e))];
            const int b = ball[static_cast<std::size_t>(m_surface.edges(1, e))];
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
            const InnerBall& first = m_cover.balls[static_cast<std::size_t>(a)];
            const InnerBall& second = m_cover.balls[static_cast<std::size_t>(b)];
            const TaperedSegment swept{first.centre, second.centre - first.centre, first.radius,
                                       second.radius - first.radius};
            const double most = std::max(first.radius, second.radius);
            m_samples.within(swept.point(0.5), 0.5 * swept.extent.norm() + most + allowance(most), near);
            for (int i : near) {
                const Vector3 x = m_surface.points.col(i);
                const double s = closestOnTapered(swept, x);
                const double excess = (x - swept.point(s)).norm() - swept.radiusAt(s);
                if (excess > allowance(swept.radiusAt(s))) continue;
                if (m_ball[static_cast<std::size_t>(i)] >= 0) continue;
                take(i, s < 0.5 ? a : b, std::max(excess, 0.0));
            }
        }
    }

    const SampledSurface& m_surface;
    InnerBalls& m_candidates;
    const PointTree& m_samples;
    double m_element, m_tolerance;
    std::vector<int> m_ball;                         ///< of each sample, -1 = not yet covered
    std::vector<int> m_firstNeighbour, m_neighbour;  ///< samples joined by edges, in rows
    std::vector<double> m_excess;
    std::vector<char> m_covered;
    BallCover m_cover;
};

}  // namespace

BallCover coverSurface(const SampledSurface& surface, InnerBalls& candidates, const PointTree& samples, double element,
                       double tolerance) {
    return Cover(surface, candidates, samples, element, tolerance).result();
}

}  // namespace pliant
