// SPDX-License-Identifier: Zlib
#include "loop/TrajectoryTable.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/mesh/TextFile.h"

namespace pliant::program {
namespace {

/// Where a body is. The map of a bone may scale: its rotation is the one nearest to it.
RigidTransform placeOf(const SceneBody& body, const scene::ScenePoses& poses) {
    if (body.isRigid() || poses.models[static_cast<std::size_t>(body.model)].boneCount == 0) return body.placeIn(poses);
    const Matrix<double, 3, 4>& map =
        *poses.models[static_cast<std::size_t>(body.model)].bonesOf(static_cast<int>(body.number));
    RigidTransform place;
    place.rotation = Eigen::Affine3d(Eigen::Translation3d(map.col(3)) * map.leftCols<3>()).rotation();
    place.translation = map.col(3);
    return place;
}

}  // namespace

TrajectoryTable::TrajectoryTable(const std::string& path, const scene::SceneDescription& scene,
                                 const scene::Models& models)
    : m_bodies(bodiesOf(scene)), m_file(path) {
    for (const scene::LoadedModel& model : models) {
        m_dimensions.push_back(model->dimension());
        m_columns = std::max(m_columns, model->dimension());
    }
    std::string head = "t [s],body,x [m],y [m],z [m],rotation_w,rotation_x,rotation_y,rotation_z";
    for (int j = 0; j < m_columns; ++j) head += fmt::format(",q{} [m sqrt(kg)]", j);
    head += '\n';
    m_file.write(head.data(), head.size());
}

void TrajectoryTable::add(const scene::ScenePoses& poses) {
    const double time = std::round(poses.time * 1e9) / 1e9;  // a sum of steps, whose last digits are rounding
    std::string rows;
    for (const SceneBody& body : m_bodies) {
        if (!body.isShownIn(poses)) continue;
        const RigidTransform place = placeOf(body, poses);
        const Eigen::Quaterniond turn(place.rotation);
        const Vector3& at = place.translation;
        rows += fmt::format("{},{},{},{},{},{},{},{},{}", time, csvField(body.name), at.x(), at.y(), at.z(), turn.w(),
                            turn.x(), turn.y(), turn.z());
        const int r = body.isRigid() ? 0 : m_dimensions[static_cast<std::size_t>(body.model)];
        const double* q = body.coordinatesIn(poses);
        for (int j = 0; j < m_columns; ++j) rows += j < r ? fmt::format(",{}", q[j]) : ",";
        rows += '\n';
    }
    m_file.write(rows.data(), rows.size());
}

void TrajectoryTable::close() {
    m_file.commit();
}

}  // namespace pliant::program
