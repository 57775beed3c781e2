import { type ReactNode, type MouseEvent, useRef } from 'react'
import type { ListAddress } from '../lib/list-address'
import { Button } from './button'
import { EmptyState, type QueryState, QueryResult } from './query-result'

type Pages = { total: number; totalPages: number }

type PagedListProps<Page> = {
  query: QueryState<Page> & { isPlaceholderData: boolean }
  list: Pick<ListAddress<never>, 'page' | 'onPage'>
  /** Rows and pages; at least one page. */
  pages: (page: Page) => Pages
  failure: string
  empty: ReactNode
  renderHead?: (total: number) => ReactNode
  children: (page: Page, total: number) => ReactNode
}

/** Paged by the server. */
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

/** Announced on change. */
export const ListCount = ({ children }: { children: string }) => (
  <p aria-live="polite" className="money text-sm text-muted">
    {children}
  </p>
)

type PagedProps = {
  page: number
  /** At least 1. */
  totalPages: number
  /** The page is loading. */
  busy: boolean
  onPage: (page: number) => void
  children: ReactNode
}

/** Beyond the last page it links back. */
export const Paged = ({ children, ...pages }: PagedProps) =>
  children === null ? (
    <BeyondLastPage lastPage={pages.totalPages} onPage={pages.onPage} />
  ) : (
    <>
      {children}
      <Pager {...pages} />
    </>
  )

/** For a page that no longer exists. */
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

/** Scrolls a long page to its start. The focus stays on the button, or goes to the text at an end. Nothing for one page. */
export const Pager = ({ page, totalPages, onPage, busy }: PagerProps) => {
  const nav = useRef<HTMLElement>(null)
  const where = useRef<HTMLSpanElement>(null)
  const turn = (wanted: number) => (event: MouseEvent) => {
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

// Keyboard presses have no click count.
const byPointer = ({ detail }: MouseEvent) => detail > 0

const showStart = (list: HTMLElement | null | undefined) => {
  if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' })
}
