// SPDX-License-Identifier: Zlib
// Where the costly shapes of a body may wait for the next reduction.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

/// What a stage depends on besides the full model itself (mesh, materials, mass, fixed vertices) is told as text; the
/// model is the business of whoever makes the cache.
class StageCache {
public:
    virtual ~StageCache() = default;
    /// What keep() was given for the same stage and text. @return false, `matrices` untouched, where there is nothing
    virtual bool find(const std::string& stage, const std::string& dependsOn, std::vector<MatrixX>& matrices) = 0;
    virtual void keep(const std::string& stage, const std::string& dependsOn, const std::vector<MatrixX>& matrices) = 0;
};

}  // namespace pliant
