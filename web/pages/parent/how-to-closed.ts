/** Where this device keeps that a user has read how to order. */
const closedKey = (userId: number) => `tuckshop-how-to-order-${userId}`

export const isHowToClosed = (userId: number): boolean => localStorage.getItem(closedKey(userId)) === 'yes'

/** For good: this account, on this device. */
export const closeHowTo = (userId: number): void => localStorage.setItem(closedKey(userId), 'yes')
