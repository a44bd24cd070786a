// SPDX-License-Identifier: Zlib
// What pliant-import tells through its pipe. What is accepted is packed and unpacked again, to the same notes and
// bytes.
#include "../Door.h"
#include "pliant/math/Error.h"
#include "pliant/rig/import/ImportFile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace pliant;
    static fuzz::Acceptance acceptance("import");
    const fuzz::MemoryLimit limit(size);
    bool accepted = false;
    try {
        const std::string message(reinterpret_cast<const char*>(data), size);
        const import::Imported told = import::unpackImported(message, "fox.fbx");
        accepted = true;
        const import::Imported again = import::unpackImported(import::packImported(told, ""), "fox.fbx");
        fuzz::expect(again.glb == told.glb && again.notes == told.notes, "what is packed is unpacked");
    } catch (const Error&) {
        fuzz::expect(!accepted, "what was unpacked can be packed");
    }
    acceptance.note(accepted);
    return 0;
}
