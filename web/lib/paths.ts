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
  settings: '/settings',
  /** The hatch: handing lunches out. */
  serve: '/serve',
  paymentSuccess: '/payment/success',
  /** What became of this payment. */
  paymentResult: (transactionId: string) => `/payment/success?TransID=${encodeURIComponent(transactionId)}`,
  paymentCancel: '/payment/cancel',
  debugLogin: '/debug-login',
} as const
