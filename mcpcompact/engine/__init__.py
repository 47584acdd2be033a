"""What fills the budget: atoms, choice, cover, fill, rendering."""
