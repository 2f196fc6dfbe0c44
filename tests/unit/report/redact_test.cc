#include "report/redact.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

struct Case {
  const char* text;
  const char* expected;
};

std::string Redacted(const char* text) {
  Redactor redactor;
  return std::string(redactor.Redact(UntrustedText(text)).ForMatching());
}

TEST(RedactorTest, TakesWhatMustNotBePublic) {
  for (const Case& c : std::initializer_list<Case>{
           {"https://bob:s3cret@wheels.pytorch.org/x", "https://[credential]@wheels.pytorch.org/x"},
           {"--extra-index-url http://tok@pypi.site.example.net/simple",
            "--extra-index-url http://[credential]@[host]/simple"},
           {"http://mirror.site-a.test:8080/x", "http://[host]:8080/x"},
           {"GITHUB_TOKEN=abcdef123456", "GITHUB_TOKEN=[credential]"},
           {"token: ghp_0123456789abcdefghijABCDEFGHIJ012345", "token: [credential]"},
           {"x ghs_0123456789abcdefghijABCDEFGHIJ012345 y", "x [credential] y"},
           {"Authorization: Bearer abc.def-ghi", "Authorization: Bearer [credential]"},
           {"?sv=1&sig=AbC%2Fd", "?sv=1&sig=[credential]"},
           {"/home/bob/env/bin/python", "/home/[user]/env/bin/python"},
           {"File \"/Users/al ice/x.py\"", "File \"/Users/[user] ice/x.py\""},
           {"C:\\Users\\bob\\x", "C:\\Users\\[user]\\x"},
           {"in /root/work", "in /[user]/work"},
           {"mail bob.b@corp.example.net now", "mail [e-mail] now"},
           {"Hostname: gpu-node-17", "Hostname: [host]"},
           {"see gpu17.lab.internal for it", "see [host] for it"},
           {"at 10.1.2.3 and 10.1.2.4.", "at [address] and [address]."},
           {"proxy=192.168.7.1:3128", "proxy=[address]:3128"},
           {"inet6 fe80::1ff:fe23:4567:890a up", "inet6 [address] up"},
           {"ether 0a:1b:2c:3d:4e:5f", "ether [address]"}})
    EXPECT_EQ(Redacted(c.text), c.expected) << c.text;
}

TEST(RedactorTest, LeavesWhatOnlyLooksLikeIt) {
  for (const char* text :
       {"[pip3] nvidia-cublas-cu12==12.8.4.1", "[conda] mkl 2024.2.0.1 pypi_0", "Driver version: 1.3.29.15",
        "0000:03:00.0", "https://github.com/pytorch/pytorch", "https://download.pytorch.org/whl", "127.0.0.1",
        "at::native::add c10::Error", "@torch.compile", "12:34:56", "x @ y", "2.15.0.dev20261127+xpu",
        "torch/_inductor/utils.py:12", "rootcause /rooted", "tokenizer = x", "self.local.value",
        "threading.local object", "x.internal()"})
    EXPECT_EQ(Redacted(text), text);
}

TEST(RedactorTest, CountsByKindOverAllTexts) {
  Redactor redactor;
  redactor.Redact(UntrustedText("/home/a/x /home/b/y"));
  redactor.Redact(UntrustedText("a@b.example.net c@d.example.net 10.0.0.9"));
  EXPECT_EQ(redactor.Summary(), "2 e-mail addresses, 2 home paths, 1 network address");
}

TEST(RedactorTest, CleanTextHasNoSummary) {
  Redactor redactor;
  redactor.Redact(UntrustedText("RuntimeError: expected 3 got 4"));
  EXPECT_EQ(redactor.Summary(), "");
}

TEST(RedactorTest, RedactingTwiceChangesNothing) {
  const char* text = "Hostname: n1\n/home/bob/x https://a:b@c.test/ 10.2.3.4 token=abcdefgh";
  Redactor redactor;
  const UntrustedText once = redactor.Redact(UntrustedText(text));
  EXPECT_EQ(Redactor().Redact(once), once);
}

}  // namespace
}  // namespace xpu_align
