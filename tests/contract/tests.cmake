python_test(fake_github contract contract/fake_github_test.py)
