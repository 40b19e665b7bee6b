"""Wave forces by tables: force RAOs as potential-flow programs write them."""
