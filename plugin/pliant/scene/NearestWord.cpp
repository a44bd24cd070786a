// SPDX-License-Identifier: Zlib
#include "pliant/scene/NearestWord.h"

#include <algorithm>
#include <cctype>

namespace pliant::scene {
namespace {

bool sameLetter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Nobody mistypes a longer word, and the distance of two takes as long as the product of their lengths.
constexpr std::size_t kLongestWord = 100;  // letters
/// Pairs of letters that are looked at for one mistake: a scene may have a thousand mistakes and 20,000 names.
constexpr std::size_t kMostLetterPairs = 500000;

/// Levenshtein distance; `most`, where it is as large. @param pairs of letters that may be looked at, fewer afterwards
std::size_t editDistance(const std::string& a, const std::string& b, std::size_t most, std::size_t& pairs) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= most) return most;
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0], least = row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (sameLetter(a[i - 1], b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
            least = std::min(least, row[j]);
        }
        pairs -= std::min(pairs, b.size());
        if (least >= most || pairs == 0) return most;  // no row falls below the one before it
    }
    return std::min(row[b.size()], most);
}

}  // namespace

std::string nearestWord(const std::string& wrong, const std::vector<std::string>& known) {
    std::string best;
    if (wrong.size() > kLongestWord) return best;
    std::size_t bestDistance = std::max<std::size_t>(2, wrong.size() / 2) + 1, pairs = kMostLetterPairs;
    for (const std::string& word : known) {
        const std::size_t distance = editDistance(wrong, word, bestDistance, pairs);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = word;
        }
    }
    return best;
}

std::string partsOf(const std::string& whole, const std::vector<std::string>& known) {
    std::string list;
    for (const std::string& name : known) {
        if (name.compare(0, whole.size() + 1, whole + ".") != 0) continue;
        if (name.find('.', whole.size() + 1) != std::string::npos) continue;  // a component of one that is listed
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

}  // namespace pliant::scene
