"""What a model meant, taken out of what it wrote: pure functions from text to an extraction.

Nothing is re-exported: each module compiles its patterns when first needed (those for labels take 0.1 s).
"""
