/** Every address of the web application, as functions where it has parts. */
export const paths = {
  home: '/',
  /** A tab of the parent or teacher home. */
  tab: (tab: string) => `/?tab=${encodeURIComponent(tab)}`,
  /** A section of the administrator console. */
  section: (section: string) => `/?section=${encodeURIComponent(section)}`,
  /** The same with filters of its list. */
  sectionWith: (section: string, filters: Record<string, string>) =>
    `/?${new URLSearchParams({ section, ...filters })}`,
  /** One statement, under Pending Payments. */
  statement: (id: number) => `/?section=pending_payments&tab=statements&statement=${id}`,
  /** Everything about one family; `:id` is the route's own pattern. */
  family: (id: number | ':id') => `/families/${id}`,
  /** A family's statement of account: its own, and any for the office. */
  statementOfAccount: '/account',
  accountOf: (id: number | ':id') => `/families/${id}/account`,
  /** A closed day to print. */
  closing: (date: string) => `/books/closings/${date}`,
  /** The orders in Cycle History, of this item, cycle, week and day. */
  ordersOf: (filters: Record<string, number>) =>
    `/?section=history&${new URLSearchParams(Object.entries(filters).map(([key, value]) => [key, String(value)]))}`,
  /** `:id` is the route's own pattern. */
  editMenuItem: (id: number | ':id') => `/menu/edit/${id}`,
  /** A receipt or a credit note; `:number` is the route's own pattern. */
  receipt: (number: string) => `/receipts/${number}`,
  settings: '/settings',
  /** The hatch: handing lunches out. */
  serve: '/serve',
  paymentSuccess: '/payment/success',
  /** What became of this payment. */
  paymentResult: (transactionId: string) => `/payment/success?TransID=${encodeURIComponent(transactionId)}`,
  paymentCancel: '/payment/cancel',
  debugLogin: '/debug-login',
} as const
