"""Which votes count: filters that say what they set aside and why, and the way from raw to used."""
