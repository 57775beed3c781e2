import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isInMemoryOnly, readDevice, subscribeToDevice } from '../lib/device-storage'
import { userQuery } from './session'

export const cartKey = (userId: number): string => `tuckshop-cart-${userId}`

/** Whether this device keeps a cart with meals of the signed-in person. */
export const useCartHere = (): boolean => {
  const userId = useQuery({ ...userQuery, enabled: false }).data?.id
  return useSyncExternalStore(subscribeToDevice, () => userId !== undefined && isCartHere(cartKey(userId)))
}

const isCartHere = (key: string): boolean => !isInMemoryOnly(key) && (readDevice(key) ?? '[]') !== '[]'
