#ifdef NEW_WAY
REGISTER_ENGINE(a);
#else
static auto x = (registerEngineFactory(&make), 0);
#endif
namespace n {
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) { m.impl("start", TORCH_FN(start)); }
struct TORCH_API Base { virtual void f(int a = 0) = 0; virtual void g() { TORCH_CHECK(false, "no"); } bool on_{true}; };
enum class RunState : int { kOff = 0, kOn };
int Limit() {
  static const char* text = std::getenv("ENGINE_LIMIT");
  return (text != nullptr) ? atoi(text) : 16;
}
void A::f(int n) {
  TORCH_CHECK(n > 0,  // a ) in a comment
      "first " R"x(raw " ) text)x", n, ") third"); /* why */
  if (key == "max_split") throw std::runtime_error("bad" + x);
}
}
#define WRAP(a) \
  f(a)
