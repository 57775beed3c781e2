/** Every address of the web application, as functions where it has parts. */
export const paths = {
  home: '/',
  /** A tab of the parent or teacher home. */
  tab: (tab: string) => `/?tab=${encodeURIComponent(tab)}`,
  /** A section of the administrator console. */
  section: (section: string) => `/?section=${encodeURIComponent(section)}`,
  /** Everything about one family; `:id` is the route's own pattern. */
  family: (id: number | ':id') => `/families/${id}`,
  /** A family's statement of account: its own, and any for the office. */
  statementOfAccount: '/account',
  accountOf: (id: number | ':id') => `/families/${id}/account`,
  /** `:id` is the route's own pattern. */
  editMenuItem: (id: number | ':id') => `/menu/edit/${id}`,
  /** A receipt or a credit note; `:number` is the route's own pattern. */
  receipt: (number: string) => `/receipts/${number}`,
  /** What the mail of an invitation leads to; `:token` is the route's own pattern. */
  guardianInvite: (token: string) => `/guardian-invite/${token}`,
  /** Where a letter of the school's leads to: a new account, or who has one adds the children of `?code=`. */
  register: '/register',
  /** What the link of a reminder leads to; `:token` is the route's own pattern. */
  stopReminders: (token: string) => `/stop/${token}`,
  /** Where the link leads that proves an e-mail address; its `?token=` is sent by a press. */
  verifyEmail: '/verify-email',
  settings: '/settings',
  /** The hatch: handing lunches out. */
  serve: '/serve',
  paymentSuccess: '/payment/success',
  /** What became of this payment. */
  paymentResult: (transactionId: string) => `/payment/success?TransID=${encodeURIComponent(transactionId)}`,
  paymentCancel: '/payment/cancel',
  debugLogin: '/debug-login',
} as const

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

/**
 * The address that stands in this text, null where there is none. The browser's own answers to this, `URL.parse` and
 * `URL.canParse`, are younger than the oldest browser that is supported.
 */
export const addressOf = (text: string, base?: string): URL | null => {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
