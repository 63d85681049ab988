"""What a new user does with Tertulia, told and checked step by step, over HTTP alone."""
