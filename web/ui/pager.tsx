import { Button } from './button'

type PagerProps = {
  page: number
  totalPages: number
  onPage: (page: number) => void
  /** "Page" and "of" around the numbers, as the screen's spec writes them. */
  words?: (page: number, totalPages: number) => string
  busy?: boolean
}

/** Previous, Next and where we are. Nothing when there is only one page. */
export const Pager = ({
  page,
  totalPages,
  onPage,
  words = (at, of) => `Page ${at} of ${of}`,
  busy,
}: PagerProps) =>
  totalPages <= 1 ? null : (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3 py-3">
      <Button
        variant="secondary"
        size="sm"
        icon="chevron-left"
        disabled={page <= 1 || busy}
        onClick={() => onPage(page - 1)}
      >
        Previous
      </Button>
      <span aria-live="polite" className="money text-sm text-muted">
        {words(page, totalPages)}
      </span>
      <Button
        variant="secondary"
        size="sm"
        icon="chevron-right"
        disabled={page >= totalPages || busy}
        onClick={() => onPage(page + 1)}
      >
        Next
      </Button>
    </nav>
  )
