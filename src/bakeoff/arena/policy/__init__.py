"""The policy of an arena as code: rules stated in advance, kept by what is done, and checked by anybody."""
