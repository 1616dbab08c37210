#pragma once

#include "coppice/api/settings.h"
#include "coppice/core/fail.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// How settings of each kind read and show their values.
namespace coppice {

/// The one value of a setting that takes no list.
const std::string& single(std::string_view name, const std::vector<std::string>& values);

/// Between which numbers a setting's value lies.
struct Range {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  bool low_included = false;
};
constexpr Range above_zero{};

/// The number that the text is; fails with the setting's name and the range if it lies outside.
double checked_number(const std::string& name, const std::string& text, const Range& range);

/// The whole number that the text is; the same.
std::size_t checked_whole(const std::string& name, const std::string& text, std::size_t low,
                          std::size_t high);

/// The bytes that the text is: a number with K, M, G or T, thousands of each other, or none; at least so many.
std::size_t checked_bytes(const std::string& name, const std::string& text, std::size_t least);

/// The largest whole number that every JSON reader takes unharmed, rounded.
constexpr std::size_t largest_whole = 9'000'000'000'000'000;

/// Builders for the kinds of settings; each belongs to one field of `Of`, named by a pointer to member.
template <class Of>
class SettingBuilder {
 public:
  using json = nlohmann::json;
  using Values = std::vector<std::string>;
  template <class T>
  using Field = std::optional<T> Of::*;

  std::vector<Setting<Of>> all;

  Setting<Of>& add(const std::string& name, const std::string& value, const std::string& help) {
    all.push_back({.name = name, .value = value, .help = help, .set = {}, .get = {}, .unset = {}});
    return all.back();
  }

  Setting<Of>& number(const std::string& name, Field<double> field, const Range& range,
                      const std::string& help) {
    Setting<Of>& setting = add(name, "X", help);
    setting.set = [name, field, range](Of& of, const Values& values) {
      of.*field = checked_number(name, single(name, values), range);
    };
    show(setting, field);
    return setting;
  }

  template <class Whole>
  Setting<Of>& whole(const std::string& name, Field<Whole> field, std::size_t low, std::size_t high,
                     const std::string& help) {
    Setting<Of>& setting = add(name, "N", help);
    setting.set = [name, field, low, high](Of& of, const Values& values) {
      of.*field = static_cast<Whole>(checked_whole(name, single(name, values), low, high));
    };
    show(setting, field);
    return setting;
  }

  /// A number of bytes, at least so many: 800000, 500M or 1.5G.
  Setting<Of>& bytes(const std::string& name, Field<std::size_t> field, std::size_t least,
                     const std::string& help) {
    Setting<Of>& setting = add(name, "BYTES", help);
    setting.set = [name, field, least](Of& of, const Values& values) {
      of.*field = checked_bytes(name, single(name, values), least);
    };
    show(setting, field);
    return setting;
  }

  /// Several numbers; `check` may refuse them.
  Setting<Of>& numbers(const std::string& name, std::vector<double> Of::*field, const std::string& help) {
    Setting<Of>& setting = add(name, "X[,Y,...]", help);
    setting.list = true;
    setting.set = [name, field](Of& of, const Values& values) {
      std::vector<double> read;
      for (const std::string& text : values) read.push_back(checked_number(name, text, above_zero));
      of.*field = std::move(read);
    };
    show(setting, field);
    return setting;
  }

  Setting<Of>& names(const std::string& name, std::vector<std::string> Of::*field, const std::string& help) {
    Setting<Of>& setting = add(name, "COLUMN[,COLUMN,...]", help);
    setting.list = true;
    setting.set = [field](Of& of, const Values& values) {
      (of.*field).clear();
      for (const std::string& value : values) (of.*field).push_back(to_utf8(value));
    };
    show(setting, field);
    return setting;
  }

  Setting<Of>& on_off(const std::string& name, Field<bool> field, const std::string& help) {
    Setting<Of>& setting = add(name, "on|off", help);
    setting.set = [name, field](Of& of, const Values& values) {
      const std::string& text = single(name, values);
      if (text != "on" && text != "off") fail_option(name, "`{}` {}: must be on or off", name, cited(text));
      of.*field = text == "on";
    };
    setting.get = [field](const Of& of) { return of.*field ? json(*(of.*field) ? "on" : "off") : json(); };
    clear(setting, field);
    return setting;
  }

  /// A choice by name; "auto", where it may be left to the library, unsets it.
  template <class E>
  Setting<Of>& choice(const std::string& name, Field<E> field, const std::string& help,
                      const std::string& reason = "", bool automatic = false) {
    std::vector<std::string> words = all_names<E>();
    if (automatic) words.insert(words.begin(), "auto");
    Setting<Of>& setting = add(name, joined(words, "|"), help);
    setting.set = [name, field, words, reason, automatic](Of& of, const Values& values) {
      const std::string& text = single(name, values);
      const std::optional<E> found = from_name<E>(text);
      if (!found && !(automatic && text == "auto")) {
        fail_option(name, "`{}` {}: must be one of {}{}", name, cited(text), joined(words, ", "), reason);
      }
      of.*field = found;
    };
    setting.get = [field](const Of& of) { return of.*field ? json(name_of(*(of.*field))) : json(); };
    clear(setting, field);
    return setting;
  }

  /// A field that is empty when it is unset comes as it is.
  template <class T>
  static void show(Setting<Of>& setting, Field<T> field) {
    setting.get = [field](const Of& of) { return of.*field ? json(*(of.*field)) : json(); };
    clear(setting, field);
  }
  template <class T>
  static void show(Setting<Of>& setting, std::vector<T> Of::*field) {
    setting.get = [field](const Of& of) { return (of.*field).empty() ? json() : json(of.*field); };
    clear(setting, field);
  }
  template <class T>
  static void clear(Setting<Of>& setting, T Of::*field) {
    setting.unset = [field](Of& of) { of.*field = {}; };
  }
};

}  // namespace coppice
