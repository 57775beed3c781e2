/** Leaves the application for the payment page. */
export const redirectTo = (address: string): void => window.location.assign(address)
