"""What `python -m torch.utils.collect_env` prints, in its simplest form."""
if __name__ == "__main__":
    print("PyTorch version: 2.14.1 (stand-in)")
