"""Acts on a finished plan: hands it on as a bundle, and proposes it as one pull request."""
