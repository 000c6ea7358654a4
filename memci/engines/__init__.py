"""What proposes operations: the embedded local engine and the model behind one protocol."""
