/** Every address of the web application, as functions where it has parts. */
export const paths = {
  home: '/',
  /** A tab of the parent or teacher home. */
  tab: (tab: string) => `/?tab=${encodeURIComponent(tab)}`,
  /** A section of the administrator console. */
  section: (section: string) => `/?section=${encodeURIComponent(section)}`,
  editMenuItem: (id: number) => `/menu/edit/${id}`,
  settings: '/settings',
  paymentSuccess: '/payment/success',
  /** What became of this payment. */
  paymentResult: (transactionId: string) => `/payment/success?TransID=${encodeURIComponent(transactionId)}`,
  paymentCancel: '/payment/cancel',
  debugLogin: '/debug-login',
} as const

/** The same paths as the router matches them. */
export const patterns = {
  home: '/',
  editMenuItem: '/menu/edit/:id',
  settings: '/settings',
  paymentSuccess: '/payment/success',
  paymentCancel: '/payment/cancel',
  debugLogin: '/debug-login',
  anything: '*',
} as const
