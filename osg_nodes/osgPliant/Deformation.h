// SPDX-License-Identifier: Zlib
/// @file
/// How drawn vertices move with the reduced coordinates of a model, u = U q, and with the bones of a character: for the
/// graphics card and for picking.
#pragma once

#include <memory>
#include <mutex>
#include <osg/BoundingBox>
#include <osg/Matrixd>
#include <osg/Referenced>
#include <osg/TextureBuffer>
#include <vector>

#include "osgPliant/VertexBones.h"
#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace osgPliant {

class VertexSums;

/// Where the sums U q and dN q of drawn vertices are made.
enum SumPlace {
    SumsByRenderer,     ///< On the processor where vertex shaders run on it too, else in vertex shaders.
    SumsOnProcessor,    ///< By the processor, once a pass, where contexts, bodies and look allow it.
    SumsInVertexShader  ///< In vertex shaders, always.
};

/// How d drawn vertices move with r reduced coordinates: x = X + U q, n = N + dN q, in the *rest frame*, that of X.
/// Immutable after construction, so bodies, scenes and draw threads may share it.
///
/// The texture buffer holds, per vertex and per chunk of four reduced coordinates, six texels (Ux, Uy, Uz, dNx, dNy,
/// dNz), each of the four coordinates; columns are divided by getColumnScale() so that half floats keep 11 bits
/// whatever the units of q are. Vertices of a character are then carried by its bones (VertexBones.h), from the rest
/// frame into the *placed frame*, which for other bodies is the rest frame; six more texels a vertex tell which.
class PLIANT_API Deformation : public osg::Referenced {
public:
    /// Numbers in the texture buffer.
    enum Precision { HalfFloat, Float };

    /// What the vertices are at rest and how they move.
    struct Rows {
        pliant::Points positions;  ///< X, 3 x d, m.
        pliant::MatrixXf basis;    ///< U, 3d x r.
        pliant::MatrixXf normals;  ///< How normals change with q, dN, 3d x r; no rows where normals stay as they are.
        pliant::Triangles triangles;  ///< What intersectors hit, 3 x t.
        VertexBones bones;            ///< What vertices follow; none for bodies that are no characters.
    };

    /// Makes the texture buffer.
    /// @param rows         taken over
    /// @param bodyFromRest the rest frame in the model's body frame
    /// @param precision    of the basis on the graphics card; half floats need half of its memory
    Deformation(Rows rows, const osg::Matrixd& bodyFromRest, Precision precision);

    /// The number r of reduced coordinates.
    int getDimension() const { return static_cast<int>(_rows.basis.cols()); }
    /// Numbers in the texture buffer.
    Precision getPrecision() const { return _precision; }
    /// The number d of vertices.
    int getVertexCount() const { return static_cast<int>(_rows.positions.cols()); }
    /// Chunks of four reduced coordinates: ceil(r / 4).
    int getChunkCount() const { return (getDimension() + 3) / 4; }
    /// Factors, r of them: the shader gets q_j * columnScale_j.
    const std::vector<float>& getColumnScale() const { return _columnScale; }
    /// The rest frame in the body frame.
    const osg::Matrixd& getBodyFromRest() const { return _bodyFromRest; }
    /// The texture buffer of U and dN.
    osg::TextureBuffer* getTexture() const { return _texture.get(); }
    /// The triangles that intersectors hit, 3 x t.
    const pliant::Triangles& getTriangles() const { return _rows.triangles; }
    /// X, 3 x d, m.
    const pliant::Points& getRestPositions() const { return _rows.positions; }

    /// The number B of bones that vertices follow; 0 for bodies that are no characters.
    int getBoneCount() const { return _rows.bones.boneCount; }
    /// Which bones the vertices follow.
    const VertexBones& getVertexBones() const { return _rows.bones; }
    /// Texels of the basis that a vertex has.
    int getVertexTexelCount() const;

    /// Box in the placed frame that holds the surface deformed by q on its bones. Each point is a mean of where its
    /// bones put it, so it is inside of the boxes of all bones that it follows, taken together.
    /// @param bones B maps, rest frame -> placed frame
    osg::BoundingBoxd getBound(const double* q, const pliant::AffineMap* bones) const;
    /// Positions p, 3 x d, in the placed frame, on the CPU. @param bones B maps, rest frame -> placed frame
    pliant::PointsF getPositions(const double* q, const pliant::AffineMap* bones) const;
    /// Normals N + dN q as bones turn them, of unit length, in the placed frame, on the CPU.
    /// @param normals N at rest, 3 x d  @param bones B maps, rest frame -> placed frame
    pliant::PointsF getNormals(const double* q, const pliant::AffineMap* bones, const pliant::PointsF& normals) const;

    /// Box in the rest frame that holds the surface deformed by q: rest box -+ sum_j |q_j| max_i |U_ij|, by coordinate.
    osg::BoundingBoxd getBound(const double* q) const;
    /// X + U q, 3 x d, in the rest frame, on the CPU.
    pliant::PointsF getPositions(const double* q) const;
    /// Changes dN q, 3 x d, in the rest frame, on the CPU: what is added to the normals at rest. Numbers are those of
    /// the texture buffer.
    pliant::PointsF getNormalChanges(const double* q) const;

    /// The number of the texture buffer that vertex `vertex` has for coordinate `column`, divided by its scale.
    /// @param number 0 to 2: U along x, y, z; 3 to 5: dN
    float getTexelNumber(int vertex, int number, int column) const;
    /// The numbers of the texture buffer for kernels of the processor, for this library itself; made by the first call.
    /// Any thread; not of characters.
    const VertexSums& getSums() const;
    /// Whether anybody has called getSums().
    bool hasSums() const;

protected:
    ~Deformation() override;

private:
    void measureColumns();
    void measureBones();
    void createTexture(Precision precision);

    Rows _rows;
    Precision _precision;
    osg::Matrixd _bodyFromRest;
    osg::ref_ptr<osg::TextureBuffer> _texture;
    std::vector<float> _columnScale;
    osg::BoundingBoxd _restBound;
    pliant::Points _columnReach;  ///< 3 x r: max_i |U_ij| by coordinate
    /// Of a bone: what follows it at rest, and its own max |U_ij|.
    struct BoneReach {
        osg::BoundingBoxd rest;
        pliant::Points columns;  ///< 3 x r
    };
    std::vector<BoneReach> _boneReach;
    mutable std::mutex _sumsMutex;
    mutable std::unique_ptr<const VertexSums> _sums;
};

}  // namespace osgPliant
