# Writes OUT, a C++ file that holds FILES (paths under ROOT) as string literals; see src/rules/embedded.h.
set(text "#include \"rules/embedded.h\"\n\nnamespace xpu_align::rules {\nnamespace {\nconstexpr EmbeddedFile kFiles[] = {\n")
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" content)
  string(APPEND text "    {\"${file}\", R\"~embed~(${content})~embed~\"},\n")
endforeach()
string(APPEND text "};\n}  // namespace\n\nstd::span<const EmbeddedFile> EmbeddedFiles() { return kFiles; }\n\n"
  "std::string_view Embedded(std::string_view path) {\n  for (const EmbeddedFile& file : kFiles)\n"
  "    if (file.path == path) return file.content;\n  return {};\n}\n}  // namespace xpu_align::rules\n")
file(WRITE "${OUT}" "${text}")
