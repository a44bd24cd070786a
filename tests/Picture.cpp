// SPDX-License-Identifier: Zlib
#include "Picture.h"

#include <png.h>

#include <algorithm>
#include <stdexcept>

namespace pliant::test {

Picture readPicture(const std::string& file) {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    Picture picture;
    if (png_image_begin_read_from_file(&image, file.c_str())) {
        image.format = PNG_FORMAT_RGB;
        picture.width = static_cast<int>(image.width);
        picture.height = static_cast<int>(image.height);
        picture.pixels.resize(PNG_IMAGE_SIZE(image));
        if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr)) return picture;
    }
    const std::string why = image.message;
    png_image_free(&image);
    throw std::runtime_error(file + ": no picture: " + why);
}

Picture tileOf(const Picture& picture, int columns, int rows, int column, int row) {
    Picture tile;
    tile.width = picture.width / columns;
    tile.height = picture.height / rows;
    for (int y = row * tile.height; y < (row + 1) * tile.height; ++y) {
        const auto line = picture.pixels.begin() + 3 * (y * picture.width + column * tile.width);
        tile.pixels.insert(tile.pixels.end(), line, line + 3 * tile.width);
    }
    return tile;
}

namespace {

/// Degrees; negative: black or grey.
double hueOf(const unsigned char* pixel) {
    const double red = pixel[0], green = pixel[1], blue = pixel[2];
    const double most = std::max({red, green, blue}), range = most - std::min({red, green, blue});
    if (most < 30 || range < 0.25 * most) return -1;
    if (most == red) return 60 * (green - blue) / range + (green < blue ? 360 : 0);
    return most == green ? 120 + 60 * (blue - red) / range : 240 + 60 * (red - green) / range;
}

}  // namespace

double shareOf(const Hues& hues, const Picture& picture) {
    const std::size_t count = picture.pixels.size() / 3;
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double hue = hueOf(&picture.pixels[3 * i]);
        if (hue < 0) continue;
        const bool isWithin =
            hues.from <= hues.to ? hue >= hues.from && hue <= hues.to : hue >= hues.from || hue <= hues.to;
        found += isWithin ? 1 : 0;
    }
    return count > 0 ? static_cast<double>(found) / static_cast<double>(count) : 0.0;
}

}  // namespace pliant::test
