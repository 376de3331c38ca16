"""`python -m abut` is the command abut."""

import sys

from . import main

if __name__ == "__main__":
    sys.exit(main())
