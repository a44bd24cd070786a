// SPDX-License-Identifier: Zlib
// Pixels of OpenSceneGraph's images by the numbers that tests count with.
#pragma once

#include <osg/Image>

namespace pliant::test {

/// The bytes of a pixel. @param x from the left @param y from below
inline unsigned char* pixelOf(osg::Image& image, int x, int y) {
    return image.data(static_cast<unsigned int>(x), static_cast<unsigned int>(y));
}
inline const unsigned char* pixelOf(const osg::Image& image, int x, int y) {
    return image.data(static_cast<unsigned int>(x), static_cast<unsigned int>(y));
}

}  // namespace pliant::test
