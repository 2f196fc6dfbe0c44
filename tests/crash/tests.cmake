add_executable(kill_at_append crash/kill_at_append.cc)
target_link_libraries(kill_at_append PRIVATE app warnings)
python_test(crash_resume crash crash/resume_test.py $<TARGET_FILE:kill_at_append>)
# Runs with scripts/test --long only.
python_test(crash_resume_demo "crash;long" crash/demo_resume_test.py $<TARGET_FILE:kill_at_append>)
set_tests_properties(crash_resume_demo PROPERTIES TIMEOUT 7200)
python_test(interrupt crash crash/interrupt_test.py)
