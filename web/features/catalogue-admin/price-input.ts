/** What the price field keeps of a keystroke: digits, one dot, two decimals at most; otherwise what was there. */
export const acceptedPrice = (typed: string, before: string): string =>
  /^\d*(\.\d{0,2})?$/.test(typed) ? typed : before
