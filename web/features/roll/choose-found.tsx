import type { ReactNode } from 'react'
import { maxSearchLength } from '../../lib/list-address'
import { TextField } from '../../ui/field'
import { type QueryState, QueryResult, SkeletonLines } from '../../ui/query-result'

type ChooseFoundProps<Found> = {
  label: string
  hint: string
  typed: string
  onTyped: (typed: string) => void
  query: QueryState<readonly Found[]> | null
  failure: string
  children: (found: Found) => ReactNode
}

export const ChooseFound = <Found,>({
  label,
  hint,
  typed,
  onTyped,
  query,
  failure,
  children,
}: ChooseFoundProps<Found>) => (
  <>
    <TextField
      label={label}
      hint={hint}
      type="search"
      value={typed}
      maxLength={maxSearchLength}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog begins with what is to be done in it
      autoFocus
      autoComplete="off"
      onChange={(event) => onTyped(event.target.value)}
    />
    <div aria-live="polite" className="mt-3 min-h-44">
      {query ? (
        <QueryResult
          query={query}
          failure={failure}
          waiting={<SkeletonLines lines={3} />}
          isEmpty={(found) => found.length === 0}
          empty={<p className="text-sm text-muted">No results found</p>}
        >
          {(found) => (
            <ul className="divide-y divide-line rounded-md border border-line">{found.map(children)}</ul>
          )}
        </QueryResult>
      ) : null}
    </div>
  </>
)

type FoundButtonProps = { title: string; more: readonly (string | null | undefined)[]; onChoose: () => void }

/** With what tells it from others. */
export const FoundButton = ({ title, more, onChoose }: FoundButtonProps) => (
  <li>
    <button
      type="button"
      onClick={onChoose}
      className="block min-h-11 w-full px-3 py-2 text-left hover:bg-sand-50 focus-visible:bg-sand-50"
    >
      <span className="block font-semibold break-words">{title}</span>
      <span className="block text-sm break-words text-muted">{more.filter(Boolean).join(' · ')}</span>
    </button>
  </li>
)
