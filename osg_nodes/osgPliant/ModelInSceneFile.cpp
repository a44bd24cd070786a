// SPDX-License-Identifier: Zlib
#include "osgPliant/ModelInSceneFile.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <osg/Notify>
#include <osgDB/FileNameUtils>
#include <osgDB/FileUtils>
#include <sstream>
#include <system_error>

namespace osgPliant {

namespace {

const char* const digits = "0123456789abcdef";

/// A file in a folder that nobody else may enter; both go with this object.
class TemporaryFile {
public:
    TemporaryFile() {
        std::error_code unknown;  // a TMPDIR that is not there
        const std::filesystem::path named = std::filesystem::temp_directory_path(unknown);
        std::string name = ((unknown ? "/tmp" : named) / "pliant_model_XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::system_error(errno, std::generic_category(), name);
        _folder = name;
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove_all(_folder, ignored);
    }
    std::filesystem::path path() const { return _folder / "model.pliant"; }

private:
    std::filesystem::path _folder;
};

std::string bytesOf(const pliant::ReducedModel& model) {
    const TemporaryFile temporary;
    pliant::saveModel(model, temporary.path().string());
    std::ifstream file(temporary.path(), std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

std::shared_ptr<const pliant::ReducedModel> modelOf(const std::string& bytes) {
    const TemporaryFile temporary;
    std::ofstream(temporary.path(), std::ios::binary) << bytes;
    return pliant::loadModel(temporary.path().string());
}

std::string toHex(const std::string& bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

std::string fromHex(const std::string& text) {
    const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::string bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        bytes += static_cast<char>(16 * value(text[i]) + value(text[i + 1]));
    return bytes;
}

}  // namespace

std::shared_ptr<const pliant::ReducedModel> loadOnce(const std::string& path) {
    struct Entry {
        std::filesystem::file_time_type written;
        std::weak_ptr<const pliant::ReducedModel> model;
    };
    static std::mutex mutex;
    static std::map<std::string, Entry> loaded;
    const std::lock_guard<std::mutex> lock(mutex);
    std::error_code ignored;  // what cannot be asked cannot be loaded, which tells why
    const std::filesystem::file_time_type written = std::filesystem::last_write_time(path, ignored);
    Entry& known = loaded[osgDB::getRealPath(path)];
    std::shared_ptr<const pliant::ReducedModel> model = known.model.lock();
    if (!model || known.written != written) {
        model = pliant::loadModel(path);
        known = {written, model};
    }
    return model;
}

void writeModel(osgDB::OutputStream& out, const std::string& file, const pliant::ReducedModel& model) {
    try {
        out.writeWrappedString(file);
        out.writeWrappedString(file.empty() ? toHex(bytesOf(model)) : std::string());
    } catch (const std::exception& problem) {
        OSG_WARN << "osgPliant: cannot write a model into a scene: " << problem.what() << std::endl;
        out.throwException(problem.what());  // the writer then says that the file is not whole
    }
}

std::shared_ptr<const pliant::ReducedModel> readModel(osgDB::InputStream& in, std::string& file) {
    std::string text;
    in.readWrappedString(file);
    in.readWrappedString(text);
    try {
        if (file.empty()) return modelOf(fromHex(text));
        const std::string found = osgDB::findDataFile(file, in.getOptions());
        return loadOnce(found.empty() ? file : found);
    } catch (const std::exception& problem) {
        OSG_WARN << "osgPliant: " << problem.what() << std::endl;
        return nullptr;
    }
}

}  // namespace osgPliant
