import { useSearchParams } from 'react-router-dom'
import { type core, safeParse, type ZodMiniObject } from 'zod/mini'
import { type Direction, directions } from '#contracts/endpoint'

/** The order of a list: by which of its keys, and which end first. */
export type Sorting<Key extends string> = { sort: Key; direction: Direction }

/** List state in the address; Back undoes each step, and all but paging return to page 1. `usual` is the default order. */
export const useListAddress = <Key extends string>(keys: readonly Key[], usual: Sorting<Key>) => {
  const [address, setAddress] = useSearchParams()
  const page = pageFromAddress(address)
  const sorting = sortingFromAddress(address, keys, usual)
  const isUsual = sorting.sort === usual.sort && sorting.direction === usual.direction
  return {
    address,
    page,
    /** Omits the usual order. */
    query: isUsual ? { page } : { page, ...sorting },
    sorted: {
      sorting,
      onSort: (wanted: Sorting<Key>) => setAddress(addressWithSorting(address, wanted, usual)),
    },
    onPage: (wanted: number) => setAddress(addressWithPage(address, wanted)),
    /** Null removes a parameter. */
    onFilter: (changes: Record<string, string | null>) => setAddress(addressWith(address, changes)),
    /** Replaces while typing, so that Back skips it. */
    onTyped: (changes: Record<string, string | null>) =>
      setAddress(addressWith(address, changes), { replace: true }),
  }
}

export type ListAddress<Key extends string> = ReturnType<typeof useListAddress<Key>>

/** `usual` for none or an invalid value. */
const sortingFromAddress = <Key extends string>(
  address: URLSearchParams,
  keys: readonly Key[],
  usual: Sorting<Key>,
): Sorting<Key> => {
  const sort = keys.find((key) => key === address.get('sort'))
  if (!sort) return usual
  const direction = directions.find((one) => one === address.get('direction'))
  return { sort, direction: direction ?? 'asc' }
}

export const maxSearchLength = 100

/** Drops invalid filters. */
export const readFilters = <Shape extends core.$ZodLooseShape, Key extends keyof Shape & string>(
  address: URLSearchParams,
  query: ZodMiniObject<Shape>,
  keys: readonly Key[],
): { [K in Key]?: NonNullable<core.output<Shape[K]>> } => {
  const filters: { [K in Key]?: NonNullable<core.output<Shape[K]>> } = {}
  for (const key of keys) {
    const text = address.get(key)?.trim().slice(0, maxSearchLength)
    const read = text ? safeParse(query.shape[key]!, text) : null
    if (read?.success) filters[key] = read.data as NonNullable<core.output<Shape[Key]>>
  }
  return filters
}

export const pageFromAddress = (search: URLSearchParams): number => {
  const page = Number(search.get('page'))
  return Number.isInteger(page) && page >= 1 ? page : 1
}

export const addressWithPage = (search: URLSearchParams, page: number): URLSearchParams => {
  const next = new URLSearchParams(search)
  if (page === 1) next.delete('page')
  else next.set('page', String(page))
  return next
}

/** Null removes a parameter; returns to page 1. */
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

/** Returns to page 1; omits the usual order. */
const addressWithSorting = <Key extends string>(
  address: URLSearchParams,
  { sort, direction }: Sorting<Key>,
  usual: Sorting<Key>,
): URLSearchParams =>
  sort === usual.sort && direction === usual.direction
    ? addressWith(address, { sort: null, direction: null })
    : addressWith(address, { sort, direction: direction === 'asc' ? null : direction })
