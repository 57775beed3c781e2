import type { ReactNode } from 'react'
import { BeyondLastPage } from './beyond-last-page'
import { Pager } from './pager'

type PagedProps = {
  page: number
  /** 1 at least. */
  totalPages: number
  /** True while the page that was asked for is on its way. */
  busy: boolean
  onPage: (page: number) => void
  /** The rows of the page; null when it has none. */
  children: ReactNode
}

/** A page of a list and the way to the others; past the last one the way back. */
export const Paged = ({ children, ...pages }: PagedProps) =>
  children === null ? (
    <BeyondLastPage lastPage={pages.totalPages} onPage={pages.onPage} />
  ) : (
    <>
      {children}
      <Pager {...pages} />
    </>
  )
