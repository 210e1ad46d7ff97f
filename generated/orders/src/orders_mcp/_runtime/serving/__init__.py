"""How clients reach the server: over standard input and output, or over Streamable HTTP; and how it ends."""
