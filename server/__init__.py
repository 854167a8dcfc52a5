"""The web server: hands requests and WebSockets to the host, and the page's files to the browser."""
