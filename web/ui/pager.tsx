import { type MouseEvent, useRef } from 'react'
import { Button } from './button'

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
