// SPDX-License-Identifier: Zlib
// yaml-cpp makes documents without end of a file that is one comma, and its nodes take a hundred bytes for each of a
// file's. Aliases cost it nothing, but whoever walks through them: nine lines of nine aliases each are 387 million
// values.
#include "pliant/scene/YamlGuard.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <sstream>
#include <vector>

#include "pliant/math/Error.h"

namespace pliant::scene {
namespace {

constexpr std::size_t kLongest = std::size_t{64} << 20;  // bytes
constexpr std::size_t kDeepest = 64;                     // levels
// Half a kilobyte a value in yaml-cpp: 64 MiB, and twenty times the text.
constexpr std::size_t kValuesOfAny = 150000, kBytesOfValue = 25;

class Guard final : public YAML::EventHandler {
public:
    /// @param bytes of the text
    Guard(std::string path, std::string name, std::size_t bytes)
        : m_path(std::move(path)), m_name(std::move(name)), m_most(kValuesOfAny + bytes / kBytesOfValue) {}

    bool foundNothing() const { return m_total == 0; }
    std::string first() const { return where(m_first); }  ///< place of the first value

    void OnDocumentStart(const YAML::Mark& mark) override { m_first = mark; }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        if (anchor || !m_open.empty()) leaf(mark, anchor);
    }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string&) override {
        leaf(mark, anchor);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto values = m_sizes.find(anchor);
        if (values == m_sizes.end())  // of a block that is still open
            throw Error(where(mark), "an alias that stands within what it is the alias of", "remove it");
        add(mark, values->second);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(mark, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(mark, anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        YAML::anchor_t anchor;
        std::size_t before;  ///< values up to there
    };

    std::string where(const YAML::Mark& mark) const {
        return m_path + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
    }
    void add(const YAML::Mark& mark, std::size_t values) {
        if (m_total == 0) m_first = mark;
        m_total += values;
        if (m_total > m_most)
            throw Error(where(mark),
                        "the " + m_name + " has more than " + std::to_string(m_most) +
                            " values, those of aliases counted where they stand",
                        "grids and stacks make many bodies of one entry");
    }
    void leaf(const YAML::Mark& mark, YAML::anchor_t anchor) {
        add(mark, 1);
        if (anchor) m_sizes[anchor] = 1;
    }
    void open(const YAML::Mark& mark, YAML::anchor_t anchor) {
        if (m_open.size() == kDeepest)
            throw Error(where(mark), "more than " + std::to_string(kDeepest) + " blocks and lists within each other",
                        "no " + m_name + " needs as many");
        m_open.push_back({anchor, m_total});
        add(mark, 1);
    }
    void close() {
        if (m_open.back().anchor) m_sizes[m_open.back().anchor] = m_total - m_open.back().before;
        m_open.pop_back();
    }

    std::string m_path, m_name;
    std::size_t m_most;  ///< values
    YAML::Mark m_first;
    std::vector<Open> m_open;
    std::map<YAML::anchor_t, std::size_t> m_sizes;  ///< values of what has an anchor
    std::size_t m_total = 0;
};

/// Whether there is anything but comments.
bool hasText(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first != std::string::npos && line[first] != '#' && line.compare(first, 3, "---") != 0) return true;
    }
    return false;
}

}  // namespace

void guardSize(std::uintmax_t bytes, const std::string& path, const std::string& name) {
    if (bytes == static_cast<std::uintmax_t>(-1) || bytes <= kLongest) return;
    throw Error(path, "the " + name + " is longer than " + std::to_string(kLongest >> 20) + " MiB",
                "grids and stacks make many bodies of one entry");
}

void guardYaml(const std::string& text, const std::string& path, const std::string& name) {
    guardSize(text.size(), path, name);
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    Guard guard(path, name, text.size());
    if (!parser.HandleNextDocument(guard)) return;
    if (guard.foundNothing() && hasText(text))
        throw Error(path, "YAML finds nothing in this " + name, "write \"key: value\" lines");
    Guard next(path, name, text.size());
    if (parser.HandleNextDocument(next))
        throw Error(next.first(), "a second document begins here", "one " + name + " a file");
}

}  // namespace pliant::scene
