"""The database: boards, submissions, jobs and the log of what happened. Samples stay in run folders.

SQLite by default, in write-ahead mode; PostgreSQL by URL. Times in it are the database's own.
"""

from bakeoff.database.engine import database_url, open_database, reading, shown_url, writing

__all__ = ["database_url", "open_database", "reading", "shown_url", "writing"]
