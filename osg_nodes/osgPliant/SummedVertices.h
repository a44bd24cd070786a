// SPDX-License-Identifier: Zlib
// The texture buffer with the sums U q and dN q of the bodies that a pass draws, for renderers whose vertex shaders are
// dearer than the processor's own kernels.
#pragma once

#include <osg/Array>
#include <osg/BufferObject>
#include <osg/StateSet>
#include <osg/TextureBuffer>
#include <vector>

#include "osgPliant/Deformation.h"

namespace osgPliant {

/// A pass's own, as all that it draws (BodyPass.h). A body keeps its place, so the sums of bodies that rest are neither
/// made nor sent again, wherever the eye is. Every body has an array of its own in one buffer object, of which
/// OpenSceneGraph sends those that have changed.
class SummedVertices {
public:
    /// @param deformation without bones, kept
    explicit SummedVertices(const Deformation& deformation);
    ~SummedVertices();

    /// What sums are made for.
    struct Demand {
        std::size_t vertices = 0;   ///< Number d.
        std::size_t dimension = 0;  ///< Number r.
        std::size_t bodies = 0;     ///< Number N.
        std::size_t passes = 1;     ///< Number P, of one cull visitor.
    };
    /// Whether the sums have room in a texture buffer of the context, and in the 256 MiB that a cull visitor may take:
    /// 24 P d N bytes for them and 24 d r for the basis of the kernels (VertexSums).
    /// @param mostTexels GL_MAX_TEXTURE_BUFFER_SIZE
    static bool fits(const Demand& demand, std::size_t mostTexels);

    /// The buffer, with three numbers in a texel (TexelLayout.h).
    osg::TextureBuffer* getTexture() const { return _texture; }
    /// Makes room for bodies 0 to count - 1.
    void setBodyCount(std::size_t count);
    /// The place of a body, counted from 0, and a note of its coordinates. @param q r scaled coordinates, copied
    int place(int body, const float* q);
    /// Makes the sums of the bodies whose coordinates have changed. @return how many
    int update();

private:
    void addPlaces();

    /// The arrays of all places. The texture owns it: draw threads keep textures that they have still to draw with, and
    /// a buffer object forgets arrays that nobody else keeps.
    struct Arrays;
    osg::ref_ptr<Arrays> _arrays;
    const osg::ref_ptr<const Deformation> _deformation;
    osg::ref_ptr<osg::VertexBufferObject> _buffer;
    osg::ref_ptr<osg::FloatArray> _head;  ///< Data that the texture goes by: sent whenever anything is.
    osg::ref_ptr<osg::TextureBuffer> _texture;
    std::vector<int> _placeOf;  ///< Place of every body; -1: none yet.
    std::size_t _placed = 0;
    /// What is in a place.
    struct Place {
        std::vector<float> q;  ///< Coordinates of the sums; empty where there are none.
        osg::ref_ptr<osg::FloatArray> numbers;
    };
    std::vector<Place> _places;
    std::vector<std::size_t> _changed;
};

}  // namespace osgPliant
