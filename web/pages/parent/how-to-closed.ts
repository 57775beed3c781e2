import { readDevice, writeDevice } from '../../lib/device-storage'

/** Remembers the dismissal. */
const closedKey = (userId: number) => `tuckshop-how-to-order-${userId}`

export const isHowToClosed = (userId: number): boolean => readDevice(closedKey(userId)) === 'yes'

/** Permanent for this account and device. */
export const closeHowTo = (userId: number): void => writeDevice(closedKey(userId), 'yes')
