"""How a sentence talks about what it cites: as present, gone, planned or an example."""
