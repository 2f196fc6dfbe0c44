# Our edges against tests/fake_github, which runs as a child of the test program.
python_test(fake_github contract contract/fake_github_test.py)

foreach(name http github git collect recording plan fault_matrix)
  add_executable(contract_${name} contract/${name}_contract.cc)
  target_include_directories(contract_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(contract_${name} PRIVATE pipeline edge_github edge_git edge_store edge_recording warnings ${LIB_gtest_main}
                        ${LIB_gtest} Threads::Threads)
  add_test(NAME contract_${name} COMMAND contract_${name})
  set_tests_properties(contract_${name} PROPERTIES LABELS contract TIMEOUT 300
    ENVIRONMENT "PYTHONPATH=${CMAKE_CURRENT_SOURCE_DIR};PYTHONDONTWRITEBYTECODE=1")
endforeach()
# Thousands of nights, and one week: most of the time is the parsing of answers.
set_tests_properties(contract_fault_matrix contract_plan PROPERTIES TIMEOUT 1200)
target_sources(contract_fault_matrix PRIVATE contract/faults.cc)
# Against GitHub's own descriptions and its own client, by npm (tests/node).
python_test(octokit contract contract/octokit_test.py)
set_property(TEST octokit APPEND PROPERTY ENVIRONMENT "DETAILS_QUERIES=$<TARGET_FILE:contract_queries>")
add_executable(contract_queries contract/print_queries.cc)
target_link_libraries(contract_queries PRIVATE edge_github warnings)
