import { useSearchParams } from 'react-router-dom'
import { type core, safeParse, type ZodMiniObject } from 'zod/mini'
import { type Direction, directions } from '#contracts/endpoint'

/** The order of a list: by which of its keys, and which end first. */
export type Sorting<Key extends string> = { sort: Key; direction: Direction }

/**
 * What of a list the address asks for, and the ways to ask for something else: each is a step that Back undoes, and all
 * but the page lead to the first page. `usual` is the order of the list when the address names none.
 */
export const useListAddress = <Key extends string>(keys: readonly Key[], usual: Sorting<Key>) => {
  const [address, setAddress] = useSearchParams()
  const page = pageFromAddress(address)
  const sorting = sortingFromAddress(address, keys, usual)
  const isUsual = sorting.sort === usual.sort && sorting.direction === usual.direction
  return {
    address,
    page,
    /** The page and the order as the server is asked for them; the usual order goes without saying. */
    query: isUsual ? { page } : { page, ...sorting },
    sorted: {
      sorting,
      onSort: (wanted: Sorting<Key>) => setAddress(addressWithSorting(address, wanted, usual)),
    },
    onPage: (wanted: number) => setAddress(addressWithPage(address, wanted)),
    /** Sets these parameters and removes those that are null. */
    onFilter: (changes: Record<string, string | null>) => setAddress(addressWith(address, changes)),
    /** The same for a text while it is typed: what Back leads to stays what it was. */
    onTyped: (changes: Record<string, string | null>) =>
      setAddress(addressWith(address, changes), { replace: true }),
  }
}

export type ListAddress<Key extends string> = ReturnType<typeof useListAddress<Key>>

/** The order that the address names; `usual` for none, and for a key or a direction that is none. */
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

/** The longest text that the lists search for. */
export const maxSearchLength = 100

/** The filters that the address names; what the query does not take, a value that is none as well, is left out. */
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

/** The page of a list that the address names; 1 for anything that is not a page. */
export const pageFromAddress = (search: URLSearchParams): number => {
  const page = Number(search.get('page'))
  return Number.isInteger(page) && page >= 1 ? page : 1
}

/** The address with this page, the first unnamed; every other parameter stays. */
export const addressWithPage = (search: URLSearchParams, page: number): URLSearchParams => {
  const next = new URLSearchParams(search)
  if (page === 1) next.delete('page')
  else next.set('page', String(page))
  return next
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
const addressWithSorting = <Key extends string>(
  address: URLSearchParams,
  { sort, direction }: Sorting<Key>,
  usual: Sorting<Key>,
): URLSearchParams =>
  sort === usual.sort && direction === usual.direction
    ? addressWith(address, { sort: null, direction: null })
    : addressWith(address, { sort, direction: direction === 'asc' ? null : direction })
