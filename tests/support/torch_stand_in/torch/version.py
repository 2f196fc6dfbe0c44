__version__ = "2.14.1"
git_version = "Unknown"
