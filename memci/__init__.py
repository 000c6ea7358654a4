"""memci keeps the file memory of coding agents true."""

__version__ = "0.2.0"
HOMEPAGE = "https://github.com/memci/memci"
