import { useQuery } from '@tanstack/react-query'
import type { SettlementHead } from '#contracts/settlements'
import { wholeNumber } from '../../../lib/format'
import { dateAndTime } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { QueryResult } from '../../../ui/query-result'
import { StackedCell, StackedRow, StackedTable } from '../../../ui/stacked-table'
import { settlementsQuery } from './api'
import { UploadCard } from './upload-card'

const columns = [
  { label: 'File' },
  { label: 'Compared' },
  { label: 'Outcome' },
  { label: 'Open', hideLabel: true },
]

/** The latest settlements, the newest first, and the way to compare one more. */
export const SettlementList = ({ onOpen }: { onOpen: (id: number) => void }) => (
  <div className="flex flex-col gap-4">
    <UploadCard onUploaded={onOpen} />
    <Card>
      <CardHeading title="Settlements" />
      <CardBody>
        <QueryResult
          query={useQuery(settlementsQuery)}
          failure="Failed to fetch settlements"
          isEmpty={({ data }) => data.length === 0}
          empty={
            <EmptyState title="No settlements yet" icon="table">
              Upload one: what the provider has and the books have not, and the other way round, is shown.
            </EmptyState>
          }
        >
          {({ data }) => (
            <StackedTable label="Settlements" columns={columns}>
              {data.map((settlement) => (
                <Row key={settlement.id} settlement={settlement} onOpen={() => onOpen(settlement.id)} />
              ))}
            </StackedTable>
          )}
        </QueryResult>
      </CardBody>
    </Card>
  </div>
)

const Row = ({ settlement, onOpen }: { settlement: SettlementHead; onOpen: () => void }) => (
  <StackedRow>
    <StackedCell width="full" className="font-semibold break-all">
      {settlement.fileName}
    </StackedCell>
    <StackedCell width="full" className="text-muted">
      {`${dateAndTime(settlement.uploadedAt)} by ${settlement.uploadedBy}`}
    </StackedCell>
    <StackedCell width="most">{outcome(settlement)}</StackedCell>
    <StackedCell width="third" className="text-right">
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Open ${settlement.fileName}, ${dateAndTime(settlement.uploadedAt)}`}
        onClick={onOpen}
      >
        Open
      </Button>
    </StackedCell>
  </StackedRow>
)

const outcome = ({ counts }: SettlementHead): string => {
  const open = counts.amount_differs + counts.missing_here + counts.missing_there
  return open === 0
    ? 'All matched'
    : `${wholeNumber(open)} to look at, ${wholeNumber(counts.matched)} matched`
}
