python_test(harness_scripts hostile harness/harness_scripts.py)
set_property(TEST harness_scripts APPEND PROPERTY ENVIRONMENT "SANDBOX_DRIVER=$<TARGET_FILE:sandbox_driver>")
# Needs $TORCH_ROOT, as those of tests/e2e.
python_test(device_proof e2e harness/device_proof_test.py)
set_property(TEST device_proof APPEND PROPERTY ENVIRONMENT "SANDBOX_DRIVER=$<TARGET_FILE:sandbox_driver>")
