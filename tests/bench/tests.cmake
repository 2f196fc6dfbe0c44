# Programs that scripts/bench times; ctest only holds what can not depend on the machine's load.
add_executable(bench_git_diffs EXCLUDE_FROM_ALL bench/git_diffs.cc)
target_link_libraries(bench_git_diffs PRIVATE edge_git warnings Threads::Threads)
add_executable(bench_sandbox_start EXCLUDE_FROM_ALL bench/sandbox_start.cc)
target_link_libraries(bench_sandbox_start PRIVATE edge_sandbox warnings)
python_test(bench_triage bench bench/triage.py --check)
# Needs $TORCH_ROOT.
python_test(bench_forks bench bench/forks.py --check --runs 5)
set_property(TEST bench_forks APPEND PROPERTY ENVIRONMENT "SANDBOX_DRIVER=$<TARGET_FILE:sandbox_driver>")
