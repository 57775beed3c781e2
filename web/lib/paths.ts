/** Functions where there are parameters. */
export const paths = {
  home: '/',
  tab: (tab: string) => `/?tab=${encodeURIComponent(tab)}`,
  section: (section: string) => `/?section=${encodeURIComponent(section)}`,
  /** `:id` is the route's pattern. */
  family: (id: number | ':id') => `/families/${id}`,
  /** The own account, or any for the office. */
  statementOfAccount: '/account',
  accountOf: (id: number | ':id') => `/families/${id}/account`,
  /** `:id` is the route's own pattern. */
  editMenuItem: (id: number | ':id') => `/menu/edit/${id}`,
  /** `:number` is the route's pattern. */
  receipt: (number: string) => `/receipts/${number}`,
  guardianInvite: (token: string) => `/guardian-invite/${token}`,
  /** From a school letter, with `?code=`. */
  register: '/register',
  /** `:token` is the route's pattern. */
  stopReminders: (token: string) => `/stop/${token}`,
  privacy: '/privacy',
  /** From the email's link, with `?token=`. */
  verifyEmail: '/verify-email',
  settings: '/settings',
  serve: '/serve',
  paymentSuccess: '/payment/success',
  paymentResult: (transactionId: string) => `/payment/success?TransID=${encodeURIComponent(transactionId)}`,
  paymentPhone: '/payment/phone',
  /** `isSandbox` links to the phone that plays the payer's. */
  paymentByPhone: (transactionId: string, isSandbox: boolean) =>
    `/payment/phone?${new URLSearchParams({ TransID: transactionId, ...(isSandbox && { sandbox: '1' }) })}`,
  paymentCancel: '/payment/cancel',
  debugLogin: '/debug-login',
} as const

export const consolePaths = {
  sectionWith: (section: string, filters: Record<string, string>) =>
    `/?${new URLSearchParams({ section, ...filters })}`,
  today: '/?section=today',
  /** Under Cycle History. */
  dayEnd: '/?section=history&tab=books&books=day-end',
  /** Under Pending Payments. */
  statements: '/?section=pending_payments&tab=statements',
  statement: (id: number) => `/?section=pending_payments&tab=statements&statement=${id}`,
  /** Under Parents & Students. */
  roll: '/?section=parents_students&tab=roll',
  rollLetters: '/roll/letters',
  /** Filtered as the roll's list. */
  rollLettersAs: (list: URLSearchParams) =>
    `/roll/letters?${new URLSearchParams([...list].filter(([name]) => name === 'class' || name === 'text'))}`,
  yearMove: '/roll/year-move',
  closing: (date: string) => `/books/closings/${date}`,
  ordersOf: (filters: Record<string, number>) =>
    `/?section=history&${new URLSearchParams(Object.entries(filters).map(([key, value]) => [key, String(value)]))}`,
} as const

/** Null for no URL. `URL.parse` and `URL.canParse` are newer than the oldest supported browser. */
export const addressOf = (text: string, base?: string): URL | null => {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
