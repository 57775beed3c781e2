/** Addresses that only the console leads to, so that families do not fetch them. */
export const consolePaths = {
  /** A section of the console with filters of its list. */
  sectionWith: (section: string, filters: Record<string, string>) =>
    `/?${new URLSearchParams({ section, ...filters })}`,
  /** One statement, under Pending Payments. */
  statement: (id: number) => `/?section=pending_payments&tab=statements&statement=${id}`,
  /** The roll, under Parents & Students. */
  roll: '/?section=parents_students&tab=roll',
  /** Letters for families of the roll without an account. */
  rollLetters: '/roll/letters',
  /** The same, filtered by class and text as the list of the roll is. */
  rollLettersAs: (list: URLSearchParams) =>
    `/roll/letters?${new URLSearchParams([...list].filter(([name]) => name === 'class' || name === 'text'))}`,
  /** Every child one grade up. */
  yearMove: '/roll/year-move',
  /** A closed day to print. */
  closing: (date: string) => `/books/closings/${date}`,
  /** The orders in Cycle History, of this item, cycle, week and day. */
  ordersOf: (filters: Record<string, number>) =>
    `/?section=history&${new URLSearchParams(Object.entries(filters).map(([key, value]) => [key, String(value)]))}`,
} as const
