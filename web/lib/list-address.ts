import { directions } from '#contracts/sorting'
import type { Direction } from '#contracts/sorting'
import { addressWithPage } from './page-in-address'

/** The order of a list: by which of its keys, and which end first. */
export type Sorting<Key extends string> = { sort: Key; direction: Direction }

/** The order that the address names; `usual` for none, and for a key or a direction that is none. */
export const sortingFromAddress = <Key extends string>(
  address: URLSearchParams,
  keys: readonly Key[],
  usual: Sorting<Key>,
): Sorting<Key> => {
  const sort = keys.find((key) => key === address.get('sort'))
  if (!sort) return usual
  const direction = directions.find((one) => one === address.get('direction'))
  return { sort, direction: direction ?? 'asc' }
}

/** The address with these parameters, without those that are null, on the first page; every other one stays. */
export const addressWith = (
  address: URLSearchParams,
  changes: Record<string, string | null>,
): URLSearchParams => {
  const next = addressWithPage(address, 1)
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) next.delete(key)
    else next.set(key, value)
  }
  return next
}

/** The address with this order, on the first page; the usual one is not named. */
export const addressWithSorting = <Key extends string>(
  address: URLSearchParams,
  { sort, direction }: Sorting<Key>,
  usual: Sorting<Key>,
): URLSearchParams =>
  sort === usual.sort && direction === usual.direction
    ? addressWith(address, { sort: null, direction: null })
    : addressWith(address, { sort, direction: direction === 'asc' ? null : direction })
