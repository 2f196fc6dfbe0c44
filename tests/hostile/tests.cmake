add_executable(sandbox_driver hostile/sandbox_driver.cc)
target_link_libraries(sandbox_driver PRIVATE edge_sandbox rules warnings)
python_test(hostile_sandbox hostile hostile/sandbox_attacks.py)
set_property(TEST hostile_sandbox APPEND PROPERTY ENVIRONMENT "SANDBOX_DRIVER=$<TARGET_FILE:sandbox_driver>")
