"""`python benchmarks/datasets`. A module of its own, because the workers' processes cannot import what is in this file."""
from compare import main

if __name__ == "__main__":
    main()
