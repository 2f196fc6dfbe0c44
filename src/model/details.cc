#include "model/details.h"

#include "model/schema.h"

namespace xpu_align {
namespace {

UntrustedText Untrusted(const Json& json, std::string_view key) { return UntrustedText(json.StringOr(key)); }

template <typename T, typename F>
Json::Array ArrayFrom(const std::vector<T>& values, F to_json) {
  Json::Array array;
  for (const T& value : values) array.push_back(to_json(value));
  return array;
}

}  // namespace

Json ToJson(const Details& d) {
  Json json = d.other.IsObject() ? d.other : Json::EmptyObject();
  json.Set("schema", SchemaOf("details"))
      .Set("id", d.id.Text())
      .Set("kind", Name(d.id.kind()))
      .Set("title", d.title.ForJson())
      .Set("url", d.url)
      .SetIfAny("sha", d.sha)
      .SetIfAny("base_sha", d.base_sha)
      .SetIfAny("landed_sha", d.landed_sha)
      .SetIfAny("state", d.state)
      .SetIfAny("updated_at", d.updated_at)
      .SetIfAny("author", d.author.ForJson())
      .SetIfAny("association", d.association)
      .SetIfAny("labels", d.labels)
      .Set("body", d.body.ForJson())
      .SetIfAny("diff_source", d.diff_source)
      .SetIfAny("base_source", d.base_source)
      .SetIfAny("fetch_failure", d.fetch_failure)
      .SetIfAny("incomplete", d.incomplete_because);
  json.SetIfAny("comments", ArrayFrom(d.comments, [](const Comment& c) {
    return Json()
        .Set("author", c.author.ForJson())
        .Set("association", c.association)
        .Set("created_at", c.created_at)
        .Set("body", c.body.ForJson());
  }));
  json.SetIfAny("links", ArrayFrom(d.links, [](const Link& link) {
    return Json().Set("kind", link.kind).Set("target", link.target);
  }));
  json.SetIfAny("files", ArrayFrom(d.files, [](const ChangedFile& f) {
    return Json()
        .Set("path", f.path.ForJson())
        .SetIfAny("previous_path", f.previous_path.ForJson())
        .Set("status", f.status)
        .Set("additions", f.additions)
        .Set("deletions", f.deletions)
        .SetIfAny("patch", f.patch.ForJson());
  }));
  json.SetIfAny("tests", ArrayFrom(d.tests, [](const ChangedTest& t) {
    return Json()
        .Set("path", t.path.ForJson())
        .SetIfAny("class", t.class_name.ForJson())
        .Set("name", t.name.ForJson())
        .Set("change", t.change);
  }));
  json.SetIfAny("trailers", ArrayFrom(d.trailers, [](const Trailer& t) {
    return Json().Set("key", t.key).Set("value", t.value.ForJson());
  }));
  return json;
}

Result<Details> DetailsFromJson(const Json& json) {
  TRY(CheckSchema(json, "details"));
  TRY_ASSIGN(const std::string id_text, json.String("id"));
  const auto id = CandidateId::Parse(id_text);
  if (!id) return Fail(ErrorKind::kProtocol, "not a candidate id: " + UntrustedText(id_text).ForLogLine());
  Details d{.id = *id};
  d.title = Untrusted(json, "title");
  d.url = json.StringOr("url");
  d.sha = json.StringOr("sha");
  d.base_sha = json.StringOr("base_sha");
  d.landed_sha = json.StringOr("landed_sha");
  d.state = json.StringOr("state");
  d.updated_at = json.StringOr("updated_at");
  d.author = Untrusted(json, "author");
  d.association = json.StringOr("association");
  d.labels = json.StringsOf("labels");
  d.body = Untrusted(json, "body");
  d.diff_source = json.StringOr("diff_source");
  d.base_source = json.StringOr("base_source");
  d.fetch_failure = json.StringOr("fetch_failure");
  d.incomplete_because = json.StringOr("incomplete");
  for (const Json& c : json.ArrayOf("comments"))
    d.comments.push_back(
        {Untrusted(c, "author"), c.StringOr("association"), c.StringOr("created_at"), Untrusted(c, "body")});
  for (const Json& link : json.ArrayOf("links")) d.links.push_back({link.StringOr("kind"), link.StringOr("target")});
  for (const Json& f : json.ArrayOf("files"))
    d.files.push_back({Untrusted(f, "path"), Untrusted(f, "previous_path"), f.StringOr("status", "modified"),
                       f.IntOr("additions"), f.IntOr("deletions"), Untrusted(f, "patch")});
  for (const Json& t : json.ArrayOf("tests"))
    d.tests.push_back(
        {Untrusted(t, "path"), Untrusted(t, "class"), Untrusted(t, "name"), t.StringOr("change", "modified")});
  for (const Json& t : json.ArrayOf("trailers")) d.trailers.push_back({t.StringOr("key"), Untrusted(t, "value")});
  d.other = json;
  for (const char* known : {"schema", "id", "kind", "title", "url", "sha", "base_sha", "landed_sha", "state",
                            "updated_at", "author", "association", "labels", "body", "comments", "links", "files",
                             "diff_source", "base_source", "tests", "trailers", "fetch_failure", "incomplete"})
    d.other.Remove(known);
  return d;
}

}  // namespace xpu_align
