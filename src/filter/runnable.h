// Runnable: what a candidate's details offer to run, as far as filter needs to know. The pipeline asks the
// composer and passes the answer; filter itself never looks at scripts.
#pragma once

namespace xpu_align {

// In rising order: more is better for a chain's leader.
enum class Runnable { kNothing, kTest, kScript };

}  // namespace xpu_align
