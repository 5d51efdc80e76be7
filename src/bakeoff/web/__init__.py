"""The web app: what the other rooms know, for the browser. Only `cli` imports it."""
