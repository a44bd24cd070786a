// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "pliant/model/CheckModel.h"
#include "pliant/model/DecodeModel.h"
#include "pliant/model/EmbeddedImages.h"
#include "pliant/model/EncodeModel.h"
#include "pliant/model/ModelContainer.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/model/SaveModel.h"
#include "pliant/model/WholeFileWriter.h"

namespace pliant {

std::shared_ptr<const ReducedModel> loadModel(const std::string& path) {
    const ModelContainer container(path);
    auto model = std::make_shared<ReducedModel>();
    decodeModel(container, *model);
    checkModel(*model, path);
    return model;
}

void writeModel(const ReducedModel& model, std::vector<SectionBytes> more, std::uint32_t version,
                const std::string& path) {
    for (const auto& [name, image] : embeddedImages(model, path)) {
        const std::string file = (std::filesystem::path(path).parent_path() / name).string();
        WholeFileWriter writer(file);
        writer.write(image->bytes.data(), image->bytes.size());
        writer.commit();
    }
    std::vector<SectionBytes> sections = encodeModel(model, path);
    std::move(more.begin(), more.end(), std::back_inserter(sections));
    writeContainer(path, sections, std::max(version, neededVersion(model)));
}

void saveModel(const ReducedModel& model, const std::string& path) {
    checkModel(model, path);
    writeModel(model, {}, 1, path);
}

std::vector<ModelSection> listSections(const std::string& path) {
    const ModelContainer container(path);
    std::vector<ModelSection> sections;
    for (const SectionView& view : container.sections()) sections.push_back({view.name, view.size});
    return sections;
}

}  // namespace pliant
