import { readDevice, writeDevice } from '../../lib/device-storage'

/** Where this device keeps that a user has read how to order. */
const closedKey = (userId: number) => `tuckshop-how-to-order-${userId}`

export const isHowToClosed = (userId: number): boolean => readDevice(closedKey(userId)) === 'yes'

/** For good: this account, on this device. */
export const closeHowTo = (userId: number): void => writeDevice(closedKey(userId), 'yes')
