import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import type { Statement } from '#contracts/statements'
import { counted } from '../../../lib/format'
import { addressWithPage, pageFromAddress } from '../../../lib/list-address'
import { dateAndTime } from '../../../lib/school-moment'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { PagedList } from '../../../ui/paged-list'
import { StackedCell, StackedRow, StackedTable } from '../../../ui/stacked-table'
import { statementsQuery, type Uploaded } from './api'
import { sourceLabel } from './statement-words'
import { UploadCard } from './upload-card'

type StatementListProps = { onOpen: (id: number) => void; onUploaded: (result: Uploaded) => void }

/** Every uploaded statement, the newest first, and the way to upload one more. */
export const StatementList = ({ onOpen, onUploaded }: StatementListProps) => {
  const [address, setAddress] = useSearchParams()
  const page = pageFromAddress(address)
  const statements = useQuery(statementsQuery(page))
  const sources = statements.data?.data.map(({ source }) => source) ?? []
  return (
    <div className="flex flex-col gap-4">
      <UploadCard sources={[...new Set(sources)]} onUploaded={onUploaded} />
      <Card>
        <CardHeading title="Statements" />
        <CardBody className="flex flex-col gap-3">
          <PagedList
            query={statements}
            list={{ page, onPage: (wanted) => setAddress(addressWithPage(address, wanted)) }}
            pages={({ metadata }) => metadata}
            failure="Failed to fetch statements"
            empty={
              <EmptyState title="No statements yet" icon="table">
                Upload one: what it pays is found by itself, and you confirm it.
              </EmptyState>
            }
          >
            {({ data }) => (
              <StackedTable label="Statements" columns={columns}>
                {data.map((statement) => (
                  <Row key={statement.id} statement={statement} onOpen={() => onOpen(statement.id)} />
                ))}
              </StackedTable>
            )}
          </PagedList>
        </CardBody>
      </Card>
    </div>
  )
}

const columns = [
  { label: 'From' },
  { label: 'File' },
  { label: 'Uploaded' },
  { label: 'To do' },
  { label: 'Open', hideLabel: true },
]

const Row = ({ statement, onOpen }: { statement: Statement; onOpen: () => void }) => (
  <StackedRow>
    <StackedCell width="most" className="font-semibold">
      {sourceLabel(statement.source)}
    </StackedCell>
    <StackedCell width="full" className="break-all @max-4xl:order-2">
      {statement.fileName}
    </StackedCell>
    <StackedCell width="full" className="text-muted @max-4xl:order-3">
      {`${dateAndTime(statement.uploadedAt)} by ${statement.uploadedBy}`}
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-4">
      <ToDo counts={statement.counts} />
    </StackedCell>
    <StackedCell width="third" className="text-right @max-4xl:order-1">
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Open ${statement.fileName}, ${dateAndTime(statement.uploadedAt)}`}
        onClick={onOpen}
      >
        Open
      </Button>
    </StackedCell>
  </StackedRow>
)

const ToDo = ({ counts: { exact, likely, open, confirmed, ignored } }: Pick<Statement, 'counts'>) => {
  if (exact + likely + open + confirmed + ignored === 0)
    return <span className="text-muted">Nothing new</span>
  const left = [
    exact > 0 ? `${exact} exact` : '',
    likely > 0 ? `${likely} likely` : '',
    open > 0 ? `${open} open` : '',
  ].filter((words) => words !== '')
  return (
    <span className="flex flex-wrap items-center gap-2">
      {left.length > 0 ? (
        <span className="font-semibold">{left.join(', ')}</span>
      ) : (
        <Badge tone="brand" icon="check">
          Done
        </Badge>
      )}
      {confirmed > 0 ? <span className="text-muted">{`${counted(confirmed, 'row')} confirmed`}</span> : null}
    </span>
  )
}
