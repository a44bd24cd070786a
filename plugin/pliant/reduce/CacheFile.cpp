// SPDX-License-Identifier: Zlib
#include "pliant/reduce/CacheFile.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "pliant/math/Error.h"
#include "pliant/model/WholeFileWriter.h"

namespace pliant {
namespace {

constexpr char magic[8] = {'P', 'L', 'I', 'A', 'N', 'T', 'S', 'C'};
constexpr std::uint64_t version = 1;
constexpr std::int64_t longestText = 1 << 24, mostMatrices = 16;

template <typename Number>
bool readNumber(std::istream& in, Number& value) {
    return static_cast<bool>(in.read(reinterpret_cast<char*>(&value), sizeof value));
}

bool readText(std::istream& in, std::string& text) {
    std::int64_t size = 0;
    if (!readNumber(in, size) || size < 0 || size > longestText) return false;
    text.resize(static_cast<std::size_t>(size));
    return static_cast<bool>(in.read(text.data(), size));
}

template <typename Number>
void writeNumber(WholeFileWriter& out, Number value) {
    out.write(&value, sizeof value);
}

void writeText(WholeFileWriter& out, const std::string& text) {
    writeNumber(out, static_cast<std::int64_t>(text.size()));
    out.write(text.data(), text.size());
}

std::size_t bytesOf(const MatrixX& matrix) {
    return static_cast<std::size_t>(matrix.size()) * sizeof(double);
}

std::uint64_t checksumOf(const std::vector<MatrixX>& matrices) {
    std::uint64_t hash = 0;
    for (const MatrixX& matrix : matrices) hash = XXH3_64bits_withSeed(matrix.data(), bytesOf(matrix), hash);
    return hash;
}

class Hasher {
public:
    Hasher() : m_state(XXH3_createState()) { XXH3_128bits_reset(m_state); }
    ~Hasher() { XXH3_freeState(m_state); }
    Hasher(const Hasher&) = delete;
    Hasher& operator=(const Hasher&) = delete;
    void add(const void* bytes, std::size_t size) {
        XXH3_128bits_update(m_state, &size, sizeof size);
        XXH3_128bits_update(m_state, bytes, size);
    }
    std::string hex() const {
        const XXH128_hash_t hash = XXH3_128bits_digest(m_state);
        char text[33];
        std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                      static_cast<unsigned long long>(hash.low64));
        return text;
    }

private:
    XXH3_state_t* m_state;
};

}  // namespace

std::string fullModelHash(const FullModel& model, const std::vector<int>& fixedVertices) {
    const VolumeMesh& mesh = model.mesh();
    Hasher hasher;
    const std::string generator = PLIANT_VERSION;
    hasher.add(generator.data(), generator.size());
    hasher.add(mesh.positions.data(), static_cast<std::size_t>(mesh.positions.size()) * sizeof(double));
    hasher.add(mesh.elements.data(), static_cast<std::size_t>(mesh.elements.size()) * sizeof(int));
    hasher.add(mesh.elementMaterial.data(), mesh.elementMaterial.size() * sizeof(int));
    for (const VectorX* share : {&mesh.elementShare, &mesh.elementBending})
        if (share->size() > 0) hasher.add(share->data(), static_cast<std::size_t>(share->size()) * sizeof(double));
    if (mesh.elementBending.size() > 0) {
        const std::string law = "assumed strain";  // other shapes than with plain weights, which had the same numbers
        hasher.add(law.data(), law.size());
        hasher.add(mesh.bendingFill.data(), 3 * sizeof(double));
    }
    if (mesh.filledBoxes.size() > 0)
        hasher.add(mesh.filledBoxes.data(), static_cast<std::size_t>(mesh.filledBoxes.size()) * sizeof(double));
    for (const ElasticMaterial& material : mesh.materials) {
        const Matrix6 C = stiffnessMatrix(material);
        hasher.add(C.data(), sizeof(double) * static_cast<std::size_t>(C.size()));
        hasher.add(&material.density, sizeof material.density);
    }
    const SparseMatrix& M = model.massMatrix();  // consistent or lumped
    hasher.add(M.valuePtr(), static_cast<std::size_t>(M.nonZeros()) * sizeof(double));
    hasher.add(fixedVertices.data(), fixedVertices.size() * sizeof(int));
    return hasher.hex();
}

CacheFile::CacheFile(std::string path, std::string modelHash) : m_path(std::move(path)), m_hash(std::move(modelHash)) {
    readEntries();
}

void CacheFile::readEntries() {
    m_entries.clear();
    std::ifstream in(m_path, std::ios::binary | std::ios::ate);
    if (!in) return;
    const std::int64_t fileBytes = in.tellg();
    in.seekg(0);
    char found[sizeof magic];
    std::uint64_t foundVersion = 0;
    std::string hash;
    if (!in.read(found, sizeof found) || std::memcmp(found, magic, sizeof magic) != 0 ||
        !readNumber(in, foundVersion) || foundVersion != version || !readText(in, hash) || hash != m_hash)
        return;
    for (;;) {
        Entry entry;
        std::int64_t count = 0;
        if (!readText(in, entry.stage) || !readText(in, entry.dependsOn) || !readNumber(in, entry.checksum) ||
            !readNumber(in, count) || count < 0 || count > mostMatrices)
            return;
        entry.sizes.resize(static_cast<std::size_t>(count));
        for (auto& [rows, columns] : entry.sizes) {
            if (!readNumber(in, rows) || !readNumber(in, columns) || rows < 0 || columns < 0 ||
                (columns > 0 && rows > fileBytes / columns))
                return;
            entry.dataBytes += rows * columns * static_cast<std::int64_t>(sizeof(double));
        }
        entry.dataBegin = in.tellg();
        if (entry.dataBegin + entry.dataBytes > fileBytes) return;  // cut off
        in.seekg(entry.dataBegin + entry.dataBytes);
        m_entries.push_back(std::move(entry));
    }
}

bool CacheFile::find(const std::string& stage, const std::string& dependsOn, std::vector<MatrixX>& matrices) {
    const auto entry = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& e) { return e.stage == stage && e.dependsOn == dependsOn; });
    if (entry == m_entries.end()) return false;
    std::ifstream in(m_path, std::ios::binary);
    in.seekg(entry->dataBegin);
    std::vector<MatrixX> read;
    for (const auto& [rows, columns] : entry->sizes) {
        read.emplace_back(rows, columns);
        if (!in.read(reinterpret_cast<char*>(read.back().data()), static_cast<std::streamsize>(bytesOf(read.back()))))
            return false;
    }
    if (checksumOf(read) != entry->checksum) return false;
    matrices = std::move(read);
    m_found.push_back(stage);
    return true;
}

void CacheFile::keep(const std::string& stage, const std::string& dependsOn, const std::vector<MatrixX>& matrices) {
    const auto writeHead = [](WholeFileWriter& out, const Entry& e) {
        writeText(out, e.stage);
        writeText(out, e.dependsOn);
        writeNumber(out, e.checksum);
        writeNumber(out, static_cast<std::int64_t>(e.sizes.size()));
        for (const auto& [rows, columns] : e.sizes) {
            writeNumber(out, rows);
            writeNumber(out, columns);
        }
    };
    try {
        WholeFileWriter out(m_path);
        out.write(magic, sizeof magic);
        writeNumber(out, version);
        writeText(out, m_hash);
        std::ifstream in(m_path, std::ios::binary);
        std::vector<char> buffer(1 << 20);
        for (const Entry& old : m_entries) {
            if (old.stage == stage) continue;
            writeHead(out, old);
            in.seekg(old.dataBegin);
            for (std::int64_t left = old.dataBytes; left > 0;) {
                const auto part = std::min<std::int64_t>(left, static_cast<std::int64_t>(buffer.size()));
                if (!in.read(buffer.data(), part)) throw Error(m_path, "changed while it was read");
                out.write(buffer.data(), static_cast<std::size_t>(part));
                left -= part;
            }
        }
        Entry entry{stage, dependsOn, {}, checksumOf(matrices), 0, 0};
        for (const MatrixX& matrix : matrices) entry.sizes.emplace_back(matrix.rows(), matrix.cols());
        writeHead(out, entry);
        for (const MatrixX& matrix : matrices) out.write(matrix.data(), bytesOf(matrix));
        out.commit();
    } catch (const Error& problem) {
        m_problem = problem.what();  // the reduction itself does not need the cache
    }
    readEntries();
}

}  // namespace pliant
