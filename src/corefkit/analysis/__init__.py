"""What people ask after a score: each analysis is a package or module of its own."""
