import { type ReactNode, type MouseEvent, useRef } from 'react'
import type { ListAddress } from '../lib/list-address'
import { Button } from './button'
import { EmptyState, type QueryState, QueryResult } from './query-result'

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

type PagerProps = {
  page: number
  totalPages: number
  onPage: (page: number) => void
  busy?: boolean
}

/**
 * Previous, Next and where we are; a long page is then seen from its start. The focus stays on the button, so that it
 * can be pressed again, and goes to the words where there is no further page. Nothing when there is only one page.
 */
export const Pager = ({ page, totalPages, onPage, busy }: PagerProps) => {
  const nav = useRef<HTMLElement>(null)
  const where = useRef<HTMLSpanElement>(null)
  const turn = (wanted: number) => (event: MouseEvent) => {
    // Not disabled meanwhile, which would take the focus away.
    if (busy) return
    onPage(wanted)
    if (wanted === 1 || wanted === totalPages) where.current?.focus({ preventScroll: true })
    if (byPointer(event)) showStart(nav.current?.parentElement)
  }
  return totalPages <= 1 ? null : (
    <nav ref={nav} aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3 py-3">
      <Button variant="secondary" size="sm" icon="chevron-left" disabled={page <= 1} onClick={turn(page - 1)}>
        Previous
      </Button>
      <span ref={where} tabIndex={-1} aria-live="polite" className="money text-sm text-muted">
        {`Page ${page} of ${totalPages}`}
      </span>
      <Button
        variant="secondary"
        size="sm"
        icon="chevron-right"
        disabled={page >= totalPages}
        onClick={turn(page + 1)}
      >
        Next
      </Button>
    </nav>
  )
}

// A press of a key on a button counts no clicks.
const byPointer = ({ detail }: MouseEvent) => detail > 0

const showStart = (list: HTMLElement | null | undefined) => {
  if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' })
}
