"""What git says about what is cited: when it was written down and what happened since."""
