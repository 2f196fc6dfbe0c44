// Composer: details of a candidate in, a self-contained script for the target and the record of how it was
// made out. Pure: same inputs, same bytes. Called by compose and spot.
#pragma once
#include <memory>
#include <string>

#include "model/composition.h"
#include "model/details.h"
#include "model/target_profile.h"

namespace xpu_align {

struct ComposedScript {
  Composition record;
  std::string script;            // scripts/repro_<id>.py; a refused candidate has one, too
  std::string reference_script;  // for the CPU arm; empty when the target is the CPU or the script is refused
};

class Composer {
 public:
  // `cpu` is the profile of the reference arm. kConfig when a rule of `precheck` (src/rules/precheck.json)
  // is malformed.
  static Result<Composer> Make(TargetProfile target, TargetProfile cpu, const Json& precheck);
  Composer(Composer&&) noexcept;
  Composer& operator=(Composer&&) noexcept;
  ~Composer();

  ComposedScript Compose(const Details& details) const;

 private:
  struct Rules;
  explicit Composer(std::unique_ptr<const Rules> rules);
  std::unique_ptr<const Rules> rules_;
};

// Whether any strategy finds something to run in `details`; for the chain's leader and the deep filter.
enum class Material { kNone, kTest, kScript };
Material MaterialIn(const Details& details);

}  // namespace xpu_align
