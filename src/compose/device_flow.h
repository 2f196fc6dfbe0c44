// DeviceFlow: which expressions of a script are devices. A string is a device only in a device position:
// an argument that names a device, or something that flows into one. Dictionary keys, messages, test names
// and environment variables are not. Called by adaptation.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compose/names.h"

namespace xpu_align {

// A string that names a device: "cuda", 'cuda:1', f"cuda:{i}".
struct DeviceLiteral {
  PyNode node;        // the string
  std::string type;   // cuda
  std::string index;  // digits after the colon; "{" for an interpolated one; empty for none
};

class DeviceFlow {
 public:
  DeviceFlow(const PythonTree& tree, const Names& names);

  // Device strings in device positions, in the order of the text.
  const std::vector<DeviceLiteral>& Literals() const { return literals_; }
  bool IsDevicePosition(PyNode expression) const;
  // The expression is a device by its name or by where it goes: x.device.type, str(t.device).
  bool LooksLikeDevice(PyNode expression) const;

 private:
  bool Flows(PyNode name_or_attribute) const;
  bool TargetFlows(PyNode target) const;
  bool IsDeviceArgument(PyNode call, PyNode argument) const;
  bool IsDeviceKeyword(PyNode keyword_argument) const;
  void CollectFunctions(const PythonTree& tree);

  const Names& names_;
  std::map<std::string, std::vector<std::string>> parameters_;  // of functions and classes of the script
  std::set<std::string> flowing_;  // names; attributes as .name
  std::vector<DeviceLiteral> literals_;
};

}  // namespace xpu_align
