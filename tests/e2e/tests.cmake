python_test(demo_day unit e2e/demo_day_test.py)
# Needs $TORCH_ROOT (scripts/torch-env prints it) and bubblewrap.
python_test(testdev e2e e2e/testdev_test.py)
# Two whole runs, some minutes.
python_test(demo_run e2e e2e/demo_run_test.py)
