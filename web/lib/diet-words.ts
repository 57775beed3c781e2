/** As every screen names a diet. */
export const dietWords = {
  none: 'No special diet',
  vegetarian: 'Vegetarian',
  no_pork: 'No pork',
  no_beef: 'No beef',
  halal: 'Halal',
} as const
