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
