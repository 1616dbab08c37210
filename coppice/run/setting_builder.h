#pragma once

#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/model/names.h"
#include "coppice/run/settings.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// How settings of each kind read and show their values.
namespace coppice {

/// The one value of a setting that takes no list.
const std::string& single(const std::string& name, const std::vector<std::string>& values);

/// The number that the text is; fails with the flag's name and the range if it lies outside.
double checked_number(const std::string& name, const std::string& text, double low, double high,
                      bool low_included);

/// Builders for the kinds of settings; each binds one field.
class SettingBuilder {
 public:
  using json = nlohmann::json;
  using Values = std::vector<std::string>;

  std::vector<Setting> all;

  Setting& add(std::string name, std::string value, std::string help) {
    all.push_back(
        {.name = std::move(name), .value = std::move(value), .help = std::move(help), .set = {}, .get = {}});
    return all.back();
  }

  Setting& number(const std::string& name, double& field, double low, double high, bool low_included,
                  const std::string& help) {
    Setting& setting = add(name, "X", help);
    setting.set = [name, &field, low, high, low_included](const Values& values) {
      field = checked_number(name, single(name, values), low, high, low_included);
    };
    setting.get = [&field] { return std::isfinite(field) ? json(field) : json(); };
    return setting;
  }

  /// A number above 0 whose field is 0 as long as nobody has set it.
  template <class Number>
  static void null_at_zero(Setting& setting, Number& field) {
    setting.get = [&field] { return field == 0 ? json() : json(field); };
  }

  template <class Whole>
  Setting& whole(const std::string& name, Whole& field, std::size_t low, std::size_t high,
                 const std::string& help) {
    Setting& setting = add(name, "N", help);
    setting.set = [name, &field, low, high](const Values& values) {
      const std::string& text = single(name, values);
      const double value = parse_number(trim(text)).value_or(-1);
      if (!(value >= static_cast<double>(low) && value <= static_cast<double>(high)) ||
          value != std::floor(value)) {
        fail("--{} {}: must be a whole number, at least {} and at most {}", name, cited(text), low, high);
      }
      field = static_cast<Whole>(value);
    };
    setting.get = [&field] { return field == std::numeric_limits<Whole>::max() ? json() : json(field); };
    return setting;
  }

  Setting& text(const std::string& name, std::string& field, const std::string& value,
                const std::string& help) {
    Setting& setting = add(name, value, help);
    setting.set = [name, &field](const Values& values) { field = single(name, values); };
    setting.get = [&field] { return field.empty() ? json() : json(field); };
    return setting;
  }

  Setting& names(const std::string& name, std::vector<std::string>& field, const std::string& help) {
    Setting& setting = add(name, "COLUMN[,COLUMN,...]", help);
    setting.list = true;
    setting.set = [&field](const Values& values) {
      field.clear();
      for (const std::string& value : values) field.push_back(to_utf8(value));
    };
    setting.get = [&field] { return json(field); };
    return setting;
  }

  Setting& on_off(const std::string& name, bool& field, const std::string& help) {
    Setting& setting = add(name, "on|off", help);
    setting.set = [name, &field](const Values& values) {
      const std::string& text = single(name, values);
      if (text != "on" && text != "off") fail("--{} {}: must be on or off", name, cited(text));
      field = text == "on";
    };
    setting.get = [&field] { return json(field ? "on" : "off"); };
    return setting;
  }

  template <class E>
  Setting& choice(const std::string& name, E& field, const std::string& help,
                  const std::string& reason = "") {
    const std::vector<std::string> words = all_names<E>();
    Setting& setting = add(name, joined(words, "|"), help);
    setting.set = [name, &field, words, reason](const Values& values) {
      const std::string& text = single(name, values);
      const std::optional<E> found = from_name<E>(text);
      if (!found) fail("--{} {}: must be one of {}{}", name, cited(text), joined(words, ", "), reason);
      field = *found;
    };
    setting.get = [&field] { return json(name_of(field)); };
    return setting;
  }

  /// A choice that may be left to the program: "auto".
  template <class E>
  Setting& choice(const std::string& name, std::optional<E>& field, const std::string& help) {
    std::vector<std::string> words = all_names<E>();
    words.insert(words.begin(), "auto");
    Setting& setting = add(name, joined(words, "|"), help);
    setting.set = [name, &field, words](const Values& values) {
      const std::string& text = single(name, values);
      field = from_name<E>(text);
      if (!field && text != "auto")
        fail("--{} {}: must be one of {}", name, cited(text), joined(words, ", "));
    };
    setting.get = [&field] { return json(field ? name_of(*field) : "auto"); };
    return setting;
  }
};

}  // namespace coppice
