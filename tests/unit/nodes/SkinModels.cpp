// SPDX-License-Identifier: Zlib
#include "SkinModels.h"

#include <cstdlib>
#include <osg/Material>
#include <osg/MatrixTransform>

#include "PixelOf.h"
#include "TestModels.h"
#include "osgPliant/Conversions.h"
#include "pliant/model/SurfaceFollowsMesh.h"

namespace pliant::test {

std::shared_ptr<ReducedModel> makeBrickTorus() {
    const auto torus = makeTorus();
    auto model = std::make_shared<ReducedModel>();
    model->name = "torus in bricks";
    model->meshFromBody.translation = Vector3(0.02, -0.01, 0.03);
    model->meshFromBody.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    const int count[3] = {4, 3, 4};
    const Vector3 least(-0.511, -0.153, -0.507), step(0.25, 0.1, 0.25);
    VolumeMesh& mesh = model->mesh;
    mesh.kind = ElementKind::Brick;
    const auto vertex = [&](int i, int j, int k) { return (k * (count[1] + 1) + j) * (count[0] + 1) + i; };
    mesh.positions.resize(3, vertex(count[0], count[1], count[2]) + 1);
    mesh.elements.resize(8, count[0] * count[1] * count[2]);
    int element = 0;
    for (int k = 0; k <= count[2]; ++k) {
        for (int j = 0; j <= count[1]; ++j) {
            for (int i = 0; i <= count[0]; ++i) {
                mesh.positions.col(vertex(i, j, k)) = least + step.cwiseProduct(Vector3(i, j, k));
                if (i == count[0] || j == count[1] || k == count[2]) continue;
                mesh.elements.col(element++) << vertex(i, j, k), vertex(i + 1, j, k), vertex(i + 1, j + 1, k),
                    vertex(i, j + 1, k), vertex(i, j, k + 1), vertex(i + 1, j, k + 1), vertex(i + 1, j + 1, k + 1),
                    vertex(i, j + 1, k + 1);
            }
        }
    }
    std::srand(11);
    model->basis = MatrixX::Random(3 * mesh.positions.cols(), brickTorusDimension);
    MatrixX basis = model->basis;
    for (Eigen::Index v = 0; v < mesh.positions.cols(); ++v)
        basis.middleRows<3>(3 * v) = model->meshFromBody.rotation * model->basis.middleRows<3>(3 * v);
    followMesh(torus->surface, basis, *model);
    return model;
}

osg::ref_ptr<osg::Texture2D> makeChecker() {
    osg::ref_ptr<osg::Image> image = new osg::Image;
    image->allocateImage(16, 16, 1, GL_RGB, GL_UNSIGNED_BYTE);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x)
            for (int c = 0; c < 3; ++c)
                pixelOf(*image, x, y)[c] = static_cast<unsigned char>((x / 4 + y / 4) % 2 ? 255 : 90 + 40 * c);
    osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D(image);
    texture->setWrap(osg::Texture::WRAP_S, osg::Texture::REPEAT);
    texture->setWrap(osg::Texture::WRAP_T, osg::Texture::REPEAT);
    return texture;
}

osg::ref_ptr<osg::Geometry> makeGeometry(const SurfaceMesh& surface) {
    osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array, normals = new osg::Vec3Array;
    osg::ref_ptr<osg::Vec2Array> texcoords = new osg::Vec2Array;
    for (int v = 0; v < surface.vertexCount(); ++v) {
        positions->push_back(osg::Vec3(osgPliant::toOsg(surface.positions.col(v))));
        normals->push_back(osg::Vec3(osgPliant::toOsg(surface.normals.col(v))));
        if (surface.texcoords.cols() != surface.positions.cols()) continue;
        texcoords->push_back(
            osg::Vec2(static_cast<float>(surface.texcoords(0, v)), static_cast<float>(surface.texcoords(1, v))));
    }
    osg::ref_ptr<osg::DrawElementsUInt> triangles = new osg::DrawElementsUInt(GL_TRIANGLES);
    for (Eigen::Index i = 0; i < surface.triangles.size(); ++i)
        triangles->push_back(static_cast<unsigned int>(surface.triangles.data()[i]));
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setVertexArray(positions);
    geometry->setNormalArray(normals, osg::Array::BIND_PER_VERTEX);
    if (!texcoords->empty()) geometry->setTexCoordArray(0, texcoords, osg::Array::BIND_PER_VERTEX);
    geometry->addPrimitiveSet(triangles);
    return geometry;
}

osg::ref_ptr<osg::Group> makeSkinNode(const SurfaceMesh& surface) {
    osg::ref_ptr<osg::Geometry> geometry = makeGeometry(surface);
    osg::ref_ptr<osg::Material> material = new osg::Material;
    material->setAmbient(osg::Material::FRONT_AND_BACK, osg::Vec4(0.3f, 0.2f, 0.2f, 1.0f));
    material->setDiffuse(osg::Material::FRONT_AND_BACK, osg::Vec4(0.9f, 0.7f, 0.5f, 1.0f));
    material->setSpecular(osg::Material::FRONT_AND_BACK, osg::Vec4(0.4f, 0.4f, 0.5f, 1.0f));
    material->setShininess(osg::Material::FRONT_AND_BACK, 20.0f);
    geometry->getOrCreateStateSet()->setAttributeAndModes(material);
    geometry->getOrCreateStateSet()->setTextureAttributeAndModes(0, makeChecker());
    osg::ref_ptr<osg::MatrixTransform> there = new osg::MatrixTransform(osg::Matrixd::translate(0.0, 5.0, 0.0));
    osg::ref_ptr<osg::MatrixTransform> back = new osg::MatrixTransform(osg::Matrixd::translate(0.0, -5.0, 0.0));
    osg::ref_ptr<osg::Group> node = new osg::Group;
    node->addChild(there);
    there->addChild(back);
    back->addChild(geometry);
    return node;
}

SurfaceMesh inMeshFrame(const ReducedModel& model, const std::vector<double>& q) {
    SurfaceMesh surface = freeze(model, q)->surface;
    surface.positions = (model.meshFromBody.rotation * surface.positions).colwise() + model.meshFromBody.translation;
    surface.normals = model.meshFromBody.rotation * surface.normals;
    return surface;
}

}  // namespace pliant::test
