/** The week's allergen table, as it is printed. Apart from `paths`: no family opens it. */
export const allergenTablePath = (from: string): string =>
  `/papers/allergens?${new URLSearchParams({ from })}`
