// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/Delaunay.h"

#include <array>
#include <cstdio>
#include <memory>
#include <vector>

#include "pliant/math/Error.h"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace pliant {
namespace {

constexpr double flatSimplex = 1e-9;

/// What Qhull says goes into a file of its own, never to the terminal.
struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

/// Qhull's state, freed however the work ends.
class Hull {
public:
    Hull(std::vector<double>& coordinates, std::FILE* words) {
        qh_zero(&m_qh, words);
        char command[] = "qhull d Qt Qbb Qc";
        m_failed = qh_new_qhull(&m_qh, 3, static_cast<int>(coordinates.size() / 3), coordinates.data(), False, command,
                                nullptr, words) != 0;
    }
    ~Hull() {
        qh_freeqhull(&m_qh, !qh_ALL);
        int current = 0, total = 0;
        qh_memfreeshort(&m_qh, &current, &total);
    }
    Hull(const Hull&) = delete;
    Hull& operator=(const Hull&) = delete;

    bool failed() const { return m_failed; }

    std::vector<std::array<int, 4>> tetrahedra() {
        std::vector<std::array<int, 4>> found;
        for (const facetT* facet = m_qh.facet_list; facet && facet->next; facet = facet->next) {
            if (facet->upperdelaunay || qh_setsize(&m_qh, facet->vertices) != 4) continue;
            std::array<int, 4> corners{};
            for (int k = 0; k < 4; ++k) {
                const auto* vertex = static_cast<const vertexT*>(facet->vertices->e[k].p);
                corners[static_cast<std::size_t>(k)] = qh_pointid(&m_qh, vertex->point);
            }
            found.push_back(corners);
        }
        return found;
    }

private:
    qhT m_qh{};
    bool m_failed = true;
};

std::string wordsOf(std::FILE* file) {
    std::rewind(file);
    char line[200] = "";
    std::string words = std::fgets(line, sizeof line, file) ? line : "no reason given";
    while (!words.empty() && (words.back() == '\n' || words.back() == ' ')) words.pop_back();
    return words;
}

}  // namespace

Matrix<int, 4, Eigen::Dynamic> delaunay(const Points& points, const std::string& where) {
    const TemporaryFile words(std::tmpfile());
    if (!words) throw Error(where, "no temporary file can be made for Qhull's messages");
    std::vector<double> coordinates(points.data(), points.data() + points.size());
    Hull hull(coordinates, words.get());
    if (hull.failed()) throw Error(where, "Qhull finds no tetrahedra: " + wordsOf(words.get()));
    std::vector<std::array<int, 4>> kept;
    for (std::array<int, 4> t : hull.tetrahedra()) {
        Matrix3 edges;
        for (int k = 0; k < 3; ++k) edges.col(k) = points.col(t[static_cast<std::size_t>(k + 1)]) - points.col(t[0]);
        const double volume = edges.determinant();
        const double size = edges.col(0).norm() * edges.col(1).norm() * edges.col(2).norm();
        if (!(std::abs(volume) > flatSimplex * size)) continue;
        if (volume < 0.0) std::swap(t[0], t[1]);
        kept.push_back(t);
    }
    Matrix<int, 4, Eigen::Dynamic> tetrahedra(4, static_cast<Eigen::Index>(kept.size()));
    for (std::size_t e = 0; e < kept.size(); ++e)
        for (std::size_t k = 0; k < 4; ++k)
            tetrahedra(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(e)) = kept[e][k];
    return tetrahedra;
}

}  // namespace pliant
