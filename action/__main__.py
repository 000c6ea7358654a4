"""`python -m action STAGE`, as stage.sh calls it."""

import os
import sys

from action.report import report
from action.stages import STAGES

if __name__ == "__main__":
    stage = sys.argv[1]
    sys.exit(report(os.environ) if stage == "report" else STAGES[stage](os.environ))
