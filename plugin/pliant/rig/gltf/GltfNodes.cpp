// SPDX-License-Identifier: Zlib
#include "pliant/rig/gltf/GltfNodes.h"

#include <cmath>
#include <set>

namespace pliant::gltf {

namespace {

/// Scales may differ by rounding of single precision, and by what modelling programs leave after some conversions.
constexpr double scaleTolerance = 1e-3;

void readNames(const JsonPlace& list, Nodes& nodes) {
    std::set<std::string> taken;
    for (std::size_t n = 0; n < list.size(); ++n) {
        const JsonPlace node = list.at(n);
        std::string name = node.has("name") ? node.at("name").text() : "";
        if (name.empty()) name = "node " + std::to_string(n);
        while (!taken.insert(name).second) name += " (" + std::to_string(n) + ")";
        nodes.names.push_back(name);
    }
}

void readParents(const GltfFile& file, const JsonPlace& list, Nodes& nodes) {
    nodes.parents.assign(list.size(), -1);
    for (std::size_t n = 0; n < list.size(); ++n) {
        const JsonPlace node = list.at(n);
        for (std::size_t c = 0; c < node.sizeOf("children"); ++c) {
            const JsonPlace place = node.at("children").at(c);
            const std::size_t child = file.indexIn("nodes", place);
            if (nodes.parents[child] >= 0)
                place.fail("node \"" + nodes.names[child] + "\" has two parents, \"" +
                           nodes.names[static_cast<std::size_t>(nodes.parents[child])] + "\" and \"" + nodes.names[n] +
                           "\"");
            nodes.parents[child] = static_cast<int>(n);
        }
    }
}

/// Each node has one parent at most, so what is not reached from those without one goes round in a circle.
void findOrder(const JsonPlace& list, Nodes& nodes) {
    const std::size_t count = nodes.parents.size();
    std::vector<std::vector<int>> children(count);
    for (std::size_t n = 0; n < count; ++n)
        if (nodes.parents[n] < 0)
            nodes.order.push_back(static_cast<int>(n));
        else
            children[static_cast<std::size_t>(nodes.parents[n])].push_back(static_cast<int>(n));
    for (std::size_t at = 0; at < nodes.order.size(); ++at) {
        const std::vector<int>& below = children[static_cast<std::size_t>(nodes.order[at])];
        nodes.order.insert(nodes.order.end(), below.begin(), below.end());
    }
    if (nodes.order.size() == count) return;
    std::vector<bool> reached(count, false);
    for (const int n : nodes.order) reached[static_cast<std::size_t>(n)] = true;
    for (std::size_t n = 0; n < count; ++n)
        if (!reached[n]) list.at(n).fail("node \"" + nodes.names[n] + "\" is in or below a circle of nodes");
}

}  // namespace

Nodes readNodes(const GltfFile& file) {
    const JsonPlace list = file.root().at("nodes");
    Nodes nodes;
    readNames(list, nodes);
    readParents(file, list, nodes);
    findOrder(list, nodes);
    return nodes;
}

double uniformScale(const Vector3& scales, const std::string& where) {
    const double mean = scales.mean();
    if (!(scales.minCoeff() > 1e-9))
        throw Error(where, "is flat or mirrored: a scale of " + std::to_string(scales.minCoeff()));
    if (scales.maxCoeff() - scales.minCoeff() > scaleTolerance * mean)
        throw Error(where,
                    "is scaled by " + std::to_string(scales.x()) + ", " + std::to_string(scales.y()) + " and " +
                        std::to_string(scales.z()) + ", which shears what hangs on it",
                    "apply the scale before exporting");
    return mean;
}

Similarity similarityOf(const Matrix3& linear, const Vector3& translation, const std::string& where) {
    const double scale = uniformScale(linear.colwise().norm().transpose(), where);
    const Matrix3 rotation = linear / scale;
    const Matrix3 offset = rotation.transpose() * rotation - Matrix3::Identity();
    if (offset.cwiseAbs().maxCoeff() > 2.0 * scaleTolerance)
        throw Error(where, "is sheared", "apply rotations and scales before exporting");
    if (rotation.col(0).cross(rotation.col(1)).dot(rotation.col(2)) < 0.0)
        throw Error(where, "is mirrored", "apply the mirror before exporting");
    return {Rotation(Eigen::Quaterniond(rotation).normalized()), translation, scale};
}

bool differ(const Similarity& a, const Similarity& b) {
    const double size = 1.0 + a.translation.norm();
    return (a.translation - b.translation).norm() > 1e-4 * size || a.rotation.angularDistance(b.rotation) > 1e-3 ||
           std::abs(a.scale - b.scale) > 1e-3 * a.scale;
}

Similarity frameOf(const JsonPlace& node, const std::string& name) {
    const std::string where = node.where() + ": bone \"" + name + "\"";
    if (node.has("matrix")) {
        const std::vector<double> m = node.at("matrix").numbers(16);  // column by column
        if (m[3] != 0.0 || m[7] != 0.0 || m[11] != 0.0 || m[15] != 1.0)
            throw Error(where, "has a matrix whose last row is not 0 0 0 1");
        Matrix3 linear;
        linear << m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10];
        return similarityOf(linear, Vector3(m[12], m[13], m[14]), where);
    }
    Similarity frame;
    if (node.has("translation")) {
        const std::vector<double> t = node.at("translation").numbers(3);
        frame.translation = Vector3(t[0], t[1], t[2]);
    }
    if (node.has("rotation")) {
        const std::vector<double> q = node.at("rotation").numbers(4);
        frame.rotation = Rotation(q[3], q[0], q[1], q[2]);
        if (std::abs(frame.rotation.norm() - 1.0) > 1e-2)
            throw Error(where,
                        "has a rotation of the length " + std::to_string(frame.rotation.norm()) + " instead of 1");
        frame.rotation.normalize();
    }
    if (node.has("scale")) {
        const std::vector<double> s = node.at("scale").numbers(3);
        frame.scale = uniformScale(Vector3(s[0], s[1], s[2]), where);
    }
    return frame;
}

}  // namespace pliant::gltf
