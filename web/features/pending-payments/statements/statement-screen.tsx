import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Statement } from '#contracts/statements'
import { counted } from '../../../lib/format'
import { addressWith, addressWithPage, pageFromAddress } from '../../../lib/list-address'
import { dateAndTime } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { Card, CardBody } from '../../../ui/card'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { EmptyState } from '../../../ui/empty-state'
import { PagedList } from '../../../ui/paged-list'
import type { Selection } from '../selection'
import { rowsQuery } from './api'
import { RowBar } from './row-bar'
import { RowFilter, showOf } from './row-filter'
import { isLikely, RowList } from './row-list'
import { SkippedRows } from './skipped-rows'
import { sourceLabel } from './statement-words'
import { useRowActs } from './use-row-acts'

type StatementScreenProps = {
  id: number
  onBack: () => void
  /** How its upload ended, where that was just now. */
  children: ReactNode
}

/** The rows of one statement, what each of them pays, and the acts on them; filter and page are in the address. */
export const StatementScreen = ({ id, onBack, children }: StatementScreenProps) => {
  const [address, setAddress] = useSearchParams()
  const page = pageFromAddress(address)
  const show = showOf(address)
  const rows = useQuery(rowsQuery(id, { ...show.query, page }))
  const acts = useRowActs(id)
  const statement = rows.data?.statement
  const shown = rows.data?.data ?? []
  const [chosen, setChosen] = useState<Selection>(new Set())
  const shownChosen = shown.filter((row) => isLikely(row) && chosen.has(row.id))
  const confirmChosen = async () => {
    if (await acts.confirm({ allLikely: shownChosen.map(({ id: rowId }) => rowId) })) setChosen(new Set())
  }
  return (
    <div className="flex flex-col gap-4">
      <Button variant="ghost" size="sm" icon="chevron-left" className="self-start" onClick={onBack}>
        All statements
      </Button>
      {children}
      <Card>
        <CardBody className="flex flex-col gap-4">
          {statement ? (
            <>
              <Head statement={statement} />
              <div className="flex flex-wrap items-center justify-between gap-3">
                <RowFilter
                  counts={statement.counts}
                  current={show.key}
                  onShow={(key) => setAddress(addressWith(address, { show: key || null }))}
                />
                <ConfirmAllExact
                  count={statement.counts.exact}
                  busy={acts.busy}
                  onConfirm={() => acts.confirm({ allExact: true })}
                />
              </div>
            </>
          ) : null}
          <SkippedRows done={acts.done} rows={shown} />
          <PagedList
            query={rows}
            list={{ page, onPage: (wanted) => setAddress(addressWithPage(address, wanted)) }}
            pages={({ metadata }) => metadata}
            failure="Failed to fetch the statement"
            empty={<NoRows all={show.key === ''} />}
          >
            {({ data }) => <RowList rows={data} acts={acts} chosen={chosen} onChosen={setChosen} />}
          </PagedList>
          <RowBar
            chosen={shownChosen}
            done={acts.done}
            busy={acts.busy}
            onConfirm={() => void confirmChosen()}
          />
        </CardBody>
      </Card>
    </div>
  )
}

const Head = ({ statement }: { statement: Statement }) => (
  <div>
    <h2 className="font-display text-xl font-semibold wrap-anywhere">
      {`${sourceLabel(statement.source)} · ${statement.fileName}`}
    </h2>
    <p className="text-sm text-muted">
      {`Uploaded ${dateAndTime(statement.uploadedAt)} by ${statement.uploadedBy}`}
    </p>
  </div>
)

const NoRows = ({ all }: { all: boolean }) => (
  <EmptyState title={all ? 'Nothing new in this file' : 'No such rows'} icon="table">
    {all
      ? 'All its payments were uploaded before; they stand with the statement that brought them first.'
      : 'There is nothing of this kind in the statement, or it is done.'}
  </EmptyState>
)

type ConfirmAllExactProps = { count: number; busy: boolean; onConfirm: () => Promise<unknown> }

/** One press for every row whose reference and amount fit. */
const ConfirmAllExact = ({ count, busy, onConfirm }: ConfirmAllExactProps) => {
  const [asking, setAsking] = useState(false)
  if (count === 0) return null
  return (
    <>
      <Button icon="check" busy={busy} onClick={() => setAsking(true)}>
        {`Confirm all exact (${count})`}
      </Button>
      <ConfirmDialog
        open={asking}
        title={`Confirm ${counted(count, 'exact row')}?`}
        confirm="Yes, Confirm"
        busy={busy}
        onConfirm={() => void onConfirm().then(() => setAsking(false))}
        onClose={() => setAsking(false)}
      >
        Reference and amount fit. Their meals are marked paid; each row can be undone.
      </ConfirmDialog>
    </>
  )
}
