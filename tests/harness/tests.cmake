python_test(harness_scripts hostile harness/harness_scripts.py)
# These need $TORCH_ROOT, as those of tests/e2e.
python_test(device_proof e2e harness/device_proof_test.py)
python_test(seed_caches hostile harness/seed_caches_test.py)
python_test(harness_fork_and_process e2e harness/fork_and_process_test.py)
python_test(harness_hangs hostile harness/hangs_test.py)
foreach(test harness_scripts device_proof seed_caches harness_fork_and_process harness_hangs)
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "SANDBOX_DRIVER=$<TARGET_FILE:sandbox_driver>")
endforeach()
