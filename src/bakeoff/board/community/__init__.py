"""What people say of rows, tasks and boards."""
