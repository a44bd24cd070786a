// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/MendSurface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <utility>

#include "pliant/mesh/ClosedSurface.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/formats/BackToBack.h"
#include "pliant/mesh/formats/CloseSeams.h"

namespace pliant {
namespace {

/// Of the diagonal: what isClosed() takes for one place.
constexpr double kSamePlace = 1e-6;

std::string trianglesText(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + (count == 1 ? " triangle " : " triangles ") + (count == 1 ? one : many);
}

SurfaceMesh without(const SurfaceMesh& mesh, std::vector<Eigen::Index> left) {
    std::sort(left.begin(), left.end());
    SurfaceMesh part = mesh;
    part.triangleMaterial.clear();
    part.triangleGroup.clear();
    auto next = left.begin();
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t) {
        if (next != left.end() && *next == t) {
            ++next;
            continue;
        }
        part.triangles.col(static_cast<Eigen::Index>(part.triangleMaterial.size())) = mesh.triangles.col(t);
        part.triangleMaterial.push_back(mesh.triangleMaterial[static_cast<std::size_t>(t)]);
        if (!mesh.triangleGroup.empty()) part.triangleGroup.push_back(mesh.triangleGroup[static_cast<std::size_t>(t)]);
    }
    part.triangles.conservativeResize(3, static_cast<Eigen::Index>(part.triangleMaterial.size()));
    return part;
}

std::string seamsText(const ClosedSeams& seams, double tolerance) {
    char distance[32];
    std::snprintf(distance, sizeof distance, "%.2g", tolerance);
    std::string text;
    if (seams.moved > 0)
        text = std::to_string(seams.moved) + (seams.moved == 1 ? " vertex" : " vertices") + " moved by at most " +
               distance + " m to others";
    if (seams.split > 0)
        text += (text.empty() ? "" : ", ") + std::to_string(seams.split) +
                (seams.split == 1 ? " edge split where corners of others lie in it"
                                  : " edges split where corners of others lie in them");
    return text;
}

class Mender {
public:
    Mender(SurfaceMesh& mesh, bool hasNormals, const std::string& where)
        : m_mesh(mesh), m_hasNormals(hasNormals), m_where(where), m_closure(examineClosure(mesh)) {}

    std::vector<std::string> mend() {
        // Seams first: beside a body that closes by that, backs of sheets are drawn.
        closeSeamsOfAll();
        if (leaveOutBacks()) closeSeamsOfAll();
        if (m_tooMany > 0 && !m_closure.closed())
            tell(std::to_string(m_tooMany) + " open edges: more than are searched for seams (50,000)");
        face();
        if (!m_notes.empty() && !m_hasNormals) computeNormals(m_mesh);
        return std::move(m_notes);
    }

private:
    void tell(const std::string& what) { m_notes.push_back(m_where + ": " + what); }

    double diagonal() const {
        return (m_mesh.positions.rowwise().maxCoeff() - m_mesh.positions.rowwise().minCoeff()).norm();
    }

    /// Of walls of bodies that touch both triangles go, of a double-sided surface the backs that look like their
    /// fronts. @return whether any went
    bool leaveOutBacks() {
        const std::vector<int> place = firstAtPlace(m_mesh.positions, kSamePlace * diagonal());
        const std::vector<BackToBack> pairs = backToBack(m_mesh, place);
        std::vector<Eigen::Index> left;
        if (m_closure.closed()) {
            for (const BackToBack& wall : wallsAmong(m_mesh, m_closure.triangles, place, pairs))
                left.insert(left.end(), {wall.first, wall.second});
            const char* const what = "of walls between bodies that touch left out: they are one";
            return leaveOut(left, what, what);
        }
        for (const BackToBack& pair : pairs)
            if (looksTheSame(m_mesh, place, pair)) left.push_back(pair.second);
        return leaveOut(left, "left out that is the back of another: both sides are drawn",
                        "left out that are backs of others: both sides are drawn");
    }

    bool leaveOut(const std::vector<Eigen::Index>& triangles, const char* one, const char* many) {
        if (triangles.empty()) return false;
        SurfaceMesh mended = without(m_mesh, triangles);
        SurfaceClosure closure = examineClosure(mended);
        std::string joined;
        if (m_closure.closed() && !closure.closed()) {
            // Outlines of walls may be at one place, but not to the last bit.
            const double tolerance = kSamePlace * diagonal();
            const ClosedSeams seams = closeSeams(mended, tolerance);
            closure = examineClosure(mended);
            if (!closure.closed()) return false;
            joined = "; " + seamsText(seams, tolerance);
        }
        m_mesh = std::move(mended);
        m_closure = std::move(closure);
        tell(trianglesText(triangles.size(), one, many) + joined);
        return true;
    }

    /// The smallest tolerance that closes the surface; none where it stays open.
    void closeSeamsOfAll() {
        for (const double share : {kSamePlace, 1e-5, 1e-4}) {
            if (m_closure.closed()) return;
            SurfaceMesh mended = m_mesh;
            const ClosedSeams seams = closeSeams(mended, share * diagonal());
            m_tooMany = seams.tooMany;
            if (m_tooMany > 0) return;
            if (!seams.any()) continue;
            SurfaceClosure closure = examineClosure(mended);
            if (!closure.closed()) continue;
            tell("open seams closed: " + seamsText(seams, share * diagonal()));
            m_mesh = std::move(mended);
            m_closure = std::move(closure);
        }
    }

    void face() {
        Triangles& facing = m_closure.triangles;
        if (facing.cols() != m_mesh.triangles.cols() || (m_hasNormals && !m_closure.closed())) return;
        if (facing == m_mesh.triangles) return;
        const auto isTurned = [&](Eigen::Index t) { return facing.col(t) != m_mesh.triangles.col(t); };
        int places = 0;
        // Front and back that both turn would change places, and colours.
        for (const BackToBack& pair : backToBack(m_mesh, positionNumbers(m_mesh.positions, places)))
            if (isTurned(pair.first) && isTurned(pair.second))
                for (const Eigen::Index t : {pair.first, pair.second}) facing.col(t) = m_mesh.triangles.col(t);
        std::size_t turned = 0;
        for (Eigen::Index t = 0; t < facing.cols(); ++t) turned += isTurned(t) ? 1 : 0;
        if (turned == 0) return;
        m_mesh.triangles = facing;
        tell(trianglesText(turned, "turned, which faced", "turned, which faced") +
             (m_closure.closed() ? " inwards" : " another way than their neighbours"));
        if (m_hasNormals) turnNormals();
    }

    /// Normals of the file that point into the surface.
    void turnNormals() {
        Points faces = Points::Zero(3, m_mesh.vertexCount());
        for (const auto& corner : m_mesh.triangles.colwise()) {
            const Vector3 a = m_mesh.positions.col(corner[0]), b = m_mesh.positions.col(corner[1]),
                          c = m_mesh.positions.col(corner[2]);
            for (Eigen::Index k = 0; k < 3; ++k) faces.col(corner[k]) += (b - a).cross(c - a);
        }
        for (int v = 0; v < m_mesh.vertexCount(); ++v)
            if (faces.col(v).dot(m_mesh.normals.col(v)) < 0.0) m_mesh.normals.col(v) *= -1.0;
    }

    SurfaceMesh& m_mesh;
    bool m_hasNormals;
    const std::string& m_where;
    SurfaceClosure m_closure;
    std::vector<std::string> m_notes;
    int m_tooMany = 0;  // open edges, where there are too many to look at
};

}  // namespace

std::vector<std::string> mendSurface(SurfaceMesh& mesh, bool hasNormals, const std::string& where) {
    return Mender(mesh, hasNormals, where).mend();
}

}  // namespace pliant
