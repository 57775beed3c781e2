import type { ServedLunch } from '#contracts/serving'

/** The lunch of a child on a date (`YYYY-MM-DD`), the `number`th of the day, of which nothing was told yet. */
export const servedLunch = (
  date: string,
  number: number,
  student: string,
  more: Partial<ServedLunch> = {},
): ServedLunch => ({
  orderId: `${number}.${date}.1`,
  student,
  grade: '4',
  class: null,
  tellApart: null,
  menuItem: 'Beef Stew',
  category: 'beef',
  sideDish: 'Nshima',
  comments: '',
  allergies: null,
  diet: 'none',
  medicalNote: null,
  unpaid: false,
  absent: false,
  mark: null,
  ...more,
})
