import type { QueryOf } from '#contracts/endpoint'
import type { Statement, statementRows } from '#contracts/statements'
import { wholeNumber } from '../../../lib/format'
import { Button } from '../../../ui/button'

type Counts = Statement['counts']

const shows = [
  {
    key: '',
    label: 'All',
    query: {},
    of: ({ open, suggested, confirmed, ignored }: Counts) => open + suggested + confirmed + ignored,
  },
  {
    key: 'exact',
    label: 'Exact',
    query: { state: 'suggested', certainty: 'exact' },
    of: ({ exact }: Counts) => exact,
  },
  {
    key: 'likely',
    label: 'Likely',
    query: { state: 'suggested', certainty: 'likely' },
    of: ({ likely }: Counts) => likely,
  },
  { key: 'open', label: 'Open', query: { state: 'open' }, of: ({ open }: Counts) => open },
  {
    key: 'confirmed',
    label: 'Confirmed',
    query: { state: 'confirmed' },
    of: ({ confirmed }: Counts) => confirmed,
  },
  { key: 'ignored', label: 'Ignored', query: { state: 'ignored' }, of: ({ ignored }: Counts) => ignored },
] as const satisfies readonly {
  key: string
  label: string
  query: QueryOf<typeof statementRows>
  of: (counts: Counts) => number
}[]

/** Which rows of a statement the address asks for; all for anything that is no choice. */
export const showOf = (address: URLSearchParams) =>
  shows.find(({ key }) => key === address.get('show')) ?? shows[0]

type RowFilterProps = { counts: Counts; current: string; onShow: (key: string) => void }

/** The rows by what is to be done with them, each with its number. */
export const RowFilter = ({ counts, current, onShow }: RowFilterProps) => (
  <fieldset className="flex flex-wrap gap-2">
    <legend className="sr-only">Show</legend>
    {shows.map(({ key, label, of }) => (
      <Button
        key={key}
        size="sm"
        variant={key === current ? 'primary' : 'secondary'}
        aria-pressed={key === current}
        onClick={() => onShow(key)}
      >
        {`${label} ${wholeNumber(of(counts))}`}
      </Button>
    ))}
  </fieldset>
)
