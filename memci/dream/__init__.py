"""The dream: orient, gather, consolidate, prune; a pure function that ends in a plan."""
