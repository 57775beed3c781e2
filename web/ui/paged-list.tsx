import type { ReactNode } from 'react'
import type { ListAddress } from '../lib/list-address'
import { Button } from './button'
import { EmptyState } from './empty-state'
import { Pager } from './pager'
import { type QueryState, QueryResult } from './query-result'

type Pages = { total: number; totalPages: number }

type PagedListProps<Page> = {
  query: QueryState<Page> & { isPlaceholderData: boolean }
  list: Pick<ListAddress<never>, 'page' | 'onPage'>
  /** How many rows and pages there are, at least one page. */
  pages: (page: Page) => Pages
  failure: string
  /** Shown instead of a list without any rows. */
  empty: ReactNode
  /** Shown above the rows, also on a page that has none. */
  renderHead?: (total: number) => ReactNode
  /** The rows of a page that has some. */
  children: (page: Page, total: number) => ReactNode
}

/** A list of the server, a page at a time. */
export const PagedList = <Page extends { data: readonly unknown[] }>({
  query,
  list,
  pages,
  failure,
  empty,
  renderHead,
  children,
}: PagedListProps<Page>) => (
  <QueryResult query={query} failure={failure} isEmpty={(page) => pages(page).total === 0} empty={empty}>
    {(page) => {
      const { total, totalPages } = pages(page)
      return (
        <>
          {renderHead?.(total)}
          <Paged page={list.page} totalPages={totalPages} busy={query.isPlaceholderData} onPage={list.onPage}>
            {page.data.length === 0 ? null : children(page, total)}
          </Paged>
        </>
      )
    }}
  </QueryResult>
)

/** How many rows a list has, above it; announced when it changes. */
export const ListCount = ({ children }: { children: string }) => (
  <p aria-live="polite" className="money text-sm text-muted">
    {children}
  </p>
)

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

/** Where the address asks for a page that the list no longer has. */
export const BeyondLastPage = ({
  lastPage,
  onPage,
}: {
  lastPage: number
  onPage: (page: number) => void
}) => (
  <EmptyState
    title="This page is empty"
    icon="list"
    action={
      <Button icon="chevron-left" onClick={() => onPage(lastPage)}>
        {lastPage === 1 ? 'Go to the first page' : `Go to page ${lastPage}`}
      </Button>
    }
  >
    The list has become shorter since this address was made.
  </EmptyState>
)
