#include "compose/seeding.h"

#include "text/pattern.h"

namespace xpu_align {

Seeding SeedingFor(const PythonTree& tree, const Names& names) {
  static const Pattern torch_random = Pattern::Constant(
      R"(^torch\.(rand|randn|randint|randperm|normal|bernoulli|multinomial|poisson|rand_like|randn_like|randint_like|nn\.[A-Z]\w*|nn\.init\.\w+|nn\.functional\.dropout\w*|testing\.make_tensor)$)");
  static const Pattern in_place = Pattern::Constant(R"(\.(normal_|uniform_|random_|bernoulli_|exponential_|cauchy_)$)");
  static const Pattern numpy_random =
      Pattern::Constant(R"(^numpy\.random\.(rand|randn|randint|random|random_sample|normal|uniform|choice|permutation|shuffle|standard_normal)$)");
  static const Pattern python_random =
      Pattern::Constant(R"(^random\.(random|randint|choice|choices|shuffle|uniform|sample|randrange|gauss)$)");
  bool torch_used = false, numpy_used = false, python_used = false;
  bool torch_seeded = false, numpy_seeded = false, python_seeded = false;
  for (const PyNode& node : tree.Nodes()) {
    if (!node.Is("call")) continue;
    const std::string callee = CalleeOf(names, node);
    const std::string function(node.Field("function").Text());
    torch_used |= torch_random.FoundIn(callee) || in_place.FoundIn(function);
    numpy_used |= numpy_random.FoundIn(callee);
    python_used |= python_random.FoundIn(callee);
    torch_seeded |= function.ends_with("manual_seed") || function.ends_with("manual_seed_all") ||
                    callee == "torch.seed" || function.ends_with("set_seed") || function.ends_with("seed_everything");
    numpy_seeded |= callee == "numpy.random.seed";
    python_seeded |= callee == "random.seed";
  }
  Seeding seeding;
  if (torch_used && !torch_seeded) seeding.statements.push_back("torch.manual_seed(0)");
  if (numpy_used && !numpy_seeded) seeding.statements.push_back("__import__(\"numpy\").random.seed(0)");
  if (python_used && !python_seeded) seeding.statements.push_back("__import__(\"random\").seed(0)");
  return seeding;
}

}  // namespace xpu_align
