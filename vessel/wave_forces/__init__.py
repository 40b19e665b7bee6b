"""Wave forces and motions by RAOs: tables of potential-flow programs, and closed forms."""
