python_test(harness_scripts hostile harness/harness_scripts.py)
set_property(TEST harness_scripts APPEND PROPERTY ENVIRONMENT "SANDBOX_DRIVER=$<TARGET_FILE:sandbox_driver>")
