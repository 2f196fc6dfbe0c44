python_test(harness_scripts hostile harness/harness_scripts.py)
set_property(TEST harness_scripts APPEND PROPERTY ENVIRONMENT "SANDBOX_DRIVER=$<TARGET_FILE:sandbox_driver>")
# Needs $TORCH_ROOT, as those of tests/e2e.
python_test(device_proof e2e harness/device_proof_test.py)
set_property(TEST device_proof APPEND PROPERTY ENVIRONMENT "SANDBOX_DRIVER=$<TARGET_FILE:sandbox_driver>")
python_test(seed_caches hostile harness/seed_caches_test.py)
set_property(TEST seed_caches APPEND PROPERTY ENVIRONMENT "SANDBOX_DRIVER=$<TARGET_FILE:sandbox_driver>")
