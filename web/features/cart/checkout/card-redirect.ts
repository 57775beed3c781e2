/** Leaves the application for the payment page. */
export const followTo = (address: string): void => window.location.assign(address)
