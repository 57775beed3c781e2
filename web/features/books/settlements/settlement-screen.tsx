import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import {
  settlementStates,
  type Settlement,
  type SettlementHead,
  type SettlementRow,
  type SettlementState,
} from '#contracts/settlements'
import { counted, kwacha, wholeNumber } from '../../../lib/format'
import { addressWith, addressWithPage, pageFromAddress } from '../../../lib/list-address'
import { dateAndTime } from '../../../lib/school-moment'
import { Badge, type Tone } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Card, CardBody } from '../../../ui/card'
import { type DataColumn, DataTable } from '../../../ui/data-table'
import { LeftOut } from '../../../ui/left-out'
import { Notice } from '../../../ui/notice'
import { PagedList } from '../../../ui/paged-list'
import { EmptyState } from '../../../ui/query-result'
import { Select } from '../../../ui/select'
import { signedKwacha } from '../day-end/day-table'
import { settlementQuery, stateNames, typeNames } from './api'

const perPage = 50
const tones: Record<SettlementState, Tone> = {
  matched: 'brand',
  amount_differs: 'warning',
  missing_here: 'danger',
  missing_there: 'danger',
}

export const SettlementScreen = ({ id, onBack }: { id: number; onBack: () => void }) => {
  const [address, setAddress] = useSearchParams()
  const show = settlementStates.find((state) => state === address.get('show')) ?? null
  const page = pageFromAddress(address)
  const query = useQuery({
    ...settlementQuery(id),
    select: (found) => ({
      settlement: found,
      data: found.rows.filter(({ state }) => show === null || state === show),
    }),
  })
  const settlement = query.data?.settlement
  return (
    <div className="flex flex-col gap-4">
      <Button variant="ghost" size="sm" icon="chevron-left" className="self-start" onClick={onBack}>
        All settlements
      </Button>
      <Card>
        <CardBody className="flex flex-col gap-4">
          {settlement ? (
            <>
              <Head settlement={settlement} />
              <Unread errors={settlement.errors} />
              <LeftOut of={settlement} />
              <StateFilter
                settlement={settlement}
                show={show}
                onShow={(state) => setAddress(addressWith(address, { show: state }))}
              />
            </>
          ) : null}
          <PagedList
            query={query}
            list={{ page, onPage: (wanted) => setAddress(addressWithPage(address, wanted)) }}
            pages={({ data }) => ({ total: data.length, totalPages: Math.ceil(data.length / perPage) })}
            failure="Failed to fetch the settlement"
            empty={
              <EmptyState title="No rows to show" icon="table">
                There is nothing of this kind.
              </EmptyState>
            }
          >
            {({ data }) => (
              <DataTable
                label="Rows of the settlement"
                columns={columns}
                rows={data.slice((page - 1) * perPage, page * perPage)}
                keyOf={(row) => data.indexOf(row)}
              />
            )}
          </PagedList>
        </CardBody>
      </Card>
    </div>
  )
}

const Head = ({
  settlement: { fileName, uploadedAt, uploadedBy, totals },
}: {
  settlement: SettlementHead
}) => (
  <div>
    <h2 className="font-display text-xl font-semibold wrap-anywhere">{fileName}</h2>
    <p className="text-sm text-muted">{`Compared ${dateAndTime(uploadedAt)} by ${uploadedBy}`}</p>
    <p className="money text-sm">
      {[
        `Gross ${signedKwacha(totals.gross)}`,
        part('fee', totals.fee),
        part('reserve', totals.reserve),
        part('net', totals.net),
      ]
        .filter((text) => text !== null)
        .join(', ')}
    </p>
  </div>
)

const part = (name: string, amount: number | null): string | null =>
  amount === null ? null : `${name} ${signedKwacha(amount)}`

const Unread = ({ errors }: Pick<Settlement, 'errors'>) =>
  errors.length === 0 ? null : (
    <Notice tone="warning" title={`${counted(errors.length, 'row')} could not be read`}>
      <ul className="max-h-60 w-full list-disc overflow-y-auto pl-5">
        {errors.map(({ row, message }) => (
          <li key={row}>{`Row ${row}: ${message}`}</li>
        ))}
      </ul>
    </Notice>
  )

type StateFilterProps = {
  settlement: SettlementHead
  show: SettlementState | null
  onShow: (state: string | null) => void
}

const StateFilter = ({ settlement: { counts }, show, onShow }: StateFilterProps) => (
  <Select
    label="Show"
    className="w-full sm:w-64"
    value={show ?? ''}
    options={[
      { value: '', label: 'All rows' },
      ...settlementStates.map((state) => ({
        value: state,
        label: `${stateNames[state]} (${wholeNumber(counts[state])})`,
      })),
    ]}
    onChange={({ target }) => onShow(target.value || null)}
  />
)

const amount = (value: number | null) => (
  <span className="money whitespace-nowrap">{value === null ? '–' : kwacha(value)}</span>
)
const amounts = {
  named: true,
  width: 'third',
  headClass: 'text-right',
  className: '@4xl:text-right',
} as const

const columns: readonly DataColumn<SettlementRow>[] = [
  { label: 'Row', named: true, width: 'third', cell: ({ row }) => row ?? '–' },
  {
    label: 'State',
    width: 'most',
    cell: ({ state }) => <Badge tone={tones[state]}>{stateNames[state]}</Badge>,
  },
  {
    label: 'Reference',
    width: 'full',
    className: 'font-semibold break-all',
    cell: ({ reference }) => reference ?? '–',
  },
  { label: 'What', width: 'third', cell: ({ type }) => typeNames[type] },
  { label: 'Ours', ...amounts, cell: ({ ours }) => amount(ours) },
  { label: "The provider's", ...amounts, cell: ({ theirs }) => amount(theirs) },
]
