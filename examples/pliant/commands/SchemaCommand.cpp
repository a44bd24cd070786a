// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <memory>

#include "commands/Commands.h"
#include "pliant/scene/SceneKeys.h"

namespace pliant::program {

void addSchemaCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "schema", "the language of scenes as a JSON Schema, by which editors complete keys and mark mistakes");
    const auto markdown = std::make_shared<bool>(false);
    command->add_flag("--markdown", *markdown, "as tables in Markdown: docs/scene-keys.md");
    command->callback(
        [markdown] { fmt::print("{}", *markdown ? scene::sceneKeysAsMarkdown() : scene::sceneSchema()); });
}

}  // namespace pliant::program
