"""Sets of items that are versioned: frozen, checked, and grown only by reviewed cases."""
