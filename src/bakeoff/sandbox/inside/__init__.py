"""Programs that run inside a sandbox, sent there as text. They import nothing of ours."""
