import { useSearchParams } from 'react-router-dom'
import { addressWith, addressWithSorting, sortingFromAddress } from './list-address'
import type { Sorting } from './list-address'
import { addressWithPage, pageFromAddress } from './page-in-address'

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
    asked: isUsual ? { page } : { page, ...sorting },
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
