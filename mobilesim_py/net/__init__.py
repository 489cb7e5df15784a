"""Where clients come in: TCP ports, robot factories, serial lines, pseudo-terminals, discovery."""
