// SPDX-License-Identifier: Zlib
// Inside of BodyGroup; not installed.
#pragma once

#include <mutex>
#include <osg/TextureBuffer>
#include <vector>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/BodyPick.h"
#include "osgPliant/BodyStates.h"

namespace osgPliant {

struct BodyGroup::Data {
    mutable std::mutex mutex;  ///< guards `written` and `changed`
    BodyStates written;        ///< by setBody()
    bool changed = false;

    BodyStates shown;  ///< touched in the update traversal only
    bool updated = false;
    osg::BoundingBoxd bound;  ///< of `shown`

    osg::ref_ptr<osg::StateSet> state;  ///< of all parts: the model's state and the bodies' buffer
    osg::ref_ptr<osg::FloatArray> texels;
    std::vector<osg::ref_ptr<osg::Geometry>> parts;
    std::vector<osg::ref_ptr<BodyPick>> picks;
    std::vector<float> packing;
    int instances = 0;

    /// What intersectors see: the drawn bodies, or, before the first update traversal, what was written.
    const BodyStates& readable() const { return updated ? shown : written; }
};

}  // namespace osgPliant
