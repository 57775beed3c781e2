export const redirectTo = (address: string): void => window.location.assign(address)
