"""Server of the browser tests: no token, no XSRF check; never use it elsewhere."""

from jupyterlab.galata import configure_jupyter_server

configure_jupyter_server(c)
c.ServerApp.ip = "127.0.0.1"
c.ServerApp.allow_root = True
