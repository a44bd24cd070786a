// SPDX-License-Identifier: Zlib
#include "pliant/scene/NearestWord.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace pliant::scene {
namespace {

bool sameLetter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Nobody mistypes a longer word, and the distance of two takes as long as the product of their lengths.
constexpr std::size_t kLongestWord = 100;  // letters
/// Pairs of letters that are looked at for one mistake: a scene may have a thousand mistakes and 20,000 names.
constexpr std::size_t kMostLetterPairs = 4000000;

/// Levenshtein distances of less than a bound, of as many words as letters may be looked at for.
class EditDistance {
public:
    bool isSpent() const { return m_pairs == 0; }
    /// The distance, or `most` where it is as large.
    std::size_t operator()(std::string_view a, std::string_view b, std::size_t most) {
        if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= most) return most;
        const std::size_t both = a.size() + b.size();
        while (!a.empty() && !b.empty() && sameLetter(a.front(), b.front())) a.remove_prefix(1), b.remove_prefix(1);
        while (!a.empty() && !b.empty() && sameLetter(a.back(), b.back())) a.remove_suffix(1), b.remove_suffix(1);
        spend((both - a.size() - b.size()) / 2 + 1);
        return ofRest(a, b, most);
    }

private:
    /// Only the band of pairs whose places differ by less than the bound, since all others are as far [U85].
    std::size_t ofRest(std::string_view a, std::string_view b, std::size_t most) {
        const std::size_t band = most - 1;
        m_row.assign(b.size() + 1, most);
        for (std::size_t j = 0; j <= std::min(b.size(), band); ++j) m_row[j] = j;
        for (std::size_t i = 1; i <= a.size(); ++i) {
            const std::size_t first = i > band ? i - band : 1, last = std::min(b.size(), i + band);
            std::size_t diagonal = m_row[first - 1], least = m_row[first - 1] = i > band ? most : i;
            for (std::size_t j = first; j <= last; ++j) {
                const std::size_t replaced = diagonal + (sameLetter(a[i - 1], b[j - 1]) ? 0 : 1);
                diagonal = m_row[j];
                m_row[j] = std::min({replaced, m_row[j] + 1, m_row[j - 1] + 1});
                least = std::min(least, m_row[j]);
            }
            spend(2 * band + 1);
            if (least >= most || isSpent()) return most;  // no row falls below the one before it
        }
        return std::min(m_row[b.size()], most);
    }
    void spend(std::size_t pairs) { m_pairs -= std::min(m_pairs, pairs); }

    std::vector<std::size_t> m_row;
    std::size_t m_pairs = kMostLetterPairs;
};

}  // namespace

std::string nearestWord(const std::string& wrong, const std::vector<std::string>& known) {
    std::string best;
    if (wrong.size() > kLongestWord) return best;
    EditDistance distanceOf;
    std::size_t bestDistance = std::max<std::size_t>(2, wrong.size() / 2) + 1;
    for (const std::string& word : known) {
        const std::size_t distance = distanceOf(wrong, word, bestDistance);
        if (distanceOf.isSpent()) return "";  // the nearest may be one of the others
        if (distance < bestDistance) {
            bestDistance = distance;
            best = word;
        }
        if (bestDistance == 0) break;  // no other is nearer
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
