// SPDX-License-Identifier: Zlib
#include "TestModels.h"

#include <cmath>
#include <cstdlib>
#include <osgUtil/UpdateVisitor>
#include <random>

#include "PixelOf.h"
#include "osgPliant/CpuDeformation.h"
#include "osgPliant/HeadlessViewer.h"

namespace pliant::test {

namespace {

constexpr double pi = 3.14159265358979323846;

struct Field {
    Vector3 amplitude, wave;
    double phase = 0.0;

    Vector3 at(const Vector3& x) const { return amplitude * std::sin(wave.dot(x) + phase); }
    Vector3 normalChange(const Vector3& x, const Vector3& n) const {
        return -wave * (amplitude.dot(n) * std::cos(wave.dot(x) + phase));
    }
};

std::vector<Field> makeFields(int count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<Field> fields(static_cast<std::size_t>(count));
    for (Field& field : fields) {
        field.amplitude = Vector3(uniform(random), uniform(random), uniform(random)).normalized() * 2.0;
        field.wave = Vector3(uniform(random), uniform(random), uniform(random)).normalized() * 4.0;
        field.phase = pi * uniform(random);
    }
    return fields;
}

void fillTorus(SurfaceMesh& surface, const TorusOptions& o) {
    const int columns = o.tube + 1, count = (o.around + 1) * columns;
    surface.positions.resize(3, count);
    surface.normals.resize(3, count);
    surface.texcoords.resize(2, count);
    for (int i = 0; i <= o.around; ++i) {
        for (int j = 0; j <= o.tube; ++j) {
            // Seams repeat the same angles, hence the same bits.
            const double a = 2.0 * pi * (i % o.around) / o.around, b = 2.0 * pi * (j % o.tube) / o.tube;
            const Vector3 out(std::cos(a), 0.0, std::sin(a));
            const Vector3 normal = out * std::cos(b) + Vector3(0.0, std::sin(b), 0.0);
            const int v = i * columns + j;
            surface.positions.col(v) = out * o.ringRadius + normal * o.tubeRadius;
            surface.normals.col(v) = normal;
            surface.texcoords.col(v) << 6.0 * i / o.around, 2.0 * j / o.tube;
        }
    }
    surface.triangles.resize(3, 2 * o.around * o.tube);
    for (int i = 0; i < o.around; ++i) {
        for (int j = 0; j < o.tube; ++j) {
            const int v = i * columns + j, t = 2 * (i * o.tube + j);
            surface.triangles.col(t) << v, v + 1, v + columns + 1;
            surface.triangles.col(t + 1) << v, v + columns + 1, v + columns;
            const int sector = (8 * i / o.around) % o.materials;
            surface.triangleMaterial.push_back(sector);
            surface.triangleMaterial.push_back(sector);
        }
    }
}

}  // namespace

std::shared_ptr<ReducedModel> makeTorus(const TorusOptions& o) {
    auto model = std::make_shared<ReducedModel>();
    model->name = "torus";
    SurfaceMesh& surface = model->surface;
    fillTorus(surface, o);
    for (int m = 0; m < o.materials; ++m) {
        SurfaceMaterial material;
        material.name = "material " + std::to_string(m);
        material.diffuse = m % 2 == 0 ? Vector3(0.72, 0.40, 0.16) : Vector3(0.10, 0.28, 0.55);
        material.specular = Vector3::Constant(0.15);
        material.shininess = 30.0;
        if (m == 0) material.diffuseTexture = o.texture;
        surface.materials.push_back(material);
    }
    const std::vector<Field> fields = makeFields(o.dimension);
    const int d = surface.vertexCount();
    model->basis = MatrixX::Zero(0, o.dimension);
    model->surfaceBasis.resize(3 * d, o.dimension);
    model->surfaceNormalBasis.resize(3 * d, o.dimension);
    for (int j = 0; j < o.dimension; ++j) {
        const Field& field = fields[static_cast<std::size_t>(j)];
        for (int v = 0; v < d; ++v) {
            const Vector3 x = surface.positions.col(v), n = surface.normals.col(v);
            model->surfaceBasis.block<3, 1>(3 * v, j) = field.at(x).cast<float>();
            model->surfaceNormalBasis.block<3, 1>(3 * v, j) = field.normalChange(x, n).cast<float>();
        }
    }
    return model;
}

std::vector<double> makeCoordinates(int dimension, int seed, double size) {
    std::mt19937 random(static_cast<unsigned int>(seed));
    std::uniform_real_distribution<double> uniform(-size, size);
    std::vector<double> q(static_cast<std::size_t>(dimension));
    for (double& value : q) value = uniform(random);
    return q;
}

std::shared_ptr<ReducedModel> freeze(const ReducedModel& model, const std::vector<double>& q) {
    auto frozen = std::make_shared<ReducedModel>();
    frozen->name = model.name + ", frozen";
    frozen->surface = model.surface;
    PointsF positions, normals;
    osgPliant::deformOnCpu(model, q.data(), positions, normals);
    frozen->surface.positions = positions.cast<double>();
    frozen->surface.normals = normals.cast<double>();
    frozen->basis = MatrixX::Zero(0, 0);
    frozen->surfaceBasis = MatrixXf::Zero(positions.size(), 0);
    frozen->surfaceNormalBasis = MatrixXf::Zero(positions.size(), 0);
    return frozen;
}

void updateOnce(osg::Node& node) {
    osgUtil::UpdateVisitor visitor;
    visitor.setFrameStamp(new osg::FrameStamp);
    node.accept(visitor);
}

osg::ref_ptr<osg::Image> renderPicture(osg::Node* scene, const std::string& name, const osg::Vec3d& eye,
                                       const osg::Vec3d& centre, int width, int height) {
    osgPliant::HeadlessOptions options;
    options.width = width;
    options.height = height;
    osgPliant::HeadlessViewer viewer(options);
    if (!viewer.isValid()) return nullptr;
    viewer.setScene(scene);
    viewer.setCamera(eye, centre, osg::Vec3d(0.0, 1.0, 0.0));
    const osg::Image* frame = viewer.render(0.0);
    if (!frame) return nullptr;
    const char* folder = std::getenv("PLIANT_TEST_PICTURES");
    if (folder && *folder) osgPliant::saveImage(*frame, std::string(folder) + "/" + name + ".png");
    return new osg::Image(*frame, osg::CopyOp::DEEP_COPY_ALL);
}

int countDifferentPixels(const osg::Image& a, const osg::Image& b, int tolerance) {
    int count = 0;
    for (int y = 0; y < a.t(); ++y) {
        for (int x = 0; x < a.s(); ++x) {
            const unsigned char *p = pixelOf(a, x, y), *q = pixelOf(b, x, y);
            bool differs = false;
            for (int channel = 0; channel < 3; ++channel) differs |= std::abs(p[channel] - q[channel]) > tolerance;
            count += differs ? 1 : 0;
        }
    }
    return count;
}

double meanBrightness(const osg::Image& image, int left, int bottom, int width, int height) {
    double sum = 0.0;
    for (int y = bottom; y < bottom + height; ++y) {
        for (int x = left; x < left + width; ++x) {
            for (int channel = 0; channel < 3; ++channel) sum += pixelOf(image, x, y)[channel];
        }
    }
    return sum / (3.0 * width * height);
}

bool hasOpenGL(std::string* problem) {
    osgPliant::HeadlessOptions options;
    options.width = options.height = 16;
    return osgPliant::createHeadlessContext(options, problem).valid();
}

}  // namespace pliant::test
