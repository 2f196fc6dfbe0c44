// The JSON example of one section of docs/run-directory.md, and the shape of a JSON value: what is written by a stage
// must have the members that the contract shows, and no others.
#pragma once
#include <fstream>
#include <string>

#include "json/json.h"

namespace xpu_align {

inline Json ContractExample(const std::string& heading) {
  std::ifstream in(std::string(SOURCE_ROOT) + "/docs/run-directory.md");
  std::string text, current;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) current = line.substr(3);
    if (line == "```") inside = false;
    if (inside && current == heading) text += line + "\n";
    if (line == "```json") inside = true;
  }
  return ParseJson(text).value_or(Json());
}

// {a:[{b:.}],c:.}: of a list its first element.
inline std::string ShapeOf(const Json& json) {
  if (const auto* array = json.AsArray()) return array->empty() ? "[]" : "[" + ShapeOf(array->front()) + "]";
  const auto* object = json.AsObject();
  if (object == nullptr) return ".";
  std::string shape = "{";
  for (const auto& [key, value] : *object) shape += key + ":" + ShapeOf(value) + ",";
  return shape + "}";
}

}  // namespace xpu_align
