// SPDX-License-Identifier: Zlib
// Small input files for the pipeline.
#pragma once

#include <functional>
#include <string>

#include "pliant/mesh/VolumeMesh.h"
#include "pliant/model/ReducedModel.h"

namespace pliant::test {

/// An empty folder that is removed with its contents.
class InputFolder {
public:
    InputFolder();
    ~InputFolder();
    InputFolder(const InputFolder&) = delete;
    InputFolder& operator=(const InputFolder&) = delete;
    std::string file(const std::string& name) const { return m_path + "/" + name; }
    std::string write(const std::string& name, const std::string& text) const;  ///< @return its path

private:
    std::string m_path;
};

/// The bricks of an a x b x c block for which `keep(i, j, k)` holds, vertices without a brick left out.
VolumeMesh bricks(int a, int b, int c, const Vector3& sides, const std::function<bool(int, int, int)>& keep);

/// An L without any symmetry, 2 materials, 20 bricks.
VolumeMesh lopsidedBricks();

/// Every brick cut into six tetrahedra.
VolumeMesh tetrahedra(const VolumeMesh& bricks);

/// The basis in the mesh frame.
inline MatrixX meshBasis(const ReducedModel& model) {
    MatrixX result = model.basis;
    for (Eigen::Index row = 0; row < result.rows(); row += 3)
        result.middleRows<3>(row) = model.meshFromBody.rotation * model.basis.middleRows<3>(row);
    return result;
}

}  // namespace pliant::test
