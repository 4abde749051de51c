"""Tags inside running text: MUC and OntoNotes .coref."""
