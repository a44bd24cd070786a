// SPDX-License-Identifier: Zlib
// basket_generator OUT.obj [TEXTURE.png]: writes the basket of the basket drop, and the fibre texture of its strands.
#include <png.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

#include "Basket.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ReadObj.h"

namespace {

/// Repeatable noise in [0, 1] from integer coordinates.
double hashNoise(std::uint32_t x, std::uint32_t y) {
    std::uint32_t h = x * 0x9E3779B1u ^ (y + 0x85EBCA77u) * 0xC2B2AE3Du;
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12)) * 0x297A2D39u;
    return static_cast<double>(h ^ (h >> 15)) / 4294967295.0;
}

/// Fibres run along the strand (x); brightness changes slowly along them and fast across. Tiles in both directions.
std::vector<std::uint8_t> fibreTexture(int width, int height) {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    const int knots = 8;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double along = static_cast<double>(x) * knots / width;
            const int k = static_cast<int>(along);
            const double t = along - k, smooth = t * t * (3.0 - 2.0 * t);
            const auto row = static_cast<std::uint32_t>(y);
            const double a = hashNoise(static_cast<std::uint32_t>(k), row),
                         b = hashNoise(static_cast<std::uint32_t>((k + 1) % knots), row);
            const double fibre = a + (b - a) * smooth;
            const double grain = hashNoise(static_cast<std::uint32_t>(x) + 1000u, row);
            const double value = 0.74 + 0.22 * fibre + 0.04 * grain;
            std::uint8_t* p =
                &pixels[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) *
                        3];
            p[0] = static_cast<std::uint8_t>(std::lround(255.0 * value));
            p[1] = static_cast<std::uint8_t>(std::lround(255.0 * value * (0.97 + 0.03 * fibre)));
            p[2] = static_cast<std::uint8_t>(std::lround(255.0 * value * (0.92 + 0.05 * fibre)));
        }
    return pixels;
}

void writeTexture(const std::string& path) {
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = 256;
    image.height = 64;
    image.format = PNG_FORMAT_RGB;
    const std::vector<std::uint8_t> pixels = fibreTexture(256, 64);
    if (png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr) == 0)
        throw pliant::Error(path, std::string("cannot write the texture: ") + image.message);
}

/// Rounds what goes into the file: a micrometre is finer than any picture, and short numbers keep the file small.
void round(pliant::SurfaceMesh& mesh) {
    const auto to = [](auto& values, double scale) {
        for (Eigen::Index i = 0; i < values.size(); ++i) {
            auto& value = values.data()[i];
            value = static_cast<std::decay_t<decltype(value)>>(std::round(static_cast<double>(value) * scale) / scale);
        }
    };
    to(mesh.positions, 1e6);
    to(mesh.normals, 1e4);
    to(mesh.texcoords, 1e4);
    to(mesh.colours, 256.0);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: basket_generator OUT.obj [TEXTURE.png]\n");
        return 1;
    }
    try {
        const basket::Basket made = basket::makeBasket({});
        pliant::SurfaceMesh surface = basket::makeSurface(made);
        round(surface);
        pliant::writeObj(surface, argv[1]);
        if (argc == 3) writeTexture(argv[2]);
        std::printf("%s: %zu strands, %d vertices, %d triangles\n", argv[1], made.strands.size(), surface.vertexCount(),
                    surface.triangleCount());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "basket_generator: error: %s\n", error.what());
        return 1;
    }
    return 0;
}
